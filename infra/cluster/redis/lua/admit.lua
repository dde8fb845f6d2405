-- Separates fresh turns from known ones, checks the caps, and either changes nothing or claims and reserves.
local day = day_of(ask.recordedAt)

for _, attempt in ipairs(redis.call('ZRANGEBYSCORE', org .. 'deadlines', '-inf', whole(now), 'LIMIT', 0, 100)) do
  unreserve(attempt)
end

local has_ahead = redis.call('EXISTS', org .. 'ahead') == 1
local ahead_to = tonumber(has_ahead and redis.call('ZSCORE', org .. 'ahead', 'all') or '-inf')
local function was_ahead(timestamp)
  local day = day_of(timestamp)
  return day <= ahead_to or (has_ahead and redis.call('ZSCORE', org .. 'ahead', whole(day)) ~= false)
end

-- Whether a turn without a claim may be a known turn whose claim has expired or was lost.
local function may_be_known(timestamp)
  return now < ask.lookUpUntil or timestamp < now - KEPT_MS or timestamp > now + DAY_MS
    or was_ahead(timestamp)
end

-- Returns the first day on which one of these turns can have been claimed; nil for any. Unless it was noted as dated
-- ahead, a turn was said a day after its claim at most.
local function first_day(claims)
  local first
  for _, turn in ipairs(claims) do
    if turn.timestamp > now or was_ahead(turn.timestamp) then return nil end
    first = math.min(first or turn.timestamp, turn.timestamp)
  end
  return first and day_of(first) - 1
end

-- A fifth of the memory is reserved for writes that drain; one organization may have at most a quarter
-- waiting. While there is much room, Redis is asked for it ten times a second at most.
local ROOMY_BYTES = 256 * 1024 * 1024
local ROOMY_MS = 100
local function most_memory()
  local roomy_at, most_then = tonumber(begun[4] or '0'), tonumber(begun[5] or '0')
  if now >= roomy_at and now < roomy_at + ROOMY_MS then return most_then end
  local info = redis.call('INFO', 'memory')
  local function value_of(name) return tonumber(string.match(info, name .. ':(%d+)') or '0') end
  local most = value_of('maxmemory')
  local room = 0.8 * most - (value_of('used_memory') - value_of('mem_not_counted_for_evict'))
  if most > 0 and room <= 0 then return nil end
  if most == 0 or room > ROOMY_BYTES then redis.call('HSET', meta, 'roomy', whole(now), 'most', whole(most)) end
  return most
end
local function full()
  local most = most_memory()
  if not most then return 'memory' end
  local most_bytes = most > 0 and math.min(ask.mostTailBytes, most / 4) or ask.mostTailBytes
  if waiting_turns >= ask.mostTail or waiting_bytes >= most_bytes then return 'tail' end
end

local ids = {}
for i, turn in ipairs(ask.claims) do ids[i] = turn.id end
read_claims(ids, first_day(ask.claims))

local fresh, inactive, unsure = {}, {}, {}
-- Only tokens billed to this day count against its cap: a turn taken over keeps the day of its first attempt.
local asked, freed = ask.tokensIn, {}
for _, turn in ipairs(ask.claims) do
  local claim = claim_of(turn.id)
  if not claim then
    local indexed = ask.indexed[turn.id]
    if indexed == 'inactive' then
      inactive[#inactive + 1] = turn.id
    elseif not indexed and may_be_known(turn.timestamp) then
      unsure[#unsure + 1] = turn.id
    elseif indexed ~= 'active' then
      local tokens = turn.tokens + (#fresh == 0 and ask.metadataTokens or 0)
      fresh[#fresh + 1] = { id = turn.id, tokens = tokens }
      asked = asked + tokens
    end
  elseif claim[1] == 'P' then
    if tonumber(claim[5]) > now then return { 'wait' } end
    -- Its attempt is overdue by more than an append takes. If it completes after all, the first to remember
    -- wins. The turn keeps the instant and options of that attempt, whose copy may be the first in the log.
    local tokens, held = turn.tokens + (#fresh == 0 and ask.metadataTokens or 0), tonumber(claim[4])
    fresh[#fresh + 1] = {
      id = turn.id, tokens = tokens, least = math.min(tokens, least_of(claim)),
      recordedAt = claim[3], from = claim[2], held = held, options = table.concat(claim, ' ', 7, 9),
    }
    if day_of(claim[3]) == day then
      asked = asked + tokens
      freed[claim[2]] = (freed[claim[2]] or 0) + held
    end
  elseif (claim[1] == 'K' and claim[5] or claim[3]) == '0' then
    inactive[#inactive + 1] = turn.id
  end
end
if #unsure > 0 then return { 'unsure', unsure } end

local counters = redis.call('HMGET', org .. 'd:' .. whole(day), 'in', 'out', 'reserved')
local billed_in, billed_out = tonumber(counters[1] or 0), tonumber(counters[2] or 0)
local used = billed_in + tonumber(counters[3] or 0)
for attempt, tokens in pairs(freed) do
  local held_day, held = held_by(attempt)
  if held_day == day then used = used - math.min(tokens, held) end
end
if ask.capIn > 0 and asked > 0 and used + asked > ask.capIn then
  return { 'refused', 'tokens_in_daily', billed_in }
end
if ask.recall and ask.capOut > 0 and billed_out >= ask.capOut then
  return { 'refused', 'tokens_out_daily', billed_out }
end
local is_full = #fresh > 0 and full()
if is_full then return { 'full', is_full } end

-- Three strings a turn: its id, its tokens, the day of its bucket; of one that was taken over also when it is
-- recorded, and its options.
local admitted = {}
local recorded_now, options_now = whole(ask.recordedAt), table.concat({ ask.active, ask.passive, ask.expiresAt }, ' ')
local ends = whole(now + ask.holdMs)
for _, turn in ipairs(fresh) do
  if turn.from then unreserve(turn.from, turn.held) end
  local tokens = whole(turn.tokens)
  local recorded, options = turn.recordedAt or recorded_now, turn.options or options_now
  local least = turn.least and whole(turn.least) or tokens
  local rest = ask.attempt .. ' ' .. recorded .. ' ' .. tokens .. ' ' .. ends .. ' ' .. least .. ' ' .. options
  local bucket = whole(put_claim(turn.id, 'P', rest))
  admitted[#admitted + 1] = turn.id
  admitted[#admitted + 1] = tokens
  admitted[#admitted + 1] = turn.from and bucket .. ' ' .. recorded .. ' ' .. options or bucket
end
if asked > 0 then
  count(day, 'reserved', asked)
  redis.call('HSET', org .. 'held', ask.attempt, whole(day) .. ' ' .. whole(asked))
  redis.call('ZADD', org .. 'deadlines', whole(now + ask.reserveMs), ask.attempt)
  -- The attempt's process may have died in an organization that never calls again.
  redis.call('PEXPIRE', org .. 'held', whole(KEPT_DAYS * DAY_MS))
  redis.call('PEXPIRE', org .. 'deadlines', whole(KEPT_DAYS * DAY_MS))
end
write_claims()
return { 'admitted', admitted, inactive, ask.recall and not ask.recall.past and tail_of(ask.recall.user) or {} }
