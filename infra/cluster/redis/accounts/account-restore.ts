import type { AccountState } from '../../../../projections/accounts/accounts-projection.ts';
import type { EventMarker } from '../../../../projections/accounts/folded-entities.ts';
import { endOfDocument } from '../../../../projections/accounts/lifetimes.ts';
import type { RedisClient } from '../redis-client.ts';
import type { AccountKeys } from './account-keys.ts';
import { claimOwner, lifeUntil, type Written, writeAll } from './account-writes.ts';

/** The number of an organization's documents and markers that one script writes. */
const AT_ONCE = 1_000;
const ORGANIZATIONS_AT_ONCE = 256;

export interface RestoredEntities {
  states: readonly AccountState[];
  markers: readonly EventMarker[];
}

/**
 * Writes documents and markers without reading what exists: for a Redis whose data were dropped, before its
 * first call. Sends one command for each document, which makes it findable by its id, and one script for each
 * organization.
 */
export const makeRestoreEntities =
  (redis: RedisClient, keys: AccountKeys, clock: () => number) =>
  async ({ states, markers }: RestoredEntities): Promise<void> => {
    const orgs = Map.groupBy<string, AccountState | EventMarker>([...states, ...markers], ({ org }) => org);
    const all = [...orgs];
    for (let at = 0; at < all.length; at += ORGANIZATIONS_AT_ONCE) {
      const some = all.slice(at, at + ORGANIZATIONS_AT_ONCE);
      await Promise.all(some.map(([org, its]) => restoreOrganization(redis, keys, clock(), org, its)));
    }
  };

const isState = (entity: AccountState | EventMarker): entity is AccountState => 'kind' in entity;

const restoreOrganization = async (
  redis: RedisClient,
  keys: AccountKeys,
  now: number,
  org: string,
  entities: readonly (AccountState | EventMarker)[],
): Promise<void> => {
  let version = '';
  for (let at = 0; at < entities.length; ) {
    const some = entities.slice(at, at + AT_ONCE);
    const markers = some.flatMap(one =>
      isState(one) ? [] : [{ id: one.id, attempt: one.attempt, life: lifeUntil(one.end, now) }],
    );
    const written = await owned(redis, keys, now, some.filter(isState));
    if (await writeAll(redis, keys, org, { version, written, markers, now })) at += AT_ONCE;
    if (at < entities.length) version = (await redis.get(keys.version(org))) ?? '';
  }
};

/** Makes documents findable by their id; returns those whose id belongs to their organization. */
const owned = async (
  redis: RedisClient,
  keys: AccountKeys,
  now: number,
  states: readonly AccountState[],
): Promise<Written[]> => {
  const written = states.map(state => ({
    ...state,
    isNew: true,
    life: lifeUntil(endOfDocument(state), now),
  }));
  const isOwned = await Promise.all(
    written.map(
      async document =>
        (await claimOwner(redis, keys, document)) ||
        (await redis.get(keys.orgOf(document.kind, document.id))) === document.org,
    ),
  );
  return written.filter((_, i) => isOwned[i]);
};
