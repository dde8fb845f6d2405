import { unavailable } from '../../core/errors.ts';
import { within } from '../../core/within.ts';

/** Longer than any timeout inside the service, shorter than those of clients and proxies. */
export const DEADLINE_MS = 30_000;

/** Resolves like `work`, or rejects with `unavailable` when it takes too long: no request hangs, whatever the engines do. */
export const withinDeadline = <T>(work: Promise<T>, ms = DEADLINE_MS): Promise<T> =>
  within(ms, work, () => unavailable('The service took too long; try again.'));
