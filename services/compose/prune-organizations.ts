import { randomUUID } from 'node:crypto';
import type { AccountEngines } from '../../core/ports/engines.ts';
import { repeat } from '../../core/timing/repeat.ts';
import type { Log } from '../../core/watch/logger.ts';
import type { Accounts } from '../use-cases/accounts/accounts.ts';

/** It is not urgent: they have been there for days. */
const EVERY_MS = 10 * 60_000;

/** Removes in the background open sign-ups that write nothing. `days`: 0: none. */
export const startPruning = (
  accounts: Pick<Accounts, 'pruneUnused'>,
  {
    upTo,
    days,
    logger,
    everyMs = EVERY_MS,
  }: Pick<AccountEngines, 'upTo'> & { days: number; logger: Pick<Log, 'info' | 'warn'>; everyMs?: number },
): { close(): Promise<void> } => {
  if (days === 0) return { close: async () => {} };
  let isFailing = false;
  return repeat(async signal => {
    try {
      const past = await upTo();
      const correlationId = randomUUID();
      const gone =
        past === undefined ? [] : await accounts.pruneUnused(past, days, { correlationId }, signal);
      isFailing = false;
      if (gone.length > 0)
        logger.info({ organizations: gone.length }, 'organizations that never wrote were removed');
    } catch (error) {
      // Once an outage, however long.
      if (!isFailing && !signal.aborted)
        logger.warn(
          { reason: error instanceof Error ? error.message : 'unknown fault' },
          'organizations that never wrote are not removed for now',
        );
      isFailing = true;
    }
  }, everyMs);
};
