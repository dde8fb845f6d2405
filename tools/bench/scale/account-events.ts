/** Appends months of account events straight to the log: most are refreshes whose tokens have expired. */
import { createHash, randomUUID } from 'node:crypto';
import { encodeEvent } from '../../../core/log/encode.ts';
import type { NewRecord, SharedLog } from '../../../core/ports.ts';
import { DAY_MS } from '../../../core/time.ts';
import type { AccountEvent, KeyRecord } from '../../../schemas/events/accounts.ts';
import { accountEvent } from '../../../services/use-cases/accounts/account-events.ts';
import { beganOf } from '../../../services/use-cases/accounts/organizations/began.ts';

const EVENTS_OF_ORGANIZATION = 200;
/** Days covered: one event in twenty is recent enough for its token to be valid. */
const DAYS = 140;
const APPENDED = 10_000;
/** One of this many events of an organization is of each rarer kind. */
const ROUND = 20;

const keyOf = (id: string): KeyRecord => ({
  key_id: id,
  name: `key ${id}`,
  prefix: `ts_${id}`,
  secret_hash: createHash('sha256').update(id).digest('hex'),
  roles: ['*'],
  user_id: 'owner',
  session_id: null,
});

type Began = ReturnType<typeof beganOf>;

/** Returns the n-th event of an organization. */
const eventOf = (org: string, n: number, at: number, began: Began): AccountEvent => {
  const about = { org, now: at, context: { correlationId: randomUUID() } };
  const round = Math.floor(n / ROUND);
  const key = `${org}-k${round}`;
  const token = (nth: number): string => createHash('md5').update(`${org} ${nth}`).digest('base64url');
  if (n === 0)
    return accountEvent('org.signed_up', org, about, {
      name: null,
      email: null,
      key: keyOf(`${org}-own`),
      began,
    });
  switch (n % ROUND) {
    case 1:
      return accountEvent('api_key.created', key, about, {
        ...keyOf(key),
        strict: false,
        expires_at: null,
        addresses: null,
      });
    case 2:
      return accountEvent('api_key.used', `${key}:${Math.floor(at / 60_000)}`, about, { key_id: key });
    case 3:
      return accountEvent('api_key.revoked', key, about, { key_id: key });
    case 5:
      return accountEvent('refresh_token.delivered', token(n - 1), about, { token_id: token(n - 1) });
    default:
      return accountEvent('refresh_token.rotated', token(n), about, {
        token_id: token(n),
        family_id: token(-1 - round),
        key_id: `${org}-own`,
        successor_id: token(n + 1),
        issued_at: Math.floor(at / 1_000),
        expires_at: Math.floor(at / 1_000) + 7 * 86_400,
        signing_key: 'bench',
      });
  }
};

/** Appends the events in the order of their times; resolves to the seconds that it took. */
export const appendAccountEvents = async (
  log: Pick<SharedLog, 'append' | 'ends'>,
  events: number,
): Promise<number> => {
  const started = performance.now();
  const organizations = Math.ceil(events / EVENTS_OF_ORGANIZATION);
  const began = beganOf(await log.ends());
  const now = Date.now();
  for (let at = 0; at < events; at += APPENDED) {
    const page: NewRecord[] = [];
    for (let n = at; n < Math.min(at + APPENDED, events); n++) {
      const org = `org-${n % organizations}`;
      const when = now - DAYS * DAY_MS * (1 - n / events);
      const event = eventOf(org, Math.floor(n / organizations), when, began);
      page.push({
        topic: 'accounts',
        key: org,
        value: encodeEvent(event),
        headers: { attempt: randomUUID() },
      });
    }
    await log.append(page);
  }
  return (performance.now() - started) / 1_000;
};
