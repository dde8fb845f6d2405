import { randomBytes, randomUUID } from 'node:crypto';
import { NO_BUDGETS } from '../../core/payers/budgets.ts';
import type { Engines } from '../../core/ports/engines.ts';
import { repeat } from '../../core/timing/repeat.ts';
import type { Log } from '../../core/watch/logger.ts';
import { makeEraseDeleted } from '../use-cases/accounts/organizations/erase-deleted.ts';
import type { Receipts } from '../use-cases/accounts/signed/receipts.ts';
import { makeBegunHere } from '../use-cases/erasure/begun-here.ts';
import { makeErase } from '../use-cases/erasure/erase.ts';

/** Few organizations are ever deleted: to look whether there is one costs a read. */
const EVERY_MS = 15_000;

/** Erases in the background what deleted organizations have stored. */
export const startErasing = (
  { log, keys, admission, memory, watch, accounts: { store } }: Engines,
  {
    receipts,
    clock,
    logger,
    everyMs = EVERY_MS,
  }: { receipts: Receipts; clock: () => number; logger: Pick<Log, 'info' | 'warn'>; everyMs?: number },
): { close(): Promise<void> } => {
  const { details, listing, settled, begunErasures } = memory;
  // Nobody is told: its webhooks are gone.
  const erase = makeErase({
    ...{ log, keys, admission, details, settled, receipts, clock, logger },
    begun: begunErasures ?? makeBegunHere(),
    newId: () => `ers_${randomBytes(16).toString('hex')}`,
  });
  const round = makeEraseDeleted({
    ...{ store, keys, listing, clock },
    erase: (org, user, { correlationId }) =>
      erase({ org, user, session: undefined }, { correlationId, budgets: NO_BUDGETS }),
  });
  let isFailing = false;
  return repeat(async signal => {
    if (!watch.isCaughtUp()) return;
    try {
      const emptied = await round({ correlationId: randomUUID() }, signal);
      isFailing = false;
      if (emptied.length > 0)
        logger.info({ organizations: emptied.length }, 'all that deleted organizations stored is erased');
    } catch (error) {
      // Once an outage, however long.
      if (!isFailing && !signal.aborted)
        logger.warn(
          { reason: error instanceof Error ? error.message : 'unknown fault' },
          'what deleted organizations stored is not erased for now',
        );
      isFailing = true;
    }
  }, everyMs);
};
