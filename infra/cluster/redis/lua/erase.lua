-- The tail and the jobs let go of what was sealed under keys that are gone; claims stay, without a word in them.
local SECONDS = 24 * 60 * 60
for _, id in ipairs(ask.keyIds) do redis.call('SADD', org .. 'erased', id) end
redis.call('EXPIRE', org .. 'erased', SECONDS)
local tail = redis.call('HGETALL', org .. 't:' .. ask.user)
for i = 1, #tail, 2 do
  if is_erased(cjson.decode(tail[i + 1]).keyId) then drop_from_tail(ask.user, tail[i]) end
end
for _, place in ipairs(ask.places) do
  for _, member in ipairs(redis.call('ZRANGE', org .. 'o:' .. place, 0, -1)) do
    local id = string.match(member, '^job (%S+)$')
    local job = id and redis.call('GET', org .. 'j:' .. id)
    if job and is_erased(cjson.decode(job).keyId) then redis.call('DEL', org .. 'j:' .. id) end
  end
end
return { 'ok' }
