-- After a wipe, before the first call: restores from the log, the usage store and the index. An event whose first copy
-- is settled is known, and billed in `totals`. ARGV[2..]: each event's turn or job, sealed.
if ask.ahead then redis.call('HSET', meta, 'ahead', whole(ask.ahead)) end
for _, total in ipairs(ask.totals) do bill(total.day, total.tokensIn, total.tokensOut) end
for i, event in ipairs(ask.events) do
  if event.kind == 'turn' then
    if not claim_of(event.id) then
      if event.projected then settle(event.id, event.attempt, event.active, event.timestamp)
      else keep(event, event.attempt, event.day, ARGV[i + 1]) end
    end
  elseif event.kind == 'job' then
    if not event.projected then add_job(event, ARGV[i + 1]) end
  elseif claim_recall(event.id) and not event.projected then
    bill(event.day, event.tokensIn, event.tokensOut)
  end
end
set_life()
return { 'ok' }
