import { boundedMap } from '../../../../core/caches/bounded-map.ts';
import type { AccountStore } from '../../../../core/ports/accounts/account-store.ts';
import type { ApiKeyDocument } from '../../../../projections/accounts/accounts-projection.ts';
import { type AccountContext, accountEvent } from '../account-events.ts';

/** The resolution of `last_used_at`, so that a busy key doesn't fill the log. */
const USED_EVERY_MS = 60_000;
/** The most keys whose minute is remembered. */
const REMEMBERED = 10_000;

export interface LastUse {
  /** Notes that the key was used, by a client at this address. */
  note(key: ApiKeyDocument, context: AccountContext, address: string): void;
  /** When this process last noted a use, which may not be projected yet; RFC 3339. */
  at(keyId: string): string | null;
}

/**
 * Records that a key was used, at most once a minute. Nobody waits for it, and a failure makes the date a
 * little less exact, which is no reason to refuse a call.
 */
export const makeLastUse = ({
  store,
  clock,
  onFirst,
}: {
  store: Pick<AccountStore, 'note'>;
  /** Unix milliseconds. */
  clock: () => number;
  /** Called where no use of the key is known; of several processes, by each. */
  onFirst?: ((key: ApiKeyDocument, context: AccountContext, address: string) => void) | undefined;
}): LastUse => {
  /** By key id: the event's time, Unix milliseconds. */
  const noted = boundedMap<number>(REMEMBERED);
  const minuteOf = (time: number): number => Math.floor(time / USED_EVERY_MS);

  return {
    note: (key, context, address) => {
      const now = clock();
      const last = noted.get(key.key_id);
      if (last !== undefined && minuteOf(last) === minuteOf(now)) return;
      if (key.last_used_at !== null && now - Date.parse(key.last_used_at) < USED_EVERY_MS) return;
      if (last === undefined && key.last_used_at === null) onFirst?.(key, context, address);
      noted.set(key.key_id, now);
      const about = { org: key.org_id, now, context };
      const subject = `${key.key_id}:${minuteOf(now)}`;
      const event = accountEvent('api_key.used', subject, about, { key_id: key.key_id });
      // A refused or failed one is tried again in the next minute, not with the next call.
      store.note(event).catch(() => undefined);
    },
    at: keyId => {
      const time = noted.get(keyId);
      return time === undefined ? null : new Date(time).toISOString();
    },
  };
};
