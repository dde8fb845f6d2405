import { randomUUID } from 'node:crypto';
import { unavailable } from '../../../../core/errors.ts';
import {
  type AccountEvent,
  type AccountState,
  foldAccount,
  type GetDocument,
} from '../../../../projections/accounts/accounts-projection.ts';
import {
  CLOCK_SLACK_MS,
  endOfDocument,
  endOfEvent,
  touchedBy,
} from '../../../../projections/accounts/lifetimes.ts';
import { type RedisClient, redisScript } from '../redis-client.ts';
import { type AccountKeys, documentName } from './account-keys.ts';

/** An event with the attempt that appended it, decoded from the record's `attempt` header. */
export type AppendedAccountEvent = AccountEvent & { attempt?: string | undefined };

/** The lifetime of a key that ended long ago and is projected again: longer than any request waits for it. */
const SHORTEST_MS = 10_000;
/** Two projectors may briefly own the same partition; in each round one of them succeeds. */
const MOST_ROUNDS = 50;
const ORGANIZATIONS_AT_ONCE = 64;

/** Decisions in the log, above all revocations, must take effect even when Redis is full. */
const EVEN_WHEN_FULL = { evenWhenFull: true };

/**
 * Writes everything that an organization's events change, or nothing if another process has written since the
 * version was read. KEYS: the version, the strings, the sorted sets. ARGV: the version that was read, the new
 * version, Unix milliseconds, the number of strings; then a value and a lifetime for each string, a member
 * and a lifetime for each set. Lifetimes are in milliseconds; 0 means forever.
 */
const write = redisScript(
  `
  if (redis.call('GET', KEYS[1]) or '') ~= ARGV[1] then return 0 end
  local now, strings = tonumber(ARGV[3]), tonumber(ARGV[4])
  for i = 2, #KEYS do
    local what, life = ARGV[2 * i + 1], tonumber(ARGV[2 * i + 2])
    if i <= strings + 1 then
      if life == 0 then redis.call('SET', KEYS[i], what) else redis.call('SET', KEYS[i], what, 'PX', life) end
    elseif life == 0 then
      redis.call('ZADD', KEYS[i], '+inf', what)
      redis.call('PERSIST', KEYS[i])
    else
      redis.call('ZREMRANGEBYSCORE', KEYS[i], '-inf', now)
      redis.call('ZADD', KEYS[i], now + life, what)
      if redis.call('ZCOUNT', KEYS[i], '+inf', '+inf') == 0 then
        redis.call('PEXPIRE', KEYS[i], life, 'NX')
        redis.call('PEXPIRE', KEYS[i], life, 'GT')
      end
    end
  end
  redis.call('SET', KEYS[1], ARGV[2])
  return 1`,
  EVEN_WHEN_FULL,
);

/** ARGV: a value, its lifetime in milliseconds (0: forever). Null when the key exists. */
const setOnce = redisScript(
  `if ARGV[2] == '0' then return redis.call('SET', KEYS[1], ARGV[1], 'NX') end
  return redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2], 'NX')`,
  EVEN_WHEN_FULL,
);
const add = redisScript(`return redis.call('SADD', KEYS[1], ARGV[1])`, EVEN_WHEN_FULL);

/** Returns how long to keep a key that ends at `end`, in milliseconds; 0 means forever. */
export const lifeUntil = (end: number | undefined, now: number): number =>
  end === undefined ? 0 : Math.max(Math.ceil(end + CLOCK_SLACK_MS - now), SHORTEST_MS);

/**
 * Makes the projector's writes. One script changes an organization's documents, their lists and the markers
 * of its events, fenced by a version that every write replaces: if two projectors have the same events, the
 * slower one starts over and finds the markers. Each event is therefore folded once, in log order, wherever a
 * process dies. Only a document's organization is written before the script; it has no effect until the
 * document exists, and can be written again.
 */
export const makeApplyAccounts = (redis: RedisClient, keys: AccountKeys, clock: () => number) => {
  /** Runs one round; false when another process wrote meanwhile. */
  const applyOnce = async (org: string, events: readonly AppendedAccountEvent[]): Promise<boolean> => {
    const known = await readKnown(redis, keys, org, events);
    const { states, fresh } = foldFresh(known, events);
    if (fresh.length === 0) return true;
    const now = clock();
    const written = states.map(state => ({
      ...state,
      isNew: !known.orgOf.has(documentName(state)),
      life: lifeUntil(endOfDocument(state), now),
    }));
    const claimed = await Promise.all(written.map(document => claimOwner(redis, keys, document)));
    const markers = fresh.map(event => ({
      id: event.id,
      attempt: event.attempt ?? '',
      life: lifeUntil(endOfEvent(event), now),
    }));
    const { version } = known;
    return !claimed.includes(false) && writeAll(redis, keys, org, { version, written, markers, now });
  };

  const applyTo = async (org: string, events: readonly AppendedAccountEvent[]): Promise<void> => {
    for (let round = 0; round < MOST_ROUNDS; round++) if (await applyOnce(org, events)) return;
    throw unavailable('The accounts are being written by others.');
  };

  return async (events: readonly AppendedAccountEvent[]): Promise<void> => {
    const byOrg = [...Map.groupBy(events, event => event.org_id)];
    for (let at = 0; at < byOrg.length; at += ORGANIZATIONS_AT_ONCE) {
      await Promise.all(byOrg.slice(at, at + ORGANIZATIONS_AT_ONCE).map(([org, its]) => applyTo(org, its)));
    }
  };
};

