-- Returns the users of the tail, one or all, each with the ids of their turns.
local function tail_of(user)
  local listed = {}
  for _, each in ipairs(user and { user } or redis.call('SMEMBERS', org .. 'users')) do
    local ids = redis.call('HKEYS', org .. 't:' .. each)
    if #ids > 0 then listed[#listed + 1] = { each, ids } end
  end
  return listed
end
