import type { ApiKeyDocument } from '../../../projections/accounts/projection.ts';
import { boundedMap } from '../../core/bounded-map.ts';
import type { AccountStore } from '../../core/ports/account-store.ts';
import { type AccountContext, accountEvent } from './events.ts';

/** The resolution of `last_used_at`, so that a busy key doesn't fill the log. */
const USED_EVERY_MS = 60_000;
/** The most keys whose minute is remembered. */
const REMEMBERED = 10_000;

/**
 * Records that a key was used, at most once a minute. Nobody waits for it, and a failure makes the date a little less
 * exact, which is no reason to refuse a call.
 */
export const makeLastUse = ({ store, clock }: { store: Pick<AccountStore, 'note'>; clock: () => number }) => {
  /** By key id: the last minute that this process has noted. */
  const noted = boundedMap<number>(REMEMBERED);

  return (key: ApiKeyDocument, context: AccountContext): void => {
    const now = clock();
    const minute = Math.floor(now / USED_EVERY_MS);
    if (noted.get(key.key_id) === minute) return;
    if (key.last_used_at !== null && now - Date.parse(key.last_used_at) < USED_EVERY_MS) return;
    noted.set(key.key_id, minute);
    const about = { org: key.org_id, now, context };
    const event = accountEvent('api_key.used', `${key.key_id}:${minute}`, about, { key_id: key.key_id });
    store.note(event).catch(() => noted.delete(key.key_id));
  };
};

export type LastUse = ReturnType<typeof makeLastUse>;
