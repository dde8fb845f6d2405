import { createHash, randomUUID } from 'node:crypto';
import { unavailable } from '../../../services/core/errors.ts';
import { type RedisClient, redisScript } from '../redis/client.ts';
import { keysOf } from '../redis/names.ts';
import { decodeKey, encodeKey, type LoggedKey } from './record.ts';

/** A destroyed key is remembered for so long: longer than any append is under way. */
const GONE_SECONDS = 24 * 60 * 60;

/** A key in Redis. */
export interface HeldKey {
  key: LoggedKey;
  /** Milliseconds since it was proposed, on Redis' clock; undefined once the log has acknowledged it. */
  proposedFor: number | undefined;
}

/** What Redis holds for a session. */
export interface View {
  partition: HeldKey | undefined;
  session: HeldKey | undefined;
  /** What wraps the session's key, where that isn't the partition's key of today. */
  wrapping: HeldKey | undefined;
  /** Of those to be marked durable: destroyed in the meantime. */
  destroyed: string[];
}

/**
 * The copy's keys of one user partition, all in one slot of a Redis Cluster: hashes
 *   slots:    session -> ids, the first is the session's key ('': none for now), the others lost a race;
 *   records:  id -> the record's value;
 *   proposed: id -> Unix milliseconds, until the log has acknowledged it;
 *   gone:     ids that were destroyed lately.
 * `holderOf` gives the id and the record of a session's key. One whose wrapping key is gone opens nothing: it is none.
 */
const HOLDER = `
  local slots, records, proposed, gone = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
  local function holderOf(session)
    local id = string.match(redis.call('HGET', slots, session) or '', '^[^,]*')
    local value = id ~= '' and redis.call('HGET', records, id)
    if not value then return '', '', '' end
    local under = cjson.decode(value).under
    if under ~= '' and redis.call('HEXISTS', records, under) == 0 then return '', '', '' end
    return id, value, under
  end`;

/**
 * ARGV: the session; JSON of keys to propose; JSON of ids that the log has acknowledged. A proposal is taken where the
 * scope has no key, and only under the partition's key of now.
 */
const settle = redisScript(`${HOLDER}
  local time = redis.call('TIME')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
  local destroyed = {}
  for _, id in ipairs(cjson.decode(ARGV[3])) do
    if redis.call('HEXISTS', gone, id) == 1 then
      destroyed[#destroyed + 1] = id
    elseif redis.call('HEXISTS', records, id) == 1 then
      redis.call('HDEL', proposed, id)
    end
  end
  for _, each in ipairs(cjson.decode(ARGV[2])) do
    if holderOf(each.session) == '' and (each.under == '' or each.under == holderOf('')) then
      local others = redis.call('HGET', slots, each.session) or ''
      if others ~= '' and string.sub(others, 1, 1) ~= ',' then others = ',' .. others end
      redis.call('HSET', slots, each.session, each.keyId .. others)
      redis.call('HSET', records, each.keyId, each.value)
      redis.call('HSET', proposed, each.keyId, now)
    end
  end
  local function age(id)
    local since = redis.call('HGET', proposed, id)
    return since and math.max(0, now - since) or -1
  end
  local partition, partitionValue = holderOf('')
  local session, sessionValue, under = holderOf(ARGV[1])
  local wrapping = ''
  if under ~= '' and under ~= partition then wrapping = redis.call('HGET', records, under) end
  return { partitionValue, age(partition), sessionValue, age(session), wrapping, age(under), destroyed }`);

/** ARGV: an id. The record and that of what wraps it. */
const read = redisScript(`
  local value = redis.call('HGET', KEYS[1], ARGV[1])
  if not value then return { '', '' } end
  return { value, redis.call('HGET', KEYS[1], cjson.decode(value).under) or '' }`);

