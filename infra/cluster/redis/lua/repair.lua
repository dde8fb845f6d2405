-- Repairs the errors that a survey found. Counters change by their error at the survey, so tokens billed
-- since are kept.
local repaired = 0
for _, off in ipairs(ask.counters) do
  count(off.day, 'in', off.tokensIn)
  count(off.day, 'out', off.tokensOut)
  repaired = repaired + 1
end

-- Entries that are settled, or that the log does not have at their offset.
local removed = 0
for _, entry in ipairs(ask.foreign) do
  local parts = words(entry.member)
  if redis.call('ZREM', org .. 'o:' .. entry.partition, entry.member) == 1 then
    removed = removed + 1
    if parts[1] == 'job' then drop_job(parts[2]) else drop_from_tail(parts[2], { parts[3] }) end
  end
end

-- ARGV[2..]: missing entries, sealed. Skips entries settled meanwhile, and those not remembered yet, which
-- `remember` will add.
local turns_of_missing = {}
for i, entry in ipairs(ask.missing) do turns_of_missing[i] = entry.kind == 'job' and entry.turn or entry.id end
read_claims(turns_of_missing)
for i, entry in ipairs(ask.missing) do
  local isJob = entry.kind == 'job'
  local claim = claim_of(isJob and entry.turn or entry.id)
  local held = isJob and redis.call('EXISTS', org .. 'j:' .. entry.id)
    or not isJob and redis.call('HEXISTS', org .. 't:' .. entry.user, entry.id)
  if held == 0 and claim and claim[1] == 'K' and entry.offset >= settled_to(entry.partition) then
    if isJob then add_job(entry, ARGV[i + 1]) else add_to_tail(entry, ARGV[i + 1]) end
    repaired = repaired + 1
  end
end

write_tail()

local turns, bytes = 0, 0
for _, partition in ipairs(ask.partitions) do
  for _, member in ipairs(redis.call('ZRANGE', org .. 'o:' .. partition, 0, -1)) do
    local parts = words(member)
    if parts[1] == 'turn' then
      turns = turns + redis.call('HEXISTS', org .. 't:' .. parts[2], parts[3])
      bytes = bytes + redis.call('HSTRLEN', org .. 't:' .. parts[2], parts[3])
    else
      bytes = bytes + redis.call('STRLEN', org .. 'j:' .. parts[2])
    end
  end
end
local error_turns = turns - (waiting_turns + tail_turns)
local error_bytes = bytes - (waiting_bytes + tail_bytes)
if error_turns ~= 0 or error_bytes ~= 0 then
  tail_turns, tail_bytes = tail_turns + error_turns, tail_bytes + error_bytes
  repaired = repaired + 1
end
finish()
return { 'ok', whole(repaired), whole(removed) }
