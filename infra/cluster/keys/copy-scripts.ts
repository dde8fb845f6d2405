import { redisScript } from '../redis/client.ts';

/** A full Redis must not hold up an erasure, nor the projector that reads one. */
const EVEN_WHEN_FULL = { evenWhenFull: true };

/**
 * The scripts of the copy, over the keys of one user partition, all in one slot of a Redis Cluster: hashes
 *   slots:    session -> ids, the first is the session's key ('': none for now), the others lost a race;
 *   records:  id -> the record's value;
 *   proposed: id -> Unix milliseconds, until the log has acknowledged it;
 *   gone:     ids that were destroyed recently.
 * A session's key is dead with the user's key that wraps it, from the moment that this one is condemned. `holderOf` returns
 * the id and the record of a session's key, and none for a dead one.
 */
const HOLDER = `
  local slots, records, proposed, gone = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
  local function holderOf(session)
    local id = string.match(redis.call('HGET', slots, session) or '', '^[^,]*')
    local value = id ~= '' and redis.call('HGET', records, id)
    if not value then return '', '', '' end
    local under = cjson.decode(value).under
    if under ~= '' and (redis.call('HEXISTS', records, under) == 0 or redis.call('HEXISTS', gone, under) == 1) then
      return '', '', ''
    end
    return id, value, under
  end`;

/**
 * ARGV: the session; JSON of keys to propose; JSON of ids that the log has acknowledged. A proposal is accepted if the
 * scope has no key, and only under the partition's current key.
 */
