import { redisScript } from '../../redis/client.ts';

/** A full Redis must not hold up an erasure, nor the projector that reads one. */
const EVEN_WHEN_FULL = { evenWhenFull: true };

/** The offset that a cached record begins with. */
const OFFSET = `
  local function offsetIn(value) return tonumber(string.match(value, '^%d+')) end`;

/**
 * KEYS: a scope, its keys, the marks of these keys. ARGV: seconds, the scope's value, its keys' values. 0, and nothing is cached,
 * if one of the keys was destroyed of late: whoever read it before can't put it back. A cached record stays where it is later.
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

/** KEYS: a scope, its keys. ARGV: seconds, the scope's value. What is not there stays so. */
export const renew = redisScript(`
  redis.call('SET', KEYS[1], ARGV[2], 'XX', 'EX', ARGV[1])
  for i = 2, #KEYS do redis.call('EXPIRE', KEYS[i], ARGV[1]) end`);

/** KEYS: marks, and what is cached. ARGV: seconds, how many marks. Whatever is marked is not cached again. */
export const remove = redisScript(
  `local marks = tonumber(ARGV[2])
  for i = 1, marks do redis.call('SET', KEYS[i], '1', 'EX', ARGV[1]) end
  for i = marks + 1, #KEYS do redis.call('UNLINK', KEYS[i]) end`,
  EVEN_WHEN_FULL,
);

/**
 * KEYS: keys. ARGV: seconds, their values. What isn't cached is, for as long as somebody may still have the former record in his
 * hands.
 */
export const replace = redisScript(`${OFFSET}
  for i = 1, #KEYS do
    local held = redis.call('GET', KEYS[i])
    if not held then redis.call('SET', KEYS[i], ARGV[i + 1], 'EX', ARGV[1])
    elseif offsetIn(held) < offsetIn(ARGV[i + 1]) then redis.call('SET', KEYS[i], ARGV[i + 1], 'KEEPTTL') end
  end`);

/** KEYS: the state. Makes every process look at its cached keys again. */
export const countDestroyed = redisScript(
  `return redis.call('HINCRBY', KEYS[1], 'destroyed', 1)`,
  EVEN_WHEN_FULL,
);

/** KEYS: the state. ARGV: an id, for when there is none. Returns the id and how many destructions were counted. */
export const readState = redisScript(
  `redis.call('HSETNX', KEYS[1], 'id', ARGV[1])
  return redis.call('HMGET', KEYS[1], 'id', 'destroyed')`,
  EVEN_WHEN_FULL,
);

/** KEYS: the state. ARGV: its new id. */
export const beginAnew = redisScript(`return redis.call('HSET', KEYS[1], 'id', ARGV[1])`, EVEN_WHEN_FULL);
