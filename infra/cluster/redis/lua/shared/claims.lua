-- The claims of turns. Each is in the bucket of the server's day on which it was first made, so that one command
-- reads or writes all claims of a call, and a whole bucket goes at once. `days` names all buckets there are: a clock
-- that jumps loses none.

-- A claim is of use until its turn is old enough to be looked up in the index: that is a turn dated up to a day ahead.
local BUCKET_MS = DAY_MS + KEPT_MS + SLACK_MS
-- Buckets are unlinked by a script, which takes no time; Redis itself would free a large one in one go. It does only
-- where an organization makes no call for a day.
local LEFT_OVER_MS = DAY_MS

local today = day_of(now)
local function bucket_of(day) return org .. 'c:' .. whole(day) end

-- By day, for those that exist: the number of kept claims, and when the others are of no use.
local buckets
local function all_buckets()
  if buckets then return buckets end
  buckets = {}
  local flat = redis.call('HGETALL', org .. 'days')
  for i = 1, #flat, 2 do
    local parts = words(flat[i + 1])
    buckets[tonumber(flat[i])] = { kept = tonumber(parts[1]), ends = tonumber(parts[2]) }
  end
  return buckets
end

-- By turn id, the claims that this script has read or changed: the text, the day of the bucket and, once they are
-- asked for (claim_of), the words; false: none.
local known = {}
local written, dropped, kept_more = {}, {}, {}

local PENDING, KEPT = string.byte('PK', 1, 2)
local function is_kept(claim) return string.byte(claim.text) == KEPT end

-- A pending claim outlasts every process that knows of it: then it counts for nothing.
local DEADLINE = '^P %S+ %S+ %S+ (%d+)'
local function is_forgotten(text)
  return string.byte(text) == PENDING and tonumber(string.match(text, DEADLINE)) + SLACK_MS < now
end

-- Reads claims from a bucket; returns the ids that have none there.
local function read_bucket(day, ids)
  local missing = {}
  in_parts(ids, function(part)
    local found = redis.call('HMGET', bucket_of(day), unpack(part))
    for i, id in ipairs(part) do
      local text = found[i]
      if text and not is_forgotten(text) then
        known[id] = { text = text, day = day }
      else
        missing[#missing + 1] = id
      end
    end
  end)
  return missing
end

-- Reads the claims of these ids from the buckets since a day, and from all in which something is kept: a projector may
-- stand still for long. Without a day, from all.
local function read_claims(ids, since)
  local missing = {}
  for _, id in ipairs(ids) do
    if known[id] == nil then missing[#missing + 1] = id end
  end
  if #missing == 0 then return end
  local days = {}
  for day, bucket in pairs(all_buckets()) do
    if not since or day >= since or bucket.kept > 0 then days[#days + 1] = day end
  end
  table.sort(days, function(a, b) return a > b end)
  for _, day in ipairs(days) do
    if #missing == 0 then break end
    missing = read_bucket(day, missing)
  end
  for _, id in ipairs(missing) do known[id] = false end
end

-- Reads claims of which it is known in which bucket they were; the rest is looked for in all. `day_by_id`: its day,
-- or false.
local function read_claims_at(day_by_id)
  local ids, by_day = {}, {}
  for id, day in pairs(day_by_id) do
    if known[id] == nil then
      ids[#ids + 1] = id
      if day then add_to(by_day, day, id) end
    end
  end
  for day, those in pairs(by_day) do read_bucket(day, those) end
  read_claims(ids)
end

local function claim_of(id)
  if known[id] == nil then read_claims({ id }) end
  local claim = known[id]
  if claim and not claim[1] then
    local parsed = words(claim.text)
    parsed.text, parsed.day = claim.text, claim.day
    known[id] = parsed
    return parsed
  end
  return claim
end

-- `rest`: the fields behind the state.
local function put_claim(id, state, rest)
  local before = known[id]
  local day = before and before.day or today
  local text = state .. ' ' .. rest
  known[id] = { text = text, day = day }
  add_to(written, day, id, text)
  local more = (state == 'K' and 1 or 0) - (before and is_kept(before) and 1 or 0)
  kept_more[day] = (kept_more[day] or 0) + more
  return day
end

-- Drops a claim that is pending: no other is ever dropped.
local function drop_claim(id)
  add_to(dropped, claim_of(id).day, id)
  known[id] = false
end

local function least_of(claim) return tonumber(claim[claim[1] == 'P' and 6 or 7]) end

local function write_claims()
  for day, ids in pairs(dropped) do send('HDEL', bucket_of(day), ids) end
  local changed, is_any_kept, last = {}, false, 0
  for day, pairs_of_it in pairs(written) do
    send('HSET', bucket_of(day), pairs_of_it)
    local before = all_buckets()[day] or { kept = 0, ends = 0 }
    -- By the hour, so that few writes change it.
    local ends = math.max(before.ends, math.ceil((now + BUCKET_MS) / SLACK_MS) * SLACK_MS)
    local kept = math.max(before.kept + kept_more[day], 0)
    if ends ~= before.ends or kept ~= before.kept then
      changed[#changed + 1] = whole(day)
      changed[#changed + 1] = whole(kept) .. ' ' .. whole(ends)
      if kept == 0 then redis.call('PEXPIREAT', bucket_of(day), whole(ends + LEFT_OVER_MS))
      elseif before.kept == 0 then redis.call('PERSIST', bucket_of(day)) end
    end
    buckets[day] = { kept = kept, ends = ends }
  end
  if #changed == 0 then return end
  send('HSET', org .. 'days', changed)
  for day, bucket in pairs(buckets) do
    if bucket.kept > 0 then is_any_kept = true end
    if bucket.kept == 0 and bucket.ends < now then
      redis.call('UNLINK', bucket_of(day))
      redis.call('HDEL', org .. 'days', whole(day))
    else
      last = math.max(last, bucket.ends)
    end
  end
  if is_any_kept then redis.call('PERSIST', org .. 'days')
  else redis.call('PEXPIREAT', org .. 'days', whole(last + LEFT_OVER_MS)) end
end

-- Remembers a day ahead until every turn of it is old enough to be looked up anyway. Of more days than these the
-- last one stands for all before it, so what is kept is bounded.
local MOST_AHEAD = 400
local function note_ahead(day, stands_for_all)
  local ahead = org .. 'ahead'
  redis.call('ZREMRANGEBYSCORE', ahead, '-inf', whole(day_of(now - KEPT_MS - SLACK_MS) - 1))
  local is_full = redis.call('ZCARD', ahead) >= MOST_AHEAD and not redis.call('ZSCORE', ahead, whole(day))
  redis.call('ZADD', ahead, 'GT', whole(day), (is_full or stands_for_all) and 'all' or whole(day))
  local last = redis.call('ZREVRANGE', ahead, 0, 0, 'WITHSCORES')
  redis.call('PEXPIRE', ahead, whole((tonumber(last[2]) + 1) * DAY_MS - now + KEPT_MS + SLACK_MS))
end

-- A turn dated ahead is kept as if it were dated at most a day ahead. Later it is looked up, also when its
-- date comes near, so such dates are remembered: by the day, or one turn of the year 9999 would have every turn
-- of its organization looked up from then on.
local function settle(id, attempt, active, timestamp)
  if timestamp - now > DAY_MS then note_ahead(day_of(timestamp)) end
  put_claim(id, 'S', attempt .. ' ' .. active)
end
