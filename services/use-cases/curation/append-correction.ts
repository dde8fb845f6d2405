import { randomBytes } from 'node:crypto';
import { encodeEvent } from '../../../core/log/encode.ts';
import type { ReadModels } from '../../../core/ports/engines.ts';
import type { EventLog, KeyStore } from '../../../core/ports.ts';
import { makeSettledWithin } from '../../../core/timing/settled-within.ts';
import type { CallContext } from '../../../core/use-cases.ts';
import { NO_SESSION } from '../../../schemas/events/curation/correction.ts';
import type { CorrectionType } from '../../../schemas/events/event-types.ts';

export interface AppendPorts {
  log: Pick<EventLog, 'append'>;
  keys: Pick<KeyStore, 'forSession'>;
  /** Resolves when every serving read model has applied the records at these addresses. */
  settled: ReadModels['settled'];
  /** Unix milliseconds. */
  clock: () => number;
  /** Default: a random one. */
  newId?: () => string;
  /** How long a call waits for the projections, for tests. */
  patienceMs?: number;
}

export interface NewCorrection {
  type: CorrectionType;
  org: string;
  user: string;
  /** Default: it is the user's. */
  session?: string;
  data: object;
  /** It is recorded after this instant: the clocks of two processes differ, and the last one counts. */
  after?: number | undefined;
}

/** Seals and appends a correction, and waits until every read shows it. */
export const makeAppendCorrection = ({
  log,
  keys,
  settled,
  clock,
  newId = () => `cor_${randomBytes(16).toString('hex')}`,
  patienceMs,
}: AppendPorts) => {
  const wait = makeSettledWithin(
    settled,
    'The projections are behind: it is corrected in a moment; send it again to know.',
    patienceMs,
  );
  return async (
    { type, org, user, session = NO_SESSION, data, after = 0 }: NewCorrection,
    { correlationId }: CallContext,
  ): Promise<void> => {
    const event = {
      id: newId(),
      type,
      org_id: org,
      recorded_at: new Date(Math.max(clock(), after + 1)).toISOString(),
      correlation_id: correlationId,
      data,
    };
    const addresses = await log.append([
      {
        topic: 'turns',
        key: JSON.stringify([org, user, session]),
        value: encodeEvent(event, await keys.forSession(org, user, session)),
        headers: { correlation_id: correlationId },
      },
    ]);
    await wait(addresses);
  };
};
