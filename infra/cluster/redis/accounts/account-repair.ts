import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import {
  type AccountKind,
  type AccountState,
  foldAccount,
  type GetDocument,
} from '../../../../projections/accounts/accounts-projection.ts';
import { endOfDocument, endOfEvent } from '../../../../projections/accounts/lifetimes.ts';
import { type RedisClient, redisScript } from '../redis-client.ts';
import { type AccountKeys, accountKeys, documentName } from './account-keys.ts';
import { type AppendedAccountEvent, lifeUntil } from './account-writes.ts';
import { type Repaired, repairOrganizations } from './repair-organizations.ts';

const KINDS: readonly AccountKind[] = ['organization', 'api_key', 'rotation', 'family'];
const MOST_ROUNDS = 50;

/**
 * Applies all repairs of an organization, or nothing if another process has written since the version was
 * read. KEYS: version. ARGV: the version that was read, the new one, Unix milliseconds, JSON of `{ set: [key,
 * value, life], list: [key, member, life], drop: [key], unlist: [key, member] }`, all in the organization's
 * slot.
 */
const repair = redisScript(`
  if (redis.call('GET', KEYS[1]) or '') ~= ARGV[1] then return 0 end
  local now, changes = tonumber(ARGV[3]), cjson.decode(ARGV[4])
  for _, one in ipairs(changes.set) do
    if one[3] == 0 then redis.call('SET', one[1], one[2])
    else redis.call('SET', one[1], one[2], 'PX', string.format('%.0f', one[3])) end
  end
  for _, one in ipairs(changes.list) do
    if one[3] == 0 then
      redis.call('ZADD', one[1], '+inf', one[2])
      redis.call('PERSIST', one[1])
    else
      redis.call('ZADD', one[1], string.format('%.0f', now + one[3]), one[2])
      if redis.call('ZCOUNT', one[1], '+inf', '+inf') == 0 then
        redis.call('PEXPIRE', one[1], string.format('%.0f', one[3]), 'NX')
        redis.call('PEXPIRE', one[1], string.format('%.0f', one[3]), 'GT')
      end
    end
  end
  for _, key in ipairs(changes.drop) do redis.call('DEL', key) end
  for _, one in ipairs(changes.unlist) do redis.call('ZREM', one[1], one[2]) end
  redis.call('SET', KEYS[1], ARGV[2])
  return 1`);

export interface RepairAccountsOptions {
  redis: RedisClient;
  namespace: string;
  /**
   * The log's events since the last call, in order in each organization; the first call starts at the first
   * event.
   */
  readOn: () => AsyncIterable<readonly AppendedAccountEvent[]>;
  /** Unix milliseconds. */
  clock: () => number;
  dryRun: boolean;
}

/**
 * Compares the documents with the fold of the log and replaces those that differ. Each organization is
 * written by one script, which fails if an event changed its documents meanwhile. The version is read before
 * the log, so the fold includes everything in Redis. If the fold is ahead of Redis, the projector later
 * writes the same documents again, which changes nothing.
 */
export const repairAccounts = async ({
  redis,
  namespace,
  readOn,
  clock,
  dryRun,
}: RepairAccountsOptions): Promise<Repaired> => {
  const keys = accountKeys(namespace);
  const log = foldLog(readOn);
  await log.foldOn();
  const organizations = new Set([...log.organizations(), ...(await redis.smembers(keys.organizations))]);
  const patience = { mostRounds: MOST_ROUNDS, giveUp: 'The accounts are being written by others.' };
  return repairOrganizations(organizations, patience, async org => {
    const version = (await redis.get(keys.version(org))) ?? '';
    await log.foldOn();
    const now = clock();
    const { found, changes, unowned } = await compare(redis, keys, org, log.ofOrganization(org), now);
    if (!dryRun) {
      for (const state of unowned) {
        const { kind, id } = state;
        if (isPruned(state)) {
          await redis.sadd(keys.removed, id);
          await redis.srem(keys.organizations, id);
        } else if (kind === 'organization') await redis.sadd(keys.organizations, id);
        else await redis.set(keys.orgOf(kind, id), org);
      }
      if (Object.values(changes).some(list => list.length > 0)) {
        const values = [version, randomUUID(), now, JSON.stringify(changes)];
        // Two keys, one of which never exists: refused while the slot moves (admission-scripts.ts).
        const key = keys.version(org);
        if ((await repair(redis, [key, `${key}-`], values)) !== 1) return undefined;
      }
      if (!log.has(org)) await redis.srem(keys.organizations, org);
    }
    return found;
  });
};

