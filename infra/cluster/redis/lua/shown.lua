-- The index shows a batch of the log: what was never remembered is billed, the tail lets go. Whatever lies below the
-- shown offset was here before (redelivery, a second projector) and changes nothing.
local function first_copy(event)
  local claim = claim_of(event.id)
  if not claim or claim[1] == 'P' then
    if claim then unreserve(claim[2], event.tokensIn) end
    bill(event.day, event.tokensIn, 0)
    settle(event.id, event.attempt, event.active, event.expires)
  elseif claim[1] == 'K' then
    -- A later copy was remembered first. Whose it is stays; what is billed, and how, the log's first copy says.
    local day, tokens = tonumber(claim[3]), tonumber(claim[4])
    if day ~= event.day or tokens ~= event.tokensIn then
      bill(day, -tokens, 0)
      bill(event.day, event.tokensIn, 0)
    end
    settle(event.id, claim[2], event.active, event.expires)
  end
end

for _, event in ipairs(ask.events) do
  if event.offset >= shown(event.place) then
    if event.active then first_copy(event)
    elseif claim_recall(event.id) then bill(event.day, event.tokensIn, event.tokensOut) end
  end
end

for place, offset in pairs(ask.positions) do
  if offset > shown(place) then
    local range = org .. 'o:' .. place
    local passed = redis.call('ZRANGEBYSCORE', range, '-inf', '(' .. whole(offset))
    for _, member in ipairs(passed) do
      local parts = words(member)
      if parts[1] == 'job' then
        redis.call('DEL', org .. 'j:' .. parts[2])
      else
        drop_from_tail(parts[2], parts[3])
        -- Erased before it was projected: nobody else will give the claim its life.
        local claim = claim_of(parts[3])
        if claim and claim[1] == 'K' then settle(parts[3], claim[2], claim[5], tonumber(claim[6])) end
      end
    end
    redis.call('ZREMRANGEBYSCORE', range, '-inf', '(' .. whole(offset))
    redis.call('HSET', meta, 'shown:' .. place, whole(offset))
  end
end
return { 'ok' }
