-- Returns a page of a user's entries and of all jobs in a partition's tail: kind, id and sealing key. Uses a
-- cursor, since entries leave meanwhile.
local page = redis.call('ZSCAN', org .. 'o:' .. ask.partition, ask.cursor, 'COUNT', ask.count)
local found = {}
local function add(kind, id, sealed)
  local key_id = sealed and cjson.decode(sealed).keyId
  if key_id then found[#found + 1] = { kind, id, key_id } end
end
for i = 1, #page[2], 2 do
  local parts = words(page[2][i])
  if parts[1] == 'job' then add('job', parts[2], redis.call('GET', org .. 'j:' .. parts[2]))
  elseif parts[2] == ask.user then add('turn', parts[3], redis.call('HGET', org .. 't:' .. ask.user, parts[3])) end
end
return { 'ok', page[1], found }
