-- Separates fresh turns from known ones, checks the caps, and either changes nothing or claims and reserves.
local day = day_of(ask.recordedAt)

for _, attempt in ipairs(redis.call('ZRANGEBYSCORE', org .. 'deadlines', '-inf', whole(now), 'LIMIT', 0, 100)) do
  unreserve(attempt)
end

local waiting = redis.call('HMGET', meta, 'tail', 'bytes')
local waiting_turns, waiting_bytes = tonumber(waiting[1] or 0), tonumber(waiting[2] or 0)

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

-- A fifth of the memory is reserved for writes that drain; one organization may have at most a quarter
-- waiting.
local function full()
  local info = redis.call('INFO', 'memory')
  local function value_of(name) return tonumber(string.match(info, name .. ':(%d+)') or '0') end
  local most = value_of('maxmemory')
  if most > 0 and value_of('used_memory') - value_of('mem_not_counted_for_evict') >= 0.8 * most then return 'memory' end
  local most_bytes = most > 0 and math.min(ask.mostTailBytes, most / 4) or ask.mostTailBytes
  if waiting_turns >= ask.mostTail or waiting_bytes >= most_bytes then return 'tail' end
end

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
      fresh[#fresh + 1] = {
        id = turn.id, tokens = tokens, least = tokens, recordedAt = whole(ask.recordedAt),
        active = ask.active, passive = ask.passive, expiresAt = ask.expiresAt,
      }
      asked = asked + tokens
    end
  elseif claim[1] == 'P' then
    if tonumber(claim[5]) > now then return { 'wait' } end
    -- Its attempt is overdue by more than an append takes. If it completes after all, the first to remember
    -- wins. The turn keeps the instant and options of that attempt, whose copy may be the first in the log.
    local tokens, held = turn.tokens + (#fresh == 0 and ask.metadataTokens or 0), tonumber(claim[4])
    fresh[#fresh + 1] = {
      id = turn.id, tokens = tokens, least = math.min(tokens, least_of(claim)),
      recordedAt = claim[3], from = claim[2], held = held,
      active = claim[7], passive = claim[8], expiresAt = claim[9],
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

local admitted = {}
for _, turn in ipairs(fresh) do
  if turn.from then unreserve(turn.from, turn.held) end
  local tokens, ends = whole(turn.tokens), whole(now + ask.holdMs)
  local active, passive, expires = turn.active, turn.passive, turn.expiresAt
  local least = whole(turn.least)
  put_claim(turn.id, ask.pendingMs, 'P', ask.attempt, turn.recordedAt, tokens, ends, least, active, passive, expires)
  for _, value in ipairs({ turn.id, turn.recordedAt, tokens, turn.from and '1' or '0', active, passive, expires }) do
    admitted[#admitted + 1] = value
  end
end
if asked > 0 then
  count(day, 'reserved', asked)
  redis.call('HSET', org .. 'held', ask.attempt, whole(day) .. ' ' .. whole(asked))
  redis.call('ZADD', org .. 'deadlines', whole(now + ask.reserveMs), ask.attempt)
  -- The attempt's process may have died in an organization that never calls again.
  redis.call('PEXPIRE', org .. 'held', whole(KEPT_DAYS * DAY_MS))
  redis.call('PEXPIRE', org .. 'deadlines', whole(KEPT_DAYS * DAY_MS))
end
return { 'admitted', admitted, inactive, ask.recall and not ask.recall.past and tail_of(ask.recall.user) or {} }
