-- Drops from the tail and the jobs what was sealed under destroyed keys; claims stay, since they hold no
-- text.
local SECONDS = 24 * 60 * 60
for _, id in ipairs(ask.keyIds) do redis.call('SADD', org .. 'erased', id) end
redis.call('EXPIRE', org .. 'erased', SECONDS)
local tail = redis.call('HGETALL', org .. 't:' .. ask.user)
for i = 1, #tail, 2 do
  if is_erased(cjson.decode(tail[i + 1]).keyId) then drop_from_tail(ask.user, tail[i]) end
end
for _, partition in ipairs(ask.partitions) do
  for _, member in ipairs(redis.call('ZRANGE', org .. 'o:' .. partition, 0, -1)) do
    local id = string.match(member, '^job (%S+)$')
    local job = id and redis.call('GET', org .. 'j:' .. id)
    if job and is_erased(cjson.decode(job).keyId) then drop_job(id) end
  end
end
set_life()
return { 'ok' }
