-- Returns everything that admission holds of an organization, at one moment. The claims of tail turns contain
-- what they billed.
local counters, partitions = {}, {}
for i, day in ipairs(ask.days) do counters[i] = redis.call('HMGET', org .. 'd:' .. whole(day), 'in', 'out') end
local members_of, bucket_days = {}, {}
for i, partition in ipairs(ask.partitions) do
  members_of[i] = redis.call('ZRANGE', org .. 'o:' .. partition, 0, -1, 'WITHSCORES')
  for at = 1, #members_of[i], 2 do
    local kind, _, turn, bucket = unpack(words(members_of[i][at]))
    if kind == 'turn' then bucket_days[turn] = tonumber(bucket) end
  end
end
read_claims_at(bucket_days)
for i, partition in ipairs(ask.partitions) do
  local entries = {}
  for at = 1, #members_of[i], 2 do
    local kind, id, turn = unpack(words(members_of[i][at]))
    local isTurn = kind == 'turn'
    local held = isTurn and redis.call('HEXISTS', org .. 't:' .. id, turn) or redis.call('EXISTS', org .. 'j:' .. id)
    local text = isTurn and known[turn] and known[turn].text or ''
    entries[#entries + 1] = { isTurn and turn or id, members_of[i][at], members_of[i][at + 1], text, held }
  end
  partitions[i] = { whole(settled_to(partition)), entries }
end
return { 'ok', whole(now), counters, partitions }
