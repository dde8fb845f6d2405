-- Runs before the first call after a wipe or a restart: restores what Redis lacks from the log, the usage
-- store and the index. An event whose first copy is settled is known, and billed in `totals`. ARGV[2..]: each
-- event's turn or job, sealed.
for _, ahead in ipairs(ask.ahead or {}) do note_ahead(ahead) end
if ask.aheadTo then note_ahead(ask.aheadTo, true) end
for _, total in ipairs(ask.totals) do bill(total.day, total.tokensIn, total.tokensOut) end
local turns = {}
for _, event in ipairs(ask.events) do
  if event.kind == 'turn' then turns[#turns + 1] = event.id end
end
read_claims(turns)
for i, event in ipairs(ask.events) do
  local projected = event.projected or event.offset < settled_to(event.partition)
  if event.kind == 'turn' then
    local claim = claim_of(event.id)
    if not claim and projected then settle(event.id, event.attempt, event.active, event.timestamp)
    elseif not projected and (not claim or claim[1] == 'P') then
      -- It is in the log: the claiming process has died, or remembers it later and finds its own attempt or
      -- another's.
      if claim then unreserve(claim[2], tonumber(claim[4])) end
      local least = claim and math.min(event.tokens, least_of(claim)) or event.tokens
      keep(event, event.attempt, event.day, ARGV[i + 1], least)
    end
  elseif event.kind == 'job' then
    if not projected then add_job(event, ARGV[i + 1]) end
  elseif claim_recall(event.id) and not projected then
    bill(event.day, event.tokensIn, event.tokensOut)
  end
end
finish()
return { 'ok' }
