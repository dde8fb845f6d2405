-- The index has settled a batch of the log: drops it from the tail, and bills events that were never
-- remembered. Events below the settled offset were settled before (redelivery, a second projector) and change
-- nothing.

-- Frees memory first, then writes: in a full Redis, waiting entries must be able to leave.
local settled = {}
for partition, offset in pairs(ask.positions) do
  if offset > settled_to(partition) then
    local members = redis.call('ZRANGEBYSCORE', org .. 'o:' .. partition, '-inf', '(' .. whole(offset))
    settled[partition] = { offset = offset, members = members }
    for _, member in ipairs(members) do
      local parts = words(member)
      if parts[1] == 'job' then drop_job(parts[2]) else drop_from_tail(parts[2], parts[3]) end
    end
    redis.call('ZREMRANGEBYSCORE', org .. 'o:' .. partition, '-inf', '(' .. whole(offset))
  end
end

local function first_copy(event)
  local claim = claim_of(event.id)
  if not claim or claim[1] == 'P' then
    if claim then unreserve(claim[2], tonumber(claim[4])) end
    bill(event.day, event.tokensIn, 0)
    settle(event.id, event.attempt, event.active, event.timestamp)
  elseif claim[1] == 'K' then
    -- A later copy was remembered first. The claim keeps its attempt; day and tokens come from the log's
    -- first copy.
    local day, tokens = tonumber(claim[3]), tonumber(claim[4])
    if day ~= event.day or tokens ~= event.tokensIn then
      bill(day, -tokens, 0)
      bill(event.day, event.tokensIn, 0)
    end
    settle(event.id, claim[2], event.active, event.timestamp)
  end
end

for _, event in ipairs(ask.events) do
  if event.offset >= settled_to(event.partition) then
    if event.active then first_copy(event)
    elseif claim_recall(event.id) then bill(event.day, event.tokensIn, event.tokensOut) end
  end
end

for partition, each in pairs(settled) do
  for _, member in ipairs(each.members) do
    local id = string.match(member, '^turn %S+ (%S+)$')
    -- Erased before it was projected, or in the dead letters: nothing else sets the claim's expiry.
    local claim = id and claim_of(id)
    if claim and claim[1] == 'K' then settle(id, claim[2], claim[5], tonumber(claim[6])) end
  end
  set_settled(partition, each.offset)
end
set_life()
return { 'ok' }