/** The documents and events of an organization, folded from the log. */
interface Logged {
  documents: readonly AccountState[];
  events: readonly AppendedAccountEvent[];
}

/** Folds the log's account events; `foldOn` adds the events appended since. */
const foldLog = (readOn: RepairAccountsOptions['readOn']) => {
  const states = new Map<string, AccountState>();
  const documents = new Map<string, Set<string>>();
  const events = new Map<string, Map<string, AppendedAccountEvent>>();
  const get = ((kind, id) => states.get(documentName({ kind, id }))?.document) as GetDocument;

  const add = (event: AppendedAccountEvent): void => {
    const known = events.get(event.org_id) ?? new Map<string, AppendedAccountEvent>();
    events.set(event.org_id, known);
    if (known.has(event.id)) return;
    known.set(event.id, event);
    for (const state of foldAccount(get, event)) {
      const name = documentName(state);
      states.set(name, state);
      documents.set(state.org, (documents.get(state.org) ?? new Set()).add(name));
    }
  };

  return {
    foldOn: async (): Promise<void> => {
      for await (const page of readOn()) page.forEach(add);
    },
    organizations: (): Iterable<string> => events.keys(),
    has: (org: string): boolean => events.has(org),
    ofOrganization: (org: string): Logged => ({
      documents: [...(documents.get(org) ?? [])].map(name => states.get(name)!),
      events: [...(events.get(org)?.values() ?? [])],
    }),
  };
};

/** The changes as the script `repair` takes them. */
interface Changes {
  set: [key: string, value: string, life: number][];
  list: [key: string, member: string, life: number][];
  drop: string[];
  unlist: [key: string, member: string][];
}

interface Difference {
  found: Repaired;
  changes: Changes;
  /** Documents that can't be found by their id in Redis. */
  unowned: AccountState[];
}

/** Finds the differences between Redis and the log. */
const compare = async (
  redis: RedisClient,
  keys: AccountKeys,
  org: string,
  logged: Logged,
  now: number,
): Promise<Difference> => {
  const changes: Changes = { set: [], list: [], drop: [], unlist: [] };
  const unowned: AccountState[] = [];
  const found = { checked: 0, replaced: 0, removed: 0 };
  for (const state of logged.documents) {
    const end = endOfDocument(state);
    // Expired documents may be missing; they are not restored.
    if ((end ?? Infinity) <= now) continue;
    const { kind, id, document } = state;
    const { isRight, isOwned } = await check(redis, keys, state);
    found.checked++;
    if (isRight && isOwned) continue;
    found.replaced++;
    const life = lifeUntil(end, now);
    changes.set.push([keys.document(org, kind, id), JSON.stringify(document), life]);
    changes.list.push([keys.ids(org, kind), id, life]);
    if (!isOwned) unowned.push(state);
  }
  for (const event of logged.events) {
    const end = endOfEvent(event);
    const key = keys.event(org, event.id);
    if ((end ?? Infinity) <= now || (await redis.exists(key)) === 1) continue;
    changes.set.push([key, event.attempt ?? '', lifeUntil(end, now)]);
  }
  const names = new Set(logged.documents.map(documentName));
  for (const kind of KINDS) {
    for (const id of await redis.zrange(keys.ids(org, kind), '0', '-1')) {
      if (names.has(documentName({ kind, id }))) continue;
      found.removed++;
      changes.drop.push(keys.document(org, kind, id));
      changes.unlist.push([keys.ids(org, kind), id]);
    }
  }
  return { found, changes, unowned };
};

/** Only its document is left, until it ends: it isn't among the organizations any more. */
const isPruned = (state: AccountState): boolean =>
  state.kind === 'organization' && state.document.pruned_at !== undefined;

/** Checks that Redis has exactly this document, lists it, and finds it by its id. */
const check = async (
  redis: RedisClient,
  keys: AccountKeys,
  state: AccountState,
): Promise<{ isRight: boolean; isOwned: boolean }> => {
  const { kind, id, org, document } = state;
  const [text, score, owner] = await Promise.all([
    redis.get(keys.document(org, kind, id)),
    redis.zscore(keys.ids(org, kind), id),
    kind === 'organization'
      ? redis.sismember(isPruned(state) ? keys.removed : keys.organizations, id)
      : redis.get(keys.orgOf(kind, id)),
  ]);
  const isSame = text !== null && isDeepStrictEqual(JSON.parse(text), JSON.parse(JSON.stringify(document)));
  return { isRight: isSame && score !== null, isOwned: owner === 1 || owner === org };
};
