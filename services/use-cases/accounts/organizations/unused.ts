/** Open sign-ups that never write: they are removed, unless they write first. The log has the order. */
import { ServiceError } from '../../../../core/errors.ts';
import type { AccountStore } from '../../../../core/ports/accounts/account-store.ts';
import { DAY_MS, HOUR_MS } from '../../../../core/time.ts';
import type { OrganizationDocument } from '../../../../projections/accounts/accounts-projection.ts';
import { type AccountContext, accountEvent } from '../account-events.ts';

/** Whether there is such an organization, which was not removed. */
export const isThere = (found: OrganizationDocument | undefined): found is OrganizationDocument =>
  found !== undefined && found.pruned_at === undefined;

/** Throws `forbidden` where it was removed: none of its keys lets anybody in. */
export const assertNotGone = (found: OrganizationDocument | undefined): void => {
  if (found?.pruned_at !== undefined) throw new ServiceError('forbidden', 'The API key is revoked.');
};

/** Organizations of a round. */
const MOST = 1_000;
/**
 * How long this process must have known that one is due: one that a clock far behind has dated has a while to
 * write, whatever the clocks say.
 */
const KNOWN_MS = HOUR_MS;

interface Options {
  store: Pick<AccountStore, 'get' | 'record' | 'unusedSince'>;
  /** Unix milliseconds. */
  clock: () => number;
  /** Milliseconds that only pass while the process runs; default: `performance.now`. */
  timer?: (() => number) | undefined;
}

/**
 * Says in the log, before an organization's first append, that it is in use. Of this and of its removal the
 * first in the log counts, so nothing is appended for an organization that is gone. Throws `forbidden` for
 * one.
 */
export const makeKeepInUse =
  ({ store, clock }: Pick<Options, 'clock'> & { store: Pick<AccountStore, 'get' | 'record'> }) =>
  async (org: string, context: AccountContext): Promise<void> => {
    const found = await store.get('organization', org);
    if (found?.unused) await store.record(accountEvent('org.wrote', org, { org, now: clock(), context }, {}));
    const isGone = found?.unused ? (await store.get('organization', org))?.pruned_at : found?.pruned_at;
    if (isGone !== undefined) throw new ServiceError('forbidden', 'The API key is revoked.');
  };

/**
 * One round: removes open sign-ups of which nothing was written for so many days. Any number of processes may
 * do it at once. Resolves with the organizations that are gone.
 *
 * @param past the instant that two sources of time agree on, Unix milliseconds
 */
export const makePruneUnused = ({ store, clock, timer = () => performance.now() }: Options) => {
  let known = new Map<string, number>();
  return async (
    past: number,
    days: number,
    context: AccountContext,
    signal: AbortSignal,
  ): Promise<string[]> => {
    const due = await store.unusedSince(new Date(past - days * DAY_MS).toISOString(), MOST);
    known = new Map(due.map(({ org_id }) => [org_id, known.get(org_id) ?? timer()]));
    const gone: string[] = [];
    for (const { org_id: org, unused } of due) {
      if (signal.aborted) break;
      if (timer() - known.get(org)! < KNOWN_MS) continue;
      await store.record(accountEvent('org.pruned', org, { org, now: clock(), context }, unused!));
      if ((await store.get('organization', org))?.pruned_at !== undefined) gone.push(org);
    }
    return gone;
  };
};
