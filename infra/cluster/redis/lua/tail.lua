-- The tail of one user, or of all.
local function tail_of(user)
  if user then return redis.call('HVALS', org .. 't:' .. user) end
  local turns = {}
  for _, each in ipairs(redis.call('SMEMBERS', org .. 'users')) do
    for _, turn in ipairs(redis.call('HVALS', org .. 't:' .. each)) do turns[#turns + 1] = turn end
  end
  return turns
end
