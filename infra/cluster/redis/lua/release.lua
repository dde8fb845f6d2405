-- Drops the attempt's pending claims and its reservation.
for _, id in ipairs(ask.ids) do
  local claim = claim_of(id)
  if claim and claim[1] == 'P' and claim[2] == ask.attempt then drop_claim(id) end
end
unreserve(ask.attempt)
return { 'ok' }
