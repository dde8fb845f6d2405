-- The append is acknowledged: keeps the claims, bills, and adds to the tail. The first attempt to remember a
-- turn owns it. ARGV[2..]: the turns, sealed, then the job. Returns each own turn and the tokens to report
-- for it.
local turns, bucket_days = expand(ask.turns), {}
for _, turn in ipairs(turns) do bucket_days[turn.id] = turn.bucket end
for _, each in ipairs(ask.unused) do bucket_days[each.id] = each.bucket end
read_claims_at(bucket_days)

local own = {}
local function report(id, tokens)
  own[#own + 1] = id
  own[#own + 1] = whole(tokens)
end
for i, turn in ipairs(turns) do
  local claim = claim_of(turn.id)
  if claim and claim[1] ~= 'P' then
    -- Kept by an earlier try of this call, or by the projector for the attempt that appended the log's first
    -- copy.
    if claim[2] == ask.attempt and not turn.contested then
      report(turn.id, claim[1] == 'K' and least_of(claim) or turn.tokens)
    end
  elseif turn.offset >= settled_to(turn.partition) then
    if claim and claim[2] ~= ask.attempt then unreserve(claim[2], tonumber(claim[4])) end
    local least = claim and math.min(turn.tokens, least_of(claim)) or turn.tokens
    keep(turn, ask.attempt, day_of(turn.recordedAt), ARGV[i + 1], least)
    report(turn.id, least)
  elseif claim and claim[2] == ask.attempt then
    drop_claim(turn.id)
  end
end
for _, each in ipairs(ask.unused) do
  local claim = claim_of(each.id)
  if claim and claim[1] == 'P' and claim[2] == ask.attempt then drop_claim(each.id) end
end
if ask.job and ask.job.offset >= settled_to(ask.job.partition) then add_job(ask.job, ARGV[#turns + 2]) end
-- If the offset is settled, the projector has billed the recall.
if ask.recall and ask.recall.offset >= settled_to(ask.recall.partition) and claim_recall(ask.recall.id) then
  bill(day_of(ask.recordedAt), ask.recall.tokensIn, ask.recall.tokensOut)
end
unreserve(ask.attempt)
finish()
return { 'ok', own }
