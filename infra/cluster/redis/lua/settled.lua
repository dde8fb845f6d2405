-- The index has settled a batch of the log: drops it from the tail, and bills events that were never
-- remembered. Events below the settled offset were settled before (redelivery, a second projector) and change
-- nothing.

-- Frees memory first, then writes: in a full Redis, waiting entries must be able to leave.
local events, settled, bucket_days, leaving = expand(ask.events), {}, {}, {}
for _, event in ipairs(events) do
  if event.active and event.offset >= settled_to(event.partition) then bucket_days[event.id] = false end
end
for partition, offset in pairs(ask.positions) do
  if offset > settled_to(partition) then
    local members = redis.call('ZRANGEBYSCORE', org .. 'o:' .. partition, '-inf', '(' .. whole(offset))
    local turns = {}
    for _, member in ipairs(members) do
      local kind, id, turn, bucket = unpack(words(member))
      if kind == 'job' then drop_job(id)
      else
        add_to(leaving, id, turn)
        turns[#turns + 1] = turn
        bucket_days[turn] = tonumber(bucket)
      end
    end
    settled[partition] = { offset = offset, turns = turns }
    if #members > 0 then redis.call('ZREMRANGEBYSCORE', org .. 'o:' .. partition, '-inf', '(' .. whole(offset)) end
  end
end
for user, ids in pairs(leaving) do drop_from_tail(user, ids) end
read_claims_at(bucket_days)

local function first_copy(event)
  local claim = claim_of(event.id)
  if not claim or claim[1] == 'P' then
    if claim then unreserve(claim[2], tonumber(claim[4])) end
    bill(event.day, event.tokens, 0)
    settle(event.id, event.attempt, event.active, event.timestamp)
  elseif claim[1] == 'K' then
    -- A later copy was remembered first. The claim keeps its attempt; day and tokens come from the log's
    -- first copy.
    local day, tokens = tonumber(claim[3]), tonumber(claim[4])
    if day ~= event.day or tokens ~= event.tokens then
      bill(day, -tokens, 0)
      bill(event.day, event.tokens, 0)
    end
    settle(event.id, claim[2], event.active, event.timestamp)
  end
end

for _, event in ipairs(events) do
  if event.offset >= settled_to(event.partition) then
    if event.active then first_copy(event)
    elseif claim_recall(event.id) then bill(event.day, event.tokensIn, event.tokensOut) end
  end
end

for partition, each in pairs(settled) do
  for _, id in ipairs(each.turns) do
    -- Erased before it was projected, or in the dead letters: nothing else settles the claim.
    local claim = claim_of(id)
    if claim and claim[1] == 'K' then settle(id, claim[2], claim[5], tonumber(claim[6])) end
  end
  set_settled(partition, each.offset)
end
finish()
return { 'ok' }
