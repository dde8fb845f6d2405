-- Drops tail entries sealed under destroyed keys; claims stay, since they hold no text. The entry in `o`
-- stays until it is settled, which gives the claim its expiry.
drop_from_tail(ask.user, ask.turns)
for _, id in ipairs(ask.jobs) do drop_job(id) end
finish()
return { 'ok' }
