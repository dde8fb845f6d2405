-- Begins every script of admission. KEYS[1] is the prefix of all keys of one organization: its hash tag puts
-- them into one slot, so the scripts derive the other keys. KEYS[2] is of no use but for slots that move
-- (admission-scripts.ts). ARGV[1] is the call, as JSON.
--
--   meta           hash: epoch; tail (turns in it); bytes (of turns and jobs in it). Expires when nothing waits
--   ahead          sorted set: the days of turns that were recorded more than a day before them, each by itself; `all`:
--                  every day up to this one. Expires with the last
--   settled        hash: partition -> the next offset that the index has not settled, if it moved in the last days;
--                  otherwise it is the floor of the last rebuild, which the caller passes for its partitions
--   c:ID           a claim, its fields separated by spaces:
--                    P attempt recordedAt tokens deadline least active passive expiresAt
--                                                             pending: being appended to the log
--                    K attempt day tokens active timestamp least
--                                                             kept: in the log, billed to that day
--                    S attempt active                         settled: the projector has seen the log's first copy
--                    R                                        a recall that is billed
--   d:DAY          hash: in, out, reserved (tokens)
--   held           hash: attempt -> `day tokens` that it reserves;  deadlines: sorted set of these attempts
--   t:USER         hash: turn id -> the turn, sealed (sealed-tail.ts);  users: set of the users that have one
--   o:PARTITION    sorted set of the tail's entries by offset: `turn USER ID`, `job ID`
--   j:ID           a job, sealed
--
-- `least`: the lowest number of tokens of all attempts that took the turn over. Their copies may all be in the log, and
-- the first one is billed: an answer reports no more than each of them.
--
-- Days count from 1970; instants are Unix milliseconds. `ask.now` is the service's clock, which decides days; the
-- lives of claims and all deadlines are measured on the server's clock, `now`, which all processes share.
local org = KEYS[1]
local ask = cjson.decode(ARGV[1])
local meta = org .. 'meta'

-- Redis was rebuilt or wiped since the caller read the epoch.
if redis.call('HGET', meta, 'epoch') ~= ask.epoch then return { 'stale' } end

local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)

local DAY_MS = 86400000
-- A kept claim outlasts its client's retries by an hour; an older turn is looked up in the index (DESIGN.md, Claims).
local KEPT_MS = 7 * DAY_MS
local SLACK_MS = 3600000
-- A usage read covers the three latest days; the marker of a billed recall lives longer than that.
local KEPT_DAYS = 5
local RECALL_MS = 5 * DAY_MS

local function whole(number) return string.format('%.0f', number) end

