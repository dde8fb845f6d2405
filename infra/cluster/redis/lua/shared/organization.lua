-- Begins every script of admission. KEYS[1] is the prefix of all keys of one organization: its hash tag puts
-- them into one slot, so the scripts derive the other keys. KEYS[2] is of no use but for slots that move
-- (admission-scripts.ts). ARGV[1] is the call, as JSON.
--
--   meta           hash: epoch; tail (turns in it); bytes (of turns and jobs in it); roomy, most (full, in admit.lua).
--                  Expires when nothing waits
--   ahead          sorted set: the days of turns that were recorded more than a day before them, each by itself; `all`:
--                  every day up to this one. Expires with the last
--   settled        hash: partition -> the next offset that the index has not settled, if it moved in the last days;
--                  otherwise it is the floor of the last rebuild, which the caller passes for its partitions
--   c:DAY          hash, a bucket: turn id -> the claim that was first made on that day of the server's clock, its
--                  fields separated by spaces (claims.lua):
--                    P attempt recordedAt tokens deadline least active passive expiresAt
--                                                             pending: being appended to the log
--                    K attempt day tokens active timestamp least
--                                                             kept: in the log, billed to that day
--                    S attempt active                         settled: the projector has seen the log's first copy
--   days           hash: the day of a bucket -> `kept ends`: its kept claims, and when the rest of it is of no use
--   r:ID           a recall that is billed
--   d:DAY          hash: in, out, reserved (tokens)
--   held           hash: attempt -> `day tokens` that it reserves;  deadlines: sorted set of these attempts
--   t:USER         hash: turn id -> the turn, sealed (sealed-tail.ts);  users: set of the users that have one
--   o:PARTITION    sorted set of the tail's entries by offset: `turn USER ID BUCKET`, `job ID`
--   j:ID           a job, sealed
--
-- `least`: the lowest number of tokens of all attempts that took the turn over. Their copies may all be in the log, and
-- the first one is billed: an answer reports no more than each of them.
--
-- Days count from 1970; instants are Unix milliseconds. `ask.now` is the service's clock, which decides days; buckets,
-- the lives of claims and all deadlines are measured on the server's clock, `now`, which all processes share.
--
-- Turns that share what a record says come as one entry: see `expand`.
--
-- A script reads first, changes what it holds, and writes each key once at its end: see `finish`.
local org = KEYS[1]
local ask = cjson.decode(ARGV[1])
local meta = org .. 'meta'

local begun = redis.call('HMGET', meta, 'epoch', 'tail', 'bytes', 'roomy', 'most')
-- Redis was rebuilt or wiped since the caller read the epoch.
if begun[1] ~= ask.epoch then return { 'stale' } end
local waiting_turns, waiting_bytes = tonumber(begun[2] or '0'), tonumber(begun[3] or '0')

local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)

local DAY_MS = 86400000
-- A kept claim outlasts its client's retries by an hour; an older turn is looked up in the index (DESIGN.md, Claims).
local KEPT_MS = 7 * DAY_MS
local SLACK_MS = 3600000
-- A usage read covers the three latest days; the marker of a billed recall lives longer than that.
local KEPT_DAYS = 5
local RECALL_MS = 5 * DAY_MS
-- Arguments of one command: Lua has room for some thousands.
local MOST_ARGUMENTS = 1000

local function whole(number) return string.format('%d', number) end

-- Returns the words of a text, nine at most, and '' for each that it lacks.
local NINE_WORDS = '^(%S+)' .. string.rep(' ?(%S*)', 8)
local function words(text) return { string.match(text, NINE_WORDS) } end

local function day_of(instant) return math.floor(tonumber(instant) / DAY_MS) end

-- Calls `use` with the list in parts that fit into one command.
local function in_parts(list, use)
  for from = 1, #list, MOST_ARGUMENTS do
    local part = {}
    for at = from, math.min(from + MOST_ARGUMENTS - 1, #list) do part[#part + 1] = list[at] end
    use(part)
  end
end

-- Sends a command with all of the list, in as many calls as it takes.
local function send(command, key, list)
  in_parts(list, function(part) redis.call(command, key, unpack(part)) end)
end

-- Adds to the list of a name in a table of lists: one value, or two that belong together.
local function add_to(lists, name, value, second)
  local list = lists[name]
  if not list then
    list = {}
    lists[name] = list
  end
  list[#list + 1] = value
  if second then list[#list + 1] = second end
end

-- Returns the turns of entries that have the fields of several: each has them and its own.
local function expand(entries)
  local all = {}
  for _, entry in ipairs(entries) do
    if entry.each then
      local shared = { __index = entry }
      for _, own in ipairs(entry.each) do
        all[#all + 1] = setmetatable({ id = own[1], tokens = own[2], timestamp = own[3] }, shared)
      end
    else
      all[#all + 1] = entry
    end
  end
  return all
end

-- Returns the next offset of a partition that the index has not settled; everything below is billed. Once
-- `settled` has expired, the days to which anything below was billed are no longer counted here, and nobody
-- remembers so old an append.
local offsets = {}
local function settled_to(partition)
  if not offsets[partition] then
    local settled = redis.call('HGET', org .. 'settled', partition)
    offsets[partition] = math.max(tonumber(settled or '0'), ask.floor[partition])
  end
  return offsets[partition]
end

local function set_settled(partition, offset)
  offsets[partition] = math.max(offset, ask.floor[partition])
  redis.call('HSET', org .. 'settled', partition, whole(offset))
  redis.call('PEXPIRE', org .. 'settled', whole(KEPT_DAYS * DAY_MS))
end

-- Counts tokens, unless the day is no longer read from here.
local function count(day, field, tokens)
  local left = (day + KEPT_DAYS) * DAY_MS - ask.now
  if tokens == 0 or left <= 0 then return end
  local key = org .. 'd:' .. whole(day)
  -- A new key has a new field, and keeps the expiry that it gets.
  if redis.call('HINCRBY', key, field, whole(tokens)) == tokens then redis.call('PEXPIRE', key, whole(left)) end
end

local billed = {}
local function bill(day, tokens_in, tokens_out)
  local sum = billed[day] or { 0, 0 }
  billed[day] = { sum[1] + tokens_in, sum[2] + tokens_out }
end

local function write_bill()
  for day, sum in pairs(billed) do
    count(day, 'in', sum[1])
    count(day, 'out', sum[2])
  end
  billed = {}
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

-- Returns false if the recall was billed before.
local function claim_recall(id)
  return redis.call('SET', org .. 'r:' .. id, 'R', 'NX', 'PX', whole(RECALL_MS)) ~= false
end
