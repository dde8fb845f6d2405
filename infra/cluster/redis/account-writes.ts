import { randomUUID } from 'node:crypto';
import { endOfDocument, endOfEvent, touchedBy } from '../../../projections/accounts/lifetimes.ts';
import {
  type AccountEvent,
  type AccountKind,
  type AccountState,
  foldAccount,
  type GetDocument,
} from '../../../projections/accounts/projection.ts';
import { unavailable } from '../../../services/core/errors.ts';
import { DAY_MS } from '../../../services/core/time.ts';
import type { AccountKeys } from './account-keys.ts';
import { type RedisClient, redisScript } from './client.ts';

/** An event with the attempt that appended it (the record's header `attempt`), as decoding leaves it. */
export type AppendedAccountEvent = AccountEvent & { attempt?: string | undefined };

/** How much longer than its end a key is kept: no clock of ours is a day off. */
const SLACK_MS = DAY_MS;
/** Life of what ended long ago and is projected again: longer than any request waits for it. */
const SHORTEST_MS = 10_000;
/** Several projectors may have one partition for a moment; in each round one of them succeeds. */
const MOST_ROUNDS = 50;
const ORGANIZATIONS_AT_ONCE = 64;

/**
 * Writes everything that an organization's events change, or nothing if another process has written since the
 * version was read. KEYS: version, strings, sorted sets. ARGV: the version that was read, the new one, Unix
 * milliseconds, how many strings; for each string its value and life, for each set a member and its life.
 * Lives in ms, 0: forever.
 */
const write = redisScript(`
  if (redis.call('GET', KEYS[1]) or '') ~= ARGV[1] then return 0 end
  local now, strings = tonumber(ARGV[3]), tonumber(ARGV[4])
  for i = 2, #KEYS do
    local what, life = ARGV[2 * i + 1], tonumber(ARGV[2 * i + 2])
    if i <= strings + 1 then
      if life == 0 then redis.call('SET', KEYS[i], what) else redis.call('SET', KEYS[i], what, 'PX', life) end
    elseif life == 0 then
      redis.call('ZADD', KEYS[i], '+inf', what)
    else
      redis.call('ZREMRANGEBYSCORE', KEYS[i], '-inf', now)
      redis.call('ZADD', KEYS[i], now + life, what)
      redis.call('PEXPIRE', KEYS[i], life, 'NX')
      redis.call('PEXPIRE', KEYS[i], life, 'GT')
    end
  end
  redis.call('SET', KEYS[1], ARGV[2])
  return 1`);

/** Milliseconds that a key which ends then is kept; 0: forever. */
export const lifeUntil = (end: number | undefined, now: number): number =>
  end === undefined ? 0 : Math.max(Math.ceil(end + SLACK_MS - now), SHORTEST_MS);

const nameOf = (kind: AccountKind, id: string): string => `${kind}/${id}`;

/**
 * The projector's writes. An organization's documents, their lists and the markers of its events change in
 * one script, fenced by a version that every write replaces: of two projectors on the same events the slower
 * one starts over and finds the markers. So each event is folded once, in the log's order, wherever a process
 * dies. What is written before the script, a document's organization, has no effect until the document
 * exists, and is the same when repeated.
 */
export const makeApplyAccounts = (redis: RedisClient, keys: AccountKeys, clock: () => number) => {
  /** What the fold of these events may read. The version is read first, so that it fences everything read after it. */
  const load = async (org: string, events: readonly AppendedAccountEvent[]) => {
    const touched = new Map(events.flatMap(touchedBy).map(each => [nameOf(each.kind, each.id), each]));
    const [version, ...owners] = await Promise.all([
      redis.get(keys.version(org)),
      ...[...touched.values()].map(({ kind, id }) =>
        kind === 'organization' ? id : redis.get(keys.orgOf(kind, id)),
      ),
    ]);
    const orgOf = new Map([...touched.keys()].map((name, at) => [name, owners[at] ?? undefined]));
    const owned = [...touched].filter(([name]) => orgOf.get(name) !== undefined);
    const [markers, ...documents] = await Promise.all([
      redis.mget(events.map(({ id }) => keys.event(org, id))),
      ...owned.map(([name, { kind, id }]) => redis.get(keys.document(orgOf.get(name)!, kind, id))),
    ]);
    const found = new Map<string, unknown>();
    for (const [at, [name]] of owned.entries()) {
      const text = documents[at];
      if (text) found.set(name, JSON.parse(text));
    }
    const known = new Set(events.filter((_, at) => markers[at] !== null).map(({ id }) => id));
    return { version: version ?? '', orgOf, found, known };
  };

  /** One round; false when another process wrote in between. */
  const applyOnce = async (org: string, events: readonly AppendedAccountEvent[]): Promise<boolean> => {
    const { version, orgOf, found, known } = await load(org, events);
    const get = ((kind, id) => found.get(nameOf(kind, id))) as GetDocument;
    const states = new Map<string, AccountState>();
    const fresh: AppendedAccountEvent[] = [];
    for (const event of events) {
      if (known.has(event.id)) continue;
      known.add(event.id);
      fresh.push(event);
      for (const state of foldAccount(get, event)) {
        states.set(nameOf(state.kind, state.id), state);
        found.set(nameOf(state.kind, state.id), state.document);
      }
    }
    if (fresh.length === 0) return true;

    const now = clock();
    const written = [...states].map(([name, state]) => ({
      ...state,
      isNew: orgOf.get(name) === undefined,
      life: lifeUntil(endOfDocument(state), now),
    }));
    const claimed = await Promise.all(
      written.map(async ({ kind, id, isNew, life }) => {
        if (kind === 'organization') return (await redis.sadd(keys.organizations, id)) >= 0;
        if (!isNew) return true;
        const key = keys.orgOf(kind, id);
        // It must outlive the document.
        const set =
          life === 0
            ? await redis.set(key, org, 'NX')
            : await redis.set(key, org, 'PX', life + SHORTEST_MS, 'NX');
        return set === 'OK';
      }),
    );
    if (claimed.includes(false)) return false;

    const strings = [
      ...written.map(({ kind, id, document, life }) => ({
        key: keys.document(org, kind, id),
        value: JSON.stringify(document),
        life,
      })),
      ...fresh.map(event => ({
        key: keys.event(org, event.id),
        value: event.attempt ?? '',
        life: lifeUntil(endOfEvent(event), now),
      })),
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
