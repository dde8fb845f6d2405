-- The first call for an organization since Redis was rebuilt. ARGV: the epoch, then partitions, each with the next offset
-- that was not settled then: what lies below is billed.
local meta = KEYS[1] .. 'meta'
if redis.call('HGET', meta, 'epoch') == ARGV[1] then return 0 end
redis.call('HSET', meta, 'epoch', ARGV[1])
for i = 2, #ARGV, 2 do redis.call('HSET', meta, 'shown:' .. ARGV[i], ARGV[i + 1]) end
return 1
