import { unavailable } from '../errors.ts';
import type { ReadModels } from '../ports/engines.ts';
import type { RecordAddress } from '../ports.ts';
import { within } from './within.ts';

/** How long a call waits for the projections before it fails; it may be repeated. */
const PATIENCE_MS = 10_000;

/**
 * Waits until every serving read model has applied the records at these addresses. Throws `unavailable` with `message` when that
 * takes too long.
 */
export const makeSettledWithin =
  (settled: ReadModels['settled'], message: string, patienceMs = PATIENCE_MS) =>
  (addresses: readonly RecordAddress[]): Promise<void> => {
    // Ended afterwards: a signal with a time of its own would end the wait first, and its reason is no answer.
    const waiting = new AbortController();
    return within(patienceMs, settled(addresses, waiting.signal), () =>
      unavailable(message, undefined, 2),
    ).finally(() => waiting.abort());
  };