/** ARGV: seconds, and the session where it is one. Its ids; from now on nobody is given them for new events. */
const condemn = redisScript(`${HOLDER}
  local ids = {}
  local function take(session, list)
    for id in string.gmatch(list, '[^,]+') do
      ids[#ids + 1] = id
      redis.call('HSET', gone, id, 1)
    end
    if list ~= '' and string.sub(list, 1, 1) ~= ',' then redis.call('HSET', slots, session, ',' .. list) end
  end
  if ARGV[2] then
    take(ARGV[2], redis.call('HGET', slots, ARGV[2]) or '')
  else
    local all = redis.call('HGETALL', slots)
    for i = 1, #all, 2 do take(all[i], all[i + 1]) end
  end
  if #ids > 0 then redis.call('EXPIRE', gone, ARGV[1]) end
  return ids`);

/** ARGV: seconds, ids. From now on nobody is given one of them for new events. */
const condemnSome = redisScript(`${HOLDER}
  for i = 2, #ARGV do
    local id = ARGV[i]
    local value = redis.call('HGET', records, id)
    if value then
      local session = cjson.decode(value).session
      local list = redis.call('HGET', slots, session) or ''
      if string.match(list, '^[^,]*') == id then redis.call('HSET', slots, session, ',' .. list) end
    end
    redis.call('HSET', gone, id, 1)
  end
  redis.call('EXPIRE', gone, ARGV[1])`);

/** ARGV: the session where it is one. */
const list = redisScript(`${HOLDER}
  local ids = {}
  local function take(text) for id in string.gmatch(text or '', '[^,]+') do ids[#ids + 1] = id end end
  if ARGV[1] then take(redis.call('HGET', slots, ARGV[1]))
  else for _, text in ipairs(redis.call('HVALS', slots)) do take(text) end end
  return ids`);

/** ARGV: ids, whose tombstones the log has. */
const forget = redisScript(`${HOLDER}
  for _, id in ipairs(ARGV) do
    local value = redis.call('HGET', records, id)
    if value then
      local session = cjson.decode(value).session
      local left, first = '', true
      for other in string.gmatch((redis.call('HGET', slots, session) or '') .. ',', '([^,]*),') do
        if first then left, first = (other == id and '' or other), false
        elseif other ~= id then left = left .. ',' .. other end
      end
      if left == '' then redis.call('HDEL', slots, session) else redis.call('HSET', slots, session, left) end
    end
    redis.call('HDEL', records, id)
    redis.call('HDEL', proposed, id)
  end`);

/** ARGV: session, id, value. As the log has them, one after the other: the first is the session's key. */
const put = redisScript(`${HOLDER}
  local ids = redis.call('HGET', slots, ARGV[1])
  if not ids then
    redis.call('HSET', slots, ARGV[1], ARGV[2])
  elseif not string.find(',' .. ids .. ',', ',' .. ARGV[2] .. ',', 1, true) then
    redis.call('HSET', slots, ARGV[1], ids .. ',' .. ARGV[2])
  end
  redis.call('HSET', records, ARGV[2], ARGV[3])`);

/** Where the copy stands: another `id` after it was made anew, another `destroyed` after keys were. */
export interface CopyState {
  id: string;
  destroyed: string;
}

export type KeyCopy = ReturnType<typeof openKeyCopy>;

