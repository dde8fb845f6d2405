-- The tail's entries: what the log has and the index may not have yet.

local tail_turns, tail_bytes = 0, 0
local added, listed = {}, {}

-- Writes the turns that were added, and lists their entries.
local function write_tail()
  for user, turns in pairs(added) do
    local tail = org .. 't:' .. user
    local ids = {}
    for i = 1, #turns, 2 do
      ids[#ids + 1] = turns[i]
      tail_bytes = tail_bytes + #turns[i + 1]
    end
    in_parts(ids, function(part)
      -- Nearly always there is none before.
      local before = redis.call('HMGET', tail, unpack(part))
      for i = 1, #part do
        if before[i] then tail_bytes = tail_bytes - #before[i] else tail_turns = tail_turns + 1 end
      end
    end)
    send('HSET', tail, turns)
    redis.call('SADD', org .. 'users', user)
  end
  for partition, entries in pairs(listed) do send('ZADD', org .. 'o:' .. partition, entries) end
  added, listed = {}, {}
end

-- `sealed`: '' for a turn whose key was destroyed before it could be sealed.
local function add_to_tail(turn, sealed)
  local claim = known[turn.id]
  local day = whole(claim and claim.day or today)
  add_to(listed, turn.partition, whole(turn.offset), 'turn ' .. turn.user .. ' ' .. turn.id .. ' ' .. day)
  if sealed and sealed ~= '' then add_to(added, turn.user, turn.id, sealed) end
end

local function drop_from_tail(user, ids)
  local tail = org .. 't:' .. user
  for _, id in ipairs(ids) do tail_bytes = tail_bytes - redis.call('HSTRLEN', tail, id) end
  in_parts(ids, function(part) tail_turns = tail_turns - redis.call('HDEL', tail, unpack(part)) end)
  if redis.call('EXISTS', tail) == 0 then redis.call('SREM', org .. 'users', user) end
end

local function drop_job(id)
  local bytes = redis.call('STRLEN', org .. 'j:' .. id)
  if redis.call('DEL', org .. 'j:' .. id) == 1 then tail_bytes = tail_bytes - bytes end
end

local function add_job(job, sealed)
  if sealed == '' then return end
  if redis.call('SET', org .. 'j:' .. job.id, sealed, 'NX') then tail_bytes = tail_bytes + #sealed end
  add_to(listed, job.partition, whole(job.offset), 'job ' .. job.id)
end

-- The turn is in the log and not settled: its bucket has no expiry, since the projector may be down for long.
local function keep(turn, attempt, day, sealed, least)
  local counted = whole(day) .. ' ' .. whole(turn.tokens)
  local said = turn.active .. ' ' .. whole(turn.timestamp)
  put_claim(turn.id, 'K', attempt .. ' ' .. counted .. ' ' .. said .. ' ' .. whole(least or turn.tokens))
  bill(day, turn.tokens, 0)
  -- An erased turn is added too: when its offset is settled, so is the claim.
  add_to_tail(turn, turn.keyId ~= '' and sealed)
end

-- Ends every script that changes something. Nothing stays of an organization without calls but its dates ahead:
-- the next call begins it again.
local function finish()
  write_bill()
  write_claims()
  write_tail()
  if tail_turns ~= 0 then redis.call('HINCRBY', meta, 'tail', whole(tail_turns)) end
  if tail_bytes ~= 0 then redis.call('HINCRBY', meta, 'bytes', whole(tail_bytes)) end
  if waiting_turns + tail_turns > 0 or waiting_bytes + tail_bytes > 0 then redis.call('PERSIST', meta)
  else redis.call('PEXPIRE', meta, whole(KEPT_MS + SLACK_MS)) end
end
