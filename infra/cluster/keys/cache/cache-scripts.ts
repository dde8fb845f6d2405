import { redisScript } from '../../redis/redis-client.ts';

/** A full Redis must not block an erasure, nor the projector that reads one. */
const EVEN_WHEN_FULL = { evenWhenFull: true };

/** The offset at the beginning of a cached record. */
const OFFSET = `
  local function offsetIn(value) return tonumber(string.match(value, '^%d+')) end`;

/**
 * KEYS: a scope, its keys, the marks of these keys. ARGV: seconds, the scope's value, its keys' values.
 * Returns 0 and caches nothing if one of the keys was destroyed recently, so an earlier reader can't put it
 * back. A cached record with a later offset stays.
 */
export const keep = redisScript(`${OFFSET}
  local count = #ARGV - 2
  for i = count + 2, #KEYS do
    if redis.call('EXISTS', KEYS[i]) == 1 then return 0 end
  end
  for i = 1, count do
    local held = redis.call('GET', KEYS[i + 1])
    if held and offsetIn(held) > offsetIn(ARGV[i + 2]) then redis.call('EXPIRE', KEYS[i + 1], ARGV[1])
    else redis.call('SET', KEYS[i + 1], ARGV[i + 2], 'EX', ARGV[1]) end
  end
  redis.call('SET', KEYS[1], ARGV[2], 'EX', ARGV[1])
  return 1`);

/** KEYS: a scope, its keys. ARGV: seconds, the scope's value. Renews only what is cached. */
export const renew = redisScript(`
  redis.call('SET', KEYS[1], ARGV[2], 'XX', 'EX', ARGV[1])
  for i = 2, #KEYS do redis.call('EXPIRE', KEYS[i], ARGV[1]) end`);

/**
 * KEYS: marks, and the cached values. ARGV: seconds, the number of marks. Marked keys are not cached again.
 */
export const remove = redisScript(
  `local marks = tonumber(ARGV[2])
  for i = 1, marks do redis.call('SET', KEYS[i], '1', 'EX', ARGV[1]) end
  for i = marks + 1, #KEYS do redis.call('UNLINK', KEYS[i]) end`,
  EVEN_WHEN_FULL,
);

/**
 * KEYS: keys. ARGV: seconds, their values. A key that isn't cached is cached for as long as another process
 * may still hold its former record.
 */
export const replace = redisScript(`${OFFSET}
  for i = 1, #KEYS do
    local held = redis.call('GET', KEYS[i])
    if not held then redis.call('SET', KEYS[i], ARGV[i + 1], 'EX', ARGV[1])
    elseif offsetIn(held) < offsetIn(ARGV[i + 1]) then redis.call('SET', KEYS[i], ARGV[i + 1], 'KEEPTTL') end
  end`);

/** KEYS: the state. Makes every process check its cached keys again. */
export const countDestroyed = redisScript(
  `return redis.call('HINCRBY', KEYS[1], 'destroyed', 1)`,
  EVEN_WHEN_FULL,
);

/** KEYS: the state. ARGV: an id, used if there is none. Returns the id and the number of destructions. */
export const readState = redisScript(
  `redis.call('HSETNX', KEYS[1], 'id', ARGV[1])
  return redis.call('HMGET', KEYS[1], 'id', 'destroyed')`,
  EVEN_WHEN_FULL,
);

/** KEYS: the state. ARGV: its new id. */
export const beginAnew = redisScript(`return redis.call('HSET', KEYS[1], 'id', ARGV[1])`, EVEN_WHEN_FULL);
