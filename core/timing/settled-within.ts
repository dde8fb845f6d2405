import { unavailable } from '../errors.ts';
import type { ReadModels } from '../ports/engines.ts';
import type { RecordAddress } from '../ports.ts';
import { within } from './within.ts';

/** How long a call waits for the projections before it fails; the caller may retry. */
const PATIENCE_MS = 10_000;

/**
 * Waits until every serving read model has applied the records at these addresses. Throws `unavailable` with
 * `message` when that takes too long.
 */
export const makeSettledWithin =
  (settled: ReadModels['settled'], message: string, patienceMs = PATIENCE_MS) =>
  (addresses: readonly RecordAddress[]): Promise<void> => {
    // Aborted only afterwards: a signal with its own time-out would end the wait first, with a reason that is
    // no answer.
    const waiting = new AbortController();
    return within(patienceMs, settled(addresses, waiting.signal), () =>
      unavailable(message, undefined, 2),
    ).finally(() => waiting.abort());
  };