export const settle = redisScript(`${HOLDER}
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

/** ARGV: an id. Returns its record and the record of the key that wraps it. */
export const read = redisScript(`
  local value = redis.call('HGET', KEYS[1], ARGV[1])
  if not value then return { '', '' } end
  return { value, redis.call('HGET', KEYS[1], cjson.decode(value).under) or '' }`);

/** ARGV: seconds, a session. Returns the ids of its keys; new events no longer get them. */
export const condemn = redisScript(
  `${HOLDER}
  local ids = {}
  local list = redis.call('HGET', slots, ARGV[2]) or ''
  for id in string.gmatch(list, '[^,]+') do
    ids[#ids + 1] = id
    redis.call('HSET', gone, id, 1)
  end
  if list ~= '' and string.sub(list, 1, 1) ~= ',' then redis.call('HSET', slots, ARGV[2], ',' .. list) end
  if #ids > 0 then redis.call('EXPIRE', gone, ARGV[1]) end
  return ids`,
  EVEN_WHEN_FULL,
);

/** `condemn(id)`: new events no longer get this key. */
const CONDEMN = `${HOLDER}
  local function condemn(id)
    local value = redis.call('HGET', records, id)
    if value then
      local session = cjson.decode(value).session
      local list = redis.call('HGET', slots, session) or ''
      if string.match(list, '^[^,]*') == id then redis.call('HSET', slots, session, ',' .. list) end
    end
    redis.call('HSET', gone, id, 1)
    redis.call('EXPIRE', gone, ARGV[1])
  end`;

/** ARGV: seconds, ids. */
export const condemnSome = redisScript(
  `${CONDEMN}
  for i = 2, #ARGV do condemn(ARGV[i]) end`,
  EVEN_WHEN_FULL,
);

/** ARGV: seconds, ids. Condemns those that the log has not acknowledged, so that nobody has used them; returns them. */
export const withdraw = redisScript(
  `${CONDEMN}
  local withdrawn = {}
  for i = 2, #ARGV do
    if redis.call('HEXISTS', proposed, ARGV[i]) == 1 then
      condemn(ARGV[i])
      withdrawn[#withdrawn + 1] = ARGV[i]
    end
  end
  return withdrawn`,
  EVEN_WHEN_FULL,
);

/** KEYS: the copy's state. Makes every process drop its cached keys. */
export const countDestroyed = redisScript(
  `return redis.call('HINCRBY', KEYS[1], 'destroyed', 1)`,
  EVEN_WHEN_FULL,
);

/** ARGV: a session. Returns the ids of its keys. */
export const list = redisScript(`${HOLDER}
  local ids = {}
  for id in string.gmatch(redis.call('HGET', slots, ARGV[1]) or '', '[^,]+') do ids[#ids + 1] = id end
  return ids`);

/**
 * ARGV: seconds, a cursor, how many records to look at, JSON of ids of destroyed users' keys. Returns the next cursor ('0': all
 * were looked at) and the ids of the keys that these wrap.
 */
export const wrappedBy = redisScript(
  `${HOLDER}
  local wrapping = {}
  for _, id in ipairs(cjson.decode(ARGV[4])) do wrapping[id] = true end
  local page = redis.call('HSCAN', records, ARGV[2], 'COUNT', ARGV[3])
  local ids = {}
  for i = 1, #page[2], 2 do
    local id = page[2][i]
    if wrapping[cjson.decode(page[2][i + 1]).under] then
      ids[#ids + 1] = id
      -- Its append may still be under way: whoever makes it then learns that it is destroyed.
      if redis.call('HEXISTS', proposed, id) == 1 then
        redis.call('HSET', gone, id, 1)
        redis.call('EXPIRE', gone, ARGV[1])
      end
    end
  end
  return { page[1], ids }`,
  EVEN_WHEN_FULL,
);

/** KEYS: the marks. ARGV: an owner, ids of the owner's destroyed keys. */
export const mark = redisScript(
  `for i = 2, #ARGV do redis.call('HSET', KEYS[1], ARGV[i], ARGV[1]) end`,
  EVEN_WHEN_FULL,
);

/** ARGV: ids, each followed by its new record. Returns the ids that were to be destroyed, and those that are just missing. */
export const replace = redisScript(
  `${HOLDER}
  local destroyed, missing = {}, {}
  for i = 1, #ARGV, 2 do
    if redis.call('HEXISTS', gone, ARGV[i]) == 1 then
      destroyed[#destroyed + 1] = ARGV[i]
    elseif redis.call('HEXISTS', records, ARGV[i]) == 0 then
      missing[#missing + 1] = ARGV[i]
    else
      redis.call('HSET', records, ARGV[i], ARGV[i + 1])
    end
  end
  return { destroyed, missing }`,
  EVEN_WHEN_FULL,
);

/** ARGV: ids whose tombstones are in the log. */
export const forget = redisScript(
  `${HOLDER}
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
  end`,
  EVEN_WHEN_FULL,
);

/**
 * ARGV: session, id, value of a key that the log has. It becomes the session's key if there is none. Returns 0 for one that
 * was to be destroyed, which stays so: an id is never used again.
 */
export const take = redisScript(
  `${HOLDER}
  if redis.call('HEXISTS', gone, ARGV[2]) == 1 then return 0 end
  local ids = redis.call('HGET', slots, ARGV[1]) or ''
  if not string.find(',' .. ids .. ',', ',' .. ARGV[2] .. ',', 1, true) then
    if holderOf(ARGV[1]) ~= '' then ids = ids .. ',' .. ARGV[2]
    elseif ids == '' or string.sub(ids, 1, 1) == ',' then ids = ARGV[2] .. ids
    else ids = ARGV[2] .. ',' .. ids end
    redis.call('HSET', slots, ARGV[1], ids)
  end
  redis.call('HSET', records, ARGV[2], ARGV[3])
  redis.call('HDEL', proposed, ARGV[2])
  return 1`,
  EVEN_WHEN_FULL,
);

/** KEYS: a pointer. ARGV: its value. */
export const point = redisScript(`return redis.call('SET', KEYS[1], ARGV[1])`, EVEN_WHEN_FULL);

/** KEYS: the copy's state. ARGV: its new id. */
export const complete = redisScript(`return redis.call('HSET', KEYS[1], 'id', ARGV[1])`, EVEN_WHEN_FULL);

/** ARGV: session, id, value. Called in log order: the first key is the session's key. */
export const put = redisScript(
  `${HOLDER}
  local ids = redis.call('HGET', slots, ARGV[1])
  if not ids then
    redis.call('HSET', slots, ARGV[1], ARGV[2])
  elseif not string.find(',' .. ids .. ',', ',' .. ARGV[2] .. ',', 1, true) then
    redis.call('HSET', slots, ARGV[1], ids .. ',' .. ARGV[2])
  end
  redis.call('HSET', records, ARGV[2], ARGV[3])`,
  EVEN_WHEN_FULL,
);
