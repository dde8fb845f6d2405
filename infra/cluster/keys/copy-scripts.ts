import { redisScript } from '../redis/client.ts';

/** A full Redis must not hold up an erasure, nor the projector that reads one. */
const EVEN_WHEN_FULL = { evenWhenFull: true };

/**
 * The scripts of the copy, over the keys of one user partition, all in one slot of a Redis Cluster: hashes
 *   slots:    session -> ids, the first is the session's key ('': none for now), the others lost a race;
 *   records:  id -> the record's value;
 *   proposed: id -> Unix milliseconds, until the log has acknowledged it;
 *   gone:     ids that were destroyed recently.
 * `holderOf` returns the id and the record of a session's key; none for a key whose wrapping key is
 * destroyed.
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

/** ARGV: seconds, and optionally a session to limit it to. Returns the scope's ids; new events no longer get them. */
export const condemn = redisScript(
  `${HOLDER}
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

/** ARGV: optionally a session to limit it to. Returns the scope's ids. */
export const list = redisScript(`${HOLDER}
  local ids = {}
  local function take(text) for id in string.gmatch(text or '', '[^,]+') do ids[#ids + 1] = id end end
  if ARGV[1] then take(redis.call('HGET', slots, ARGV[1]))
  else for _, text in ipairs(redis.call('HVALS', slots)) do take(text) end end
  return ids`);

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

/** ARGV: session, id, value. Called in log order: the first key is the session's key. */
export const put = redisScript(`${HOLDER}
  local ids = redis.call('HGET', slots, ARGV[1])
  if not ids then
    redis.call('HSET', slots, ARGV[1], ARGV[2])
  elseif not string.find(',' .. ids .. ',', ',' .. ARGV[2] .. ',', 1, true) then
    redis.call('HSET', slots, ARGV[1], ids .. ',' .. ARGV[2])
  end
  redis.call('HSET', records, ARGV[2], ARGV[3])`);
