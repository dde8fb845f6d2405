import { setTimeout as pause } from 'node:timers/promises';
import { unavailable } from '../../../core/errors.ts';
import { type WriteTargets, withoutFailed, writeTargets } from '../../../core/generations.ts';
import type { GenerationRegistry } from '../../../core/ports/projection/generation-registry.ts';
import type { WrongVersion } from '../../../core/ports/projection/projection-store.ts';
import type { Generational } from '../../../projections/all.ts';

/** The longest time by which an unread generation may delay the acknowledgement of a batch. */
const PATIENCE_MS = 10_000;
const RETRY_MS = 200;

/** The generations of one projection that a projector writes to. */
export interface GenerationWriters {
  /**
   * Returns the generations to write to, if this build may. Call it after reading the events from the log.
   */
  targets(): Promise<WriteTargets | WrongVersion>;
  /**
   * Reports that a write to a generation failed for good. Throws if that generation is, or has become,
   * required.
   */
  failed(generation: number, error: unknown): Promise<void>;
}

export interface GenerationWritersOptions {
  registry: GenerationRegistry;
  projection: Generational;
  /** The projection version that this build writes. */
  version: string;
  /** Called when projectors stop writing to a generation. */
  onDropped: (projection: Generational, generation: number, reason: string) => void;
}

const reasonOf = (error: unknown): string => {
  const { message, cause } = error as Error;
  return typeof cause === 'string' ? `${message} (${cause})` : message;
};

export const makeGenerationWriters = ({
  registry,
  projection,
  version,
  onDropped,
}: GenerationWritersOptions): GenerationWriters => ({
  targets: async () => writeTargets(projection, await registry.read(projection), version),
  failed: async (generation, error) => {
    const reason = reasonOf(error);
    let isNeeded = false;
    let isNews = false;
    await registry.change(projection, registered => {
      const after = withoutFailed(registered, generation, reason);
      isNeeded = after === undefined;
      isNews = after !== undefined && after !== registered;
      return after;
    });
    if (isNeeded) throw unavailable('A generation changed its part meanwhile.', error);
    if (isNews) onDropped(projection, generation, reason);
  },
});

/**
 * Writes to every generation at once; resolves with the results of the successful writes. Throws the error of
 * a required generation. An optional one is retried for `patienceMs`, then left out.
 */
export const writeToGenerations = async <T>(
  generations: GenerationWriters,
  { required, optional }: WriteTargets,
  write: (generation: number) => Promise<T>,
  patienceMs = PATIENCE_MS,
): Promise<T[]> => {
  const beside = optional.map(generation => {
    let outcome: { written: T } | { fault: unknown } = { fault: unavailable('It did not answer in time.') };
    let over = false;
    const trying = (async () => {
      while (!over) {
        outcome = await write(generation).then(
          written => ({ written }),
          fault => ({ fault }),
        );
        if ('written' in outcome) return;
        await pause(RETRY_MS);
      }
    })();
    return {
      generation,
      outcome: async () => {
        await Promise.race([trying, pause(patienceMs)]);
        over = true;
        return outcome;
      },
    };
  });
  // `patienceMs` of the optional generations starts when the required ones are done.
  const outcomes = await Promise.allSettled(required.map(write));
  const fault = outcomes.find(outcome => outcome.status === 'rejected');
  if (fault) {
    for (const { outcome } of beside) void outcome();
    throw fault.reason;
  }
  const written = outcomes.map(outcome => (outcome as PromiseFulfilledResult<T>).value);
  for (const { generation, outcome } of beside) {
    const end = await outcome();
    if ('written' in end) written.push(end.written);
    else await generations.failed(generation, end.fault);
  }
  return written;
};