local function words(text)
  local list = {}
  for word in string.gmatch(text, '%S+') do list[#list + 1] = word end
  return list
end

local function day_of(instant) return math.floor(tonumber(instant) / DAY_MS) end

local function claim_of(id)
  local value = redis.call('GET', org .. 'c:' .. id)
  return value and words(value)
end

local function put_claim(id, life, ...)
  local value = table.concat({ ... }, ' ')
  if life then redis.call('SET', org .. 'c:' .. id, value, 'PX', whole(math.max(life, 1)))
  else redis.call('SET', org .. 'c:' .. id, value) end
end

local function least_of(claim) return tonumber(claim[claim[1] == 'P' and 6 or 7]) end

-- Remembers a day ahead until every turn of it is old enough to be looked up anyway. Of more days than these the
-- last one stands for all before it, so what is kept is bounded.
local MOST_AHEAD = 400
local function note_ahead(day, stands_for_all)
  local ahead = org .. 'ahead'
  redis.call('ZREMRANGEBYSCORE', ahead, '-inf', whole(day_of(now - KEPT_MS - SLACK_MS) - 1))
  local is_full = redis.call('ZCARD', ahead) >= MOST_AHEAD and not redis.call('ZSCORE', ahead, whole(day))
  redis.call('ZADD', ahead, 'GT', whole(day), (is_full or stands_for_all) and 'all' or whole(day))
  local last = redis.call('ZREVRANGE', ahead, 0, 0, 'WITHSCORES')
  redis.call('PEXPIRE', ahead, whole((tonumber(last[2]) + 1) * DAY_MS - now + KEPT_MS + SLACK_MS))
end

-- A turn dated ahead is kept as if it were dated at most a day ahead. Later it is looked up, also when its
-- date comes near, so such dates are remembered: by the day, or one turn of the year 9999 would have every turn
-- of its organization looked up from then on.
local function life_of(timestamp)
  local ahead = math.max(timestamp - now, 0)
  if ahead > DAY_MS then note_ahead(day_of(timestamp)) end
  return math.min(ahead, DAY_MS) + KEPT_MS + SLACK_MS
end

local function drop_claim(id) redis.call('DEL', org .. 'c:' .. id) end

-- Returns the next offset of a partition that the index has not settled; everything below is billed. Once
-- `settled` has expired, the days to which anything below was billed are no longer counted here, and nobody
-- remembers so old an append.
local function settled_to(partition)
  local settled = redis.call('HGET', org .. 'settled', partition)
  return math.max(tonumber(settled or '0'), ask.floor[partition])
end

local function set_settled(partition, offset)
  redis.call('HSET', org .. 'settled', partition, whole(offset))
  redis.call('PEXPIRE', org .. 'settled', whole(KEPT_DAYS * DAY_MS))
end

-- Ends every script that changes what waits. Nothing stays of an organization without calls but its dates ahead:
-- the next call begins it again.
local function set_life()
  local held = redis.call('HMGET', meta, 'tail', 'bytes')
  if tonumber(held[1] or '0') > 0 or tonumber(held[2] or '0') > 0 then redis.call('PERSIST', meta)
  else redis.call('PEXPIRE', meta, whole(KEPT_MS + SLACK_MS)) end
end

-- Counts tokens, unless the day is no longer read from here.
local function count(day, field, tokens)
  local left = (day + KEPT_DAYS) * DAY_MS - ask.now
  if tokens == 0 or left <= 0 then return end
  local key = org .. 'd:' .. whole(day)
  redis.call('HINCRBY', key, field, whole(tokens))
  redis.call('PEXPIRE', key, whole(left))
end

local function bill(day, tokens_in, tokens_out)
  count(day, 'in', tokens_in)
  count(day, 'out', tokens_out)
end

local function held_by(attempt)
  local held = redis.call('HGET', org .. 'held', attempt)
  if not held then return 0, 0 end
  local parts = words(held)
  return tonumber(parts[1]), tonumber(parts[2])
end

-- Releases an attempt's reservation, or a part of it.
local function unreserve(attempt, part)
  local day, tokens = held_by(attempt)
  if tokens == 0 then return end
  local freed = part and math.min(part, tokens) or tokens
  if redis.call('EXISTS', org .. 'd:' .. whole(day)) == 1 then count(day, 'reserved', -freed) end
  if freed < tokens then
    redis.call('HSET', org .. 'held', attempt, whole(day) .. ' ' .. whole(tokens - freed))
  else
    redis.call('HDEL', org .. 'held', attempt)
    redis.call('ZREM', org .. 'deadlines', attempt)
  end
end

local function weigh(bytes) redis.call('HINCRBY', meta, 'bytes', whole(bytes)) end

-- `sealed`: '' for a turn whose key was destroyed before it could be sealed.
local function add_to_tail(turn, sealed)
  redis.call('ZADD', org .. 'o:' .. turn.partition, whole(turn.offset), 'turn ' .. turn.user .. ' ' .. turn.id)
  if not sealed or sealed == '' then return end
  local tail = org .. 't:' .. turn.user
  local before = redis.call('HSTRLEN', tail, turn.id)
  redis.call('HSET', tail, turn.id, sealed)
  redis.call('SADD', org .. 'users', turn.user)
  if before == 0 then redis.call('HINCRBY', meta, 'tail', 1) end
  weigh(#sealed - before)
end

local function drop_from_tail(user, id)
  local tail = org .. 't:' .. user
  local bytes = redis.call('HSTRLEN', tail, id)
  if redis.call('HDEL', tail, id) == 1 then
    redis.call('HINCRBY', meta, 'tail', -1)
    weigh(-bytes)
  end
  if redis.call('EXISTS', tail) == 0 then redis.call('SREM', org .. 'users', user) end
end

local function drop_job(id)
  local bytes = redis.call('STRLEN', org .. 'j:' .. id)
  if redis.call('DEL', org .. 'j:' .. id) == 1 then weigh(-bytes) end
end

local function add_job(job, sealed)
  if sealed == '' then return end
  if redis.call('SET', org .. 'j:' .. job.id, sealed, 'NX') then weigh(#sealed) end
  redis.call('ZADD', org .. 'o:' .. job.partition, whole(job.offset), 'job ' .. job.id)
end

-- The turn is in the log and not settled: no expiry, since the projector may be down for long.
local function keep(turn, attempt, day, sealed, least)
  local tokens = whole(turn.tokens)
  put_claim(turn.id, nil, 'K', attempt, whole(day), tokens, turn.active, whole(turn.timestamp), whole(least or turn.tokens))
  bill(day, turn.tokens, 0)
  -- An erased turn is added too: when its offset is settled, the claim gets its expiry.
  add_to_tail(turn, turn.keyId ~= '' and sealed)
end

local function settle(id, attempt, active, timestamp)
  put_claim(id, life_of(timestamp), 'S', attempt, active)
end

-- Returns false if the recall was billed before.
local function claim_recall(id)
  return redis.call('SET', org .. 'c:' .. id, 'R', 'NX', 'PX', whole(RECALL_MS)) ~= false
end