/** The copy of the topic `keys` in Redis: what it holds and each step that changes it. Nothing is decided here. */
export const openKeyCopy = (redis: RedisClient, namespace: string) => {
  const shared = `${keysOf(namespace)}sealing:`;
  const state = `${shared}copy`;
  /** Hides whose key it is from whoever sees an id: ids point to it, and it tells nothing. */
  const tagOf = (owner: string): string =>
    createHash('sha256').update(owner).digest('base64url').slice(0, 22);
  const pointer = (keyId: string): string => `${shared}owner:${keyId}`;
  const hashes = (tag: string): string[] =>
    ['slots', 'records', 'proposed', 'gone'].map(name => `${shared}{${tag}}:${name}`);

  const held = (value: string, age: number): HeldKey | undefined =>
    value === '' ? undefined : { key: decodeKey(value), proposedFor: age < 0 ? undefined : age };

  return {
    /** Throws `unavailable` while the copy isn't whole: what it lacks proves nothing then. */
    state: async (): Promise<CopyState> => {
      const [id, destroyed] = await redis.hmget(state, 'id', 'destroyed');
      if (!id) throw unavailable('The sealing keys are being read from the log.', undefined, 2);
      return { id, destroyed: destroyed ?? '' };
    },
    settle: async (
      owner: string,
      session: string,
      proposals: readonly LoggedKey[],
      durable: readonly string[],
    ): Promise<View> => {
      const proposed = proposals.map(key => ({
        session: key.session,
        keyId: key.keyId,
        under: key.under,
        value: encodeKey(key),
      }));
      const values = [session, JSON.stringify(proposed), JSON.stringify(durable)];
      const found = await settle(redis, hashes(tagOf(owner)), values);
      const [partition, age, own, ownAge, wrapping, wrappingAge, destroyed] = found as [
        string,
        number,
        string,
        number,
        string,
        number,
        string[],
      ];
      return {
        partition: held(partition, age),
        session: held(own, ownAge),
        wrapping: held(wrapping, wrappingAge),
        destroyed,
      };
    },
    /** Lets the key be found by its id. Before it is used, so that nobody meets an id that leads nowhere. */
    point: async ({ keyId, owner }: LoggedKey): Promise<void> => {
      await redis.set(pointer(keyId), tagOf(owner));
    },
    read: async (keyId: string): Promise<{ key: LoggedKey; wrapping: LoggedKey | undefined } | undefined> => {
      const tag = await redis.get(pointer(keyId));
      if (tag === null) return undefined;
      const [value, wrapping] = (await read(redis, [hashes(tag)[1]!], [keyId])) as [string, string];
      if (value === '') return undefined;
      return { key: decodeKey(value), wrapping: wrapping === '' ? undefined : decodeKey(wrapping) };
    },
    /** Ids of a scope, proposals and losers of races too. Nobody is given one of them any more. */
    condemn: async (owner: string, session: string | undefined): Promise<string[]> => {
      const values = session === undefined ? [GONE_SECONDS] : [GONE_SECONDS, session];
      const ids = (await condemn(redis, hashes(tagOf(owner)), values)) as string[];
      // Every process drops what it holds of them, whether we live to see it or not.
      await redis.hincrby(state, 'destroyed', '1');
      return ids;
    },
    /** The same of keys that an erasure names. */
    condemnIds: async (owner: string, ids: readonly string[]): Promise<void> => {
      await condemnSome(redis, hashes(tagOf(owner)), [GONE_SECONDS, ...ids]);
      await redis.hincrby(state, 'destroyed', '1');
    },
    /** Of a scope, proposals and losers of races too. */
    idsOf: async (owner: string, session: string | undefined): Promise<string[]> =>
      (await list(redis, hashes(tagOf(owner)), session === undefined ? [] : [session])) as string[],
    /** What the log has destroyed. */
    forget: async (owner: string, ids: readonly string[]): Promise<void> => {
      await forget(redis, hashes(tagOf(owner)), ids);
      await Promise.all(ids.map(id => redis.unlink(pointer(id))));
      await redis.hincrby(state, 'destroyed', '1');
    },
    /** From now on the copy isn't whole. */
    begin: async (): Promise<void> => {
      await redis.hdel(state, 'id');
    },
    put: async (key: LoggedKey): Promise<void> => {
      await Promise.all([
        put(redis, hashes(tagOf(key.owner)), [key.session, key.keyId, encodeKey(key)]),
        redis.set(pointer(key.keyId), tagOf(key.owner)),
      ]);
    },
    finish: async (): Promise<void> => {
      await redis.hset(state, 'id', randomUUID());
    },
  };
};
