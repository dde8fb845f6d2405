import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { endOfDocument, endOfEvent } from '../../../projections/accounts/lifetimes.ts';
import {
  type AccountKind,
  type AccountState,
  foldAccount,
  type GetDocument,
} from '../../../projections/accounts/projection.ts';
import { unavailable } from '../../../services/core/errors.ts';
import { accountKeys } from './account-keys.ts';
import { type AppendedAccountEvent, lifeUntil } from './account-writes.ts';
import { type RedisClient, redisScript } from './client.ts';

const KINDS: readonly AccountKind[] = ['organization', 'api_key', 'rotation', 'family'];
const MOST_ROUNDS = 50;

/**
 * Applies all repairs of an organization, or nothing if another process has written since the version was read.
 * KEYS: version. ARGV: the version that was read, the new one, Unix milliseconds, JSON of `{ set: [key, value, life],
 * list: [key, member, life], drop: [key], unlist: [key, member] }`, all in the organization's slot.
 */
const repair = redisScript(`
  if (redis.call('GET', KEYS[1]) or '') ~= ARGV[1] then return 0 end
  local now, changes = tonumber(ARGV[3]), cjson.decode(ARGV[4])
  for _, one in ipairs(changes.set) do
    if one[3] == 0 then redis.call('SET', one[1], one[2])
    else redis.call('SET', one[1], one[2], 'PX', string.format('%.0f', one[3])) end
  end
  for _, one in ipairs(changes.list) do
    if one[3] == 0 then redis.call('ZADD', one[1], '+inf', one[2])
    else
      redis.call('ZADD', one[1], string.format('%.0f', now + one[3]), one[2])
      redis.call('PEXPIRE', one[1], string.format('%.0f', one[3]), 'NX')
      redis.call('PEXPIRE', one[1], string.format('%.0f', one[3]), 'GT')
    end
  end
  for _, key in ipairs(changes.drop) do redis.call('DEL', key) end
  for _, one in ipairs(changes.unlist) do redis.call('ZREM', one[1], one[2]) end
  redis.call('SET', KEYS[1], ARGV[2])
  return 1`);

const nameOf = (kind: AccountKind, id: string): string => `${kind}/${id}`;

export interface Repaired {
  checked: number;
  replaced: number;
  removed: number;
}

export interface RepairAccountsOptions {
  redis: RedisClient;
  namespace: string;
  /** The log's events since the last call, in order in each organization; the first call begins at the first event. */
  readOn: () => AsyncIterable<readonly AppendedAccountEvent[]>;
  /** Unix milliseconds. */
  clock: () => number;
  dryRun: boolean;
}

/**
 * Compares the documents with the fold of the log and replaces what differs, organization by organization, each in one
 * script that fails when an event changed them meanwhile. The version is read before the log, so the fold includes
 * everything that Redis has. What the fold has beyond that the projector writes again, which changes nothing.
 */
export const repairAccounts = async ({
  redis,
  namespace,
  readOn,
  clock,
  dryRun,
}: RepairAccountsOptions): Promise<Repaired> => {
  const keys = accountKeys(namespace);
  const states = new Map<string, AccountState>();
  const ofOrg = new Map<string, Set<string>>();
  const events = new Map<string, Map<string, AppendedAccountEvent>>();
  const get = ((kind, id) => states.get(nameOf(kind, id))?.document) as GetDocument;

  const foldOn = async (): Promise<void> => {
    for await (const page of readOn()) {
      for (const event of page) {
        const known = events.get(event.org_id) ?? new Map<string, AppendedAccountEvent>();
        events.set(event.org_id, known);
        if (known.has(event.id)) continue;
        known.set(event.id, event);
        for (const state of foldAccount(get, event)) {
          states.set(nameOf(state.kind, state.id), state);
          const names = ofOrg.get(state.org) ?? new Set<string>();
          ofOrg.set(state.org, names.add(nameOf(state.kind, state.id)));
        }
      }
    }
  };

  /** Repairs one organization; undefined when another process wrote meanwhile. */
  const repairOrganization = async (org: string): Promise<Repaired | undefined> => {
    const version = (await redis.get(keys.version(org))) ?? '';
    await foldOn();
    const now = clock();
    const changes = {
      set: [] as [string, string, number][],
      list: [] as [string, string, number][],
      drop: [] as string[],
      unlist: [] as [string, string][],
    };
    const found = { checked: 0, replaced: 0, removed: 0 };
    const owned = [...(ofOrg.get(org) ?? [])].map(name => states.get(name)!);
    /** Expired documents may be gone, and are not restored. */
    const live = owned.filter(state => (endOfDocument(state) ?? Infinity) > now);
    for (const state of live) {
      const { kind, id, document } = state;
      const key = keys.document(org, kind, id);
      const [text, score, owner] = await Promise.all([
        redis.get(key),
        redis.zscore(keys.ids(org, kind), id),
        kind === 'organization' ? redis.sismember(keys.organizations, id) : redis.get(keys.orgOf(kind, id)),
      ]);
      found.checked++;
      const isRight =
        text !== null && isDeepStrictEqual(JSON.parse(text), JSON.parse(JSON.stringify(document)));
      const isOwned = owner === 1 || owner === org;
      if (isRight && score !== null && isOwned) continue;
      found.replaced++;
      const life = lifeUntil(endOfDocument(state), now);
      changes.set.push([key, JSON.stringify(document), life]);
      changes.list.push([keys.ids(org, kind), id, life]);
      if (dryRun || isOwned) continue;
      if (kind === 'organization') await redis.sadd(keys.organizations, id);
      else await redis.set(keys.orgOf(kind, id), org);
    }
    for (const event of events.get(org)?.values() ?? []) {
      if ((endOfEvent(event) ?? Infinity) <= now) continue;
      const key = keys.event(org, event.id);
      if ((await redis.exists(key)) === 1) continue;
      changes.set.push([key, event.attempt ?? '', lifeUntil(endOfEvent(event), now)]);
    }
    const names = new Set(owned.map(({ kind, id }) => nameOf(kind, id)));
    for (const kind of KINDS) {
      for (const id of await redis.zrange(keys.ids(org, kind), '0', '-1')) {
        if (names.has(nameOf(kind, id))) continue;
        found.removed++;
        changes.drop.push(keys.document(org, kind, id));
        changes.unlist.push([keys.ids(org, kind), id]);
      }
    }
    if (dryRun || Object.values(changes).every(list => list.length === 0)) return found;
    const done = await repair(
      redis,
      [keys.version(org)],
      [version, randomUUID(), now, JSON.stringify(changes)],
    );
    return done === 1 ? found : undefined;
  };

  await foldOn();
  const total = { checked: 0, replaced: 0, removed: 0 };
  for (const org of new Set([...events.keys(), ...(await redis.smembers(keys.organizations))])) {
    let repaired: Repaired | undefined;
    for (let round = 0; repaired === undefined; round++) {
      if (round === MOST_ROUNDS) throw unavailable('The accounts are being written by others.');
      repaired = await repairOrganization(org);
    }
    total.checked += repaired.checked;
    total.replaced += repaired.replaced;
    total.removed += repaired.removed;
    if (!dryRun && !events.has(org)) await redis.srem(keys.organizations, org);
  }
  return total;
};
