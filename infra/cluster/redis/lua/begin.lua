-- The first call for an organization since Redis was rebuilt, or since its keys expired. ARGV: the epoch, and the
-- milliseconds for which an organization without calls is remembered.
local meta = KEYS[1] .. 'meta'
if redis.call('HGET', meta, 'epoch') == ARGV[1] then return 0 end
redis.call('HSET', meta, 'epoch', ARGV[1])
redis.call('PEXPIRE', meta, ARGV[2])
return 1
