-- Returns everything that admission holds of an organization, at one moment. The claims of tail turns contain
-- what they billed.
local counters, partitions = {}, {}
for i, day in ipairs(ask.days) do counters[i] = redis.call('HMGET', org .. 'd:' .. whole(day), 'in', 'out') end
for i, partition in ipairs(ask.partitions) do
  local entries = {}
  local members = redis.call('ZRANGE', org .. 'o:' .. partition, 0, -1, 'WITHSCORES')
  for at = 1, #members, 2 do
    local parts = words(members[at])
    local isTurn = parts[1] == 'turn'
    local claim = isTurn and redis.call('GET', org .. 'c:' .. parts[3]) or ''
    local held = isTurn and redis.call('HEXISTS', org .. 't:' .. parts[2], parts[3])
      or redis.call('EXISTS', org .. 'j:' .. parts[2])
    entries[#entries + 1] = { members[at], members[at + 1], claim or '', held }
  end
  partitions[i] = { whole(settled_to(partition)), entries }
end
return { 'ok', whole(now), counters, partitions }
