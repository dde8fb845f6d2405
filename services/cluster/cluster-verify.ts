import type { Decode, Prepare } from '../../core/log/events.ts';
import type { VerifyMessage } from '../../core/operator/verification.ts';
import type { EventLog, VerifiableRows } from '../../core/ports.ts';
import type { Language } from '../../domain/language/language.ts';
import type { OneGeneration } from '../../infra/cluster/served-rows.ts';
import { makeProjections } from '../../projections/all.ts';
import { makeVerify, type VerifyOptions } from '../operations/verify/verify.ts';

export interface ClusterVerifyPorts {
  log: Pick<EventLog, 'read' | 'ends'>;
  decode: Decode;
  prepare: Prepare;
  language: Language;
  /** Unix milliseconds. */
  clock: () => number;
  /** Connects to the rows of the serving generations, or of one generation only. */
  connectRows(only: OneGeneration | undefined): Promise<{ rows: VerifiableRows; close(): Promise<void> }>;
}

/**
 * Compares the serving generations in the shared engines, or one generation, with the log. Runs in this
 * process.
 */
export const makeClusterVerify = ({
  log,
  decode,
  prepare,
  language,
  clock,
  connectRows,
}: ClusterVerifyPorts) => {
  const verify = makeVerify({ log, decode, prepare, projections: makeProjections(language), clock });
  /** `only`: a generation that doesn't serve yet; without it, the serving ones. */
  return async function* (
    options: VerifyOptions,
    signal: AbortSignal,
    only?: OneGeneration,
  ): AsyncGenerator<VerifyMessage> {
    const { rows, close } = await connectRows(only);
    try {
      yield* verify(rows, options, signal);
    } finally {
      await close();
    }
  };
};