/** The state in Redis that the fold of some events may read. */
interface Known {
  /** '' before the first write. */
  version: string;
  /** By document name: the organization of each document that has one. */
  orgOf: Map<string, string>;
  /** By document name. */
  documents: Map<string, unknown>;
  /** Ids of events that are already folded. */
  folded: ReadonlySet<string>;
}

/** The version is read first, so that it fences everything read after it. */
const readKnown = async (
  redis: RedisClient,
  keys: AccountKeys,
  org: string,
  events: readonly AppendedAccountEvent[],
): Promise<Known> => {
  const touched = [...new Map(events.flatMap(touchedBy).map(each => [documentName(each), each])).values()];
  const [version, ...owners] = await Promise.all([
    redis.get(keys.version(org)),
    ...touched.map(({ kind, id }) => (kind === 'organization' ? id : redis.get(keys.orgOf(kind, id)))),
  ]);
  const owned = touched.flatMap((document, at) => {
    const owner = owners[at];
    return owner ? [{ ...document, owner, name: documentName(document) }] : [];
  });
  const [markers, ...texts] = await Promise.all([
    redis.mget(events.map(({ id }) => keys.event(org, id))),
    ...owned.map(({ owner, kind, id }) => redis.get(keys.document(owner, kind, id))),
  ]);
  return {
    version: version ?? '',
    orgOf: new Map(owned.map(({ name, owner }) => [name, owner])),
    documents: new Map(owned.flatMap(({ name }, at) => (texts[at] ? [[name, JSON.parse(texts[at])]] : []))),
    folded: new Set(events.filter((_, at) => markers[at] !== null).map(({ id }) => id)),
  };
};

/** Returns the events that are not folded yet, and the documents after them. */
const foldFresh = (
  { documents, folded }: Known,
  events: readonly AppendedAccountEvent[],
): { fresh: AppendedAccountEvent[]; states: AccountState[] } => {
  const states = new Map<string, AccountState>();
  const get = ((kind, id) => {
    const name = documentName({ kind, id });
    return states.get(name)?.document ?? documents.get(name);
  }) as GetDocument;
  const fresh = new Map<string, AppendedAccountEvent>();
  for (const event of events) {
    if (folded.has(event.id) || fresh.has(event.id)) continue;
    fresh.set(event.id, event);
    for (const state of foldAccount(get, event)) states.set(documentName(state), state);
  }
  return { fresh: [...fresh.values()], states: [...states.values()] };
};

export type Written = AccountState & {
  /** The document has no organization in Redis yet. */
  isNew: boolean;
  /** Milliseconds; 0: forever. */
  life: number;
};

/** The marker of an event that has been folded. */
export interface WrittenMarker {
  id: string;
  /** The attempt that appended the first event with this id. */
  attempt: string;
  /** Milliseconds; 0: forever. */
  life: number;
}

/** Makes the document findable by its id; returns false if another process was first. */
export const claimOwner = async (
  redis: RedisClient,
  keys: AccountKeys,
  written: Written,
): Promise<boolean> => {
  const { kind, id, org, isNew, life } = written;
  if (written.kind === 'organization') {
    if (written.document.pruned_at === undefined) await add(redis, [keys.organizations], [id]);
    else {
      // One that ended long ago is written for a moment, and listed no more.
      if (life === 0 || life > SHORTEST_MS) await add(redis, [keys.removed], [id]);
      await redis.srem(keys.organizations, id);
    }
    return true;
  }
  if (kind === 'webhook') await add(redis, [keys.withWebhooks], [org]);
  const key = keys.orgOf(kind, id);
  // The document may have gained an expiry.
  if (!isNew && life > 0) await redis.pexpire(key, life + SHORTEST_MS);
  if (!isNew) return true;
  // This key must outlive the document.
  const lasts = life === 0 ? 0 : life + SHORTEST_MS;
  return (await setOnce(redis, [key], [org, lasts])) === 'OK';
};

/** Runs the script; returns false if another process has written since the version was read. */
export const writeAll = async (
  redis: RedisClient,
  keys: AccountKeys,
  org: string,
  {
    version,
    written,
    markers,
    now,
  }: {
    version: string;
    written: readonly Written[];
    markers: readonly WrittenMarker[];
    now: number;
  },
): Promise<boolean> => {
  const strings = [
    ...written.map(({ kind, id, document, life }) => ({
      key: keys.document(org, kind, id),
      value: JSON.stringify(document),
      life,
    })),
    ...markers.map(({ id, attempt, life }) => ({ key: keys.event(org, id), value: attempt, life })),
  ];
  const members = written.map(({ kind, id, life }) => ({ key: keys.ids(org, kind), value: id, life }));
  const all = [...strings, ...members];
  const done = await write(
    redis,
    [keys.version(org), ...all.map(({ key }) => key)],
    [version, randomUUID(), now, strings.length, ...all.flatMap(({ value, life }) => [value, life])],
  );
  return done === 1;
};
