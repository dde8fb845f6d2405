-- Drops the attempt's pending claims and its reservation.
local bucket_days = {}
for _, each in ipairs(ask.claims) do bucket_days[each.id] = each.bucket end
read_claims_at(bucket_days)
for _, each in ipairs(ask.claims) do
  local claim = claim_of(each.id)
  if claim and claim[1] == 'P' and claim[2] == ask.attempt then drop_claim(each.id) end
end
unreserve(ask.attempt)
write_claims()
return { 'ok' }
