/** Erases what deleted organizations have stored. Any number of processes may do it at once. */
import type { AccountStore } from '../../../../core/ports/accounts/account-store.ts';
import type { KeyStore, Listing } from '../../../../core/ports.ts';
import { HOUR_MS } from '../../../../core/time.ts';
import { type AccountContext, accountEvent } from '../account-events.ts';

/**
 * How long nothing more must have been found: calls that were let in before the deletion have ended by then,
 * and what they stored is erased too.
 */
const QUIET_MS = HOUR_MS;
/** How long an organization of which nothing was found is left alone: to look reads all users' keys. */
const LOOK_AGAIN_MS = 10 * 60_000;
const PAGE = 500;

interface Options {
  /** Without the bounds of what callers append. */
  store: Pick<AccountStore, 'get' | 'list' | 'liveKeys' | 'erasing' | 'record'>;
  keys: Pick<KeyStore, 'usersOf'>;
  listing: Pick<Listing, 'userNames'>;
  /** Erases all of a user, by the machinery of an erasure that somebody asked for. */
  erase: (org: string, user: string, context: AccountContext) => Promise<unknown>;
  /** Unix milliseconds. */
  clock: () => number;
  /** Milliseconds that only pass while the process runs; default: `performance.now`. */
  timer?: (() => number) | undefined;
}

export const makeEraseDeleted = ({
  store,
  keys,
  listing,
  erase,
  clock,
  timer = () => performance.now(),
}: Options) => {
  /** By organization: since when this process has found nothing of it, and when it last looked in vain. */
  const quiet = new Map<string, { since: number; looked: number }>();

  /** Ends its webhooks and revokes its keys. Resolves with their number. */
  const shut = async (org: string, context: AccountContext): Promise<number> => {
    const about = { org, now: clock(), context };
    const webhooks = (await store.list('webhook', org)).filter(one => one.deleted_at === undefined);
    for (const { webhook_id } of webhooks)
      await store.record(accountEvent('webhook.deleted', webhook_id, about, { webhook_id }));
    const live = await store.liveKeys(org);
    for (const { key_id } of live)
      await store.record(accountEvent('api_key.revoked', key_id, about, { key_id }));
    return webhooks.length + live.length;
  };

  /** Yields everybody who has keys, without which no word can be read, and then whom the index still has. */
  async function* usersOf(org: string): AsyncGenerator<string> {
    for await (const page of keys.usersOf(org)) yield* page;
    for (let after: string | undefined; ; ) {
      const page = await listing.userNames({ org }, after, PAGE);
      yield* page;
      if (page.length < PAGE) return;
      after = page.at(-1);
    }
  }

  /**
   * One round. A process that dies in it, or an outage, leaves the rest to the next round, of any process.
   * Resolves with the organizations of which nothing is left.
   */
  return async (context: AccountContext, signal: AbortSignal): Promise<string[]> => {
    const emptied: string[] = [];
    for (const { org_id: org, erasing } of await store.erasing()) {
      const before = quiet.get(org);
      if (before && timer() - before.looked < LOOK_AGAIN_MS) continue;
      let found = await shut(org, context);
      for await (const user of usersOf(org)) {
        if (signal.aborted) return emptied;
        await erase(org, user, context);
        found++;
      }
      const looked = timer();
      const since = found > 0 ? looked : (before?.since ?? looked);
      quiet.set(org, { since, looked: found > 0 ? -Infinity : looked });
      if (looked - since < QUIET_MS) continue;
      const about = { org, now: clock(), context };
      await store.record(accountEvent('org.emptied', erasing!, about, { asked: erasing! }));
      quiet.delete(org);
      emptied.push(org);
    }
    return emptied;
  };
};
