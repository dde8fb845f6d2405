import type { AccountEvent } from '../../../projections/accounts/accounts-projection.ts';
import { endOfEvent } from '../../../projections/accounts/lifetimes.ts';
import { accountEvent } from '../../../services/use-cases/accounts/account-events.ts';

const DAY_MS = 86_400_000;

/** A sequence of numbers in [0, 1) that is the same in every run (mulberry32). */
const randomOf = (seed: number) => (): number => {
  seed = (seed + 0x6d2b79f5) | 0;
  let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
};

/**
 * Weeks of some organizations until `now`, in the order of the log: of everything that can be decided some,
 * also what refers to nothing, comes late, or comes twice with other contents.
 */
export const accountHistory = (
  now: number,
  { count = 400, organizations = 6, days = 20, seed = 1 } = {},
): AccountEvent[] => {
  const random = randomOf(seed);
  const among = (n: number): number => Math.floor(random() * n);
  const about = (org: string, at: number) => ({
    org,
    now: at,
    context: { correlationId: '6f1f64b1-58a6-4ef3-9a3b-8a0a5d6b3f11' },
  });
  const keyOf = (id: string) => ({
    key_id: id,
    name: `key ${id}`,
    prefix: `ts_${id}`,
    secret_hash: 'ab'.repeat(32),
    roles: ['*'],
    user_id: 'owner',
    session_id: null,
  });
  const created = new Set<string>();
  /** By webhook: the number of its last move. */
  const hooks = new Map<string, number>();
  const signedUp = new Set<string>();
  /** By the event that asked for a deletion: whether anybody has confirmed it. */
  const requests = new Map<string, 'asked' | 'deleted'>();
  /** By event that can end: when it was recorded first, and from when on it can't be recorded again. */
  const firsts = new Map<string, { end: number; recorded_at: string }>();
  return Array.from({ length: count }, (_, n): AccountEvent => {
    const org = `org-${among(organizations)}`;
    // Clocks of several processes: not in order.
    const at = Math.round(now - days * DAY_MS * (1 - n / count) - random() * 3_600_000);
    const key = `${org}-${1 + among(20)}`;
    const token = `${org}-t${among(count)}`;
    const event = (type: AccountEvent['type'], subject: string, data: object): AccountEvent =>
      accountEvent(type as never, subject, about(org, at), data as never) as AccountEvent;
    // Nobody uses a key that was not made yet.
    const known = () => (created.has(key) ? key : `${key}-nobody`);
    const used = () => event('api_key.used', `${known()}:${Math.floor(at / 60_000)}`, { key_id: known() });
    const made: (() => AccountEvent)[] = [
      () => {
        signedUp.add(org);
        return event('org.signed_up', org, {
          name: null,
          email: null,
          key: keyOf(`${org}-s${among(2)}`),
          began: { turns: [], observations: [], usage: [] },
          ...(among(2) === 0 && { open: true }),
        });
      },
      // Nobody writes in an organization that was not made yet, or changes it.
      () => (signedUp.has(org) ? event('org.wrote', org, {}) : used()),
      () => (signedUp.has(org) ? event('org.pruned', org, { key_id: `${org}-s${among(2)}` }) : used()),
      () =>
        signedUp.has(org)
          ? event('org.limits_changed', `${org}:${among(9)}`, {
              ...{ tokens_in: among(99), tokens_out: n, names: n, retractions: 0, erasures: among(9) },
            })
          : used(),
      () =>
        signedUp.has(org)
          ? event('org.screening_changed', `${org}:${among(9)}`, {
              screen: ['off', 'secrets', 'default'][among(3)],
            })
          : used(),
      () => {
        const number = among(9);
        if (!signedUp.has(org)) return used();
        const made = event('org.deletion_asked', `${org}:${number}`, {});
        requests.set(made.id, requests.get(made.id) ?? 'asked');
        return made;
      },
      // About any request there was; nothing is emptied that was not deleted.
      () => {
        const asked = `org.deletion_asked:${org}:${among(9)}`;
        const type = (['org.deletion_withdrawn', 'org.deleted', 'org.emptied'] as const)[among(3)]!;
        const state = requests.get(asked);
        if (state === undefined || (type === 'org.emptied' && state !== 'deleted')) return used();
        if (type === 'org.deleted') requests.set(asked, 'deleted');
        return event(type, asked, { asked });
      },
      () => {
        created.add(key);
        return event('api_key.created', key, {
          ...keyOf(key),
          strict: false,
          expires_at: null,
          addresses: null,
        });
      },
      () => event('api_key.revoked', known(), { key_id: known() }),
      () =>
        event('api_key.retired', known(), {
          key_id: known(),
          rotated_to: key,
          until: new Date(at + 3_600_000).toISOString(),
        }),
      used,
      () => event('refresh_family.revoked', `${org}-f${among(20)}`, { family_id: `${org}-f${among(20)}` }),
      () => event('refresh_token.delivered', token, { token_id: token }),
      () => {
        const hook = `${org}-h${among(4)}`;
        hooks.set(hook, hooks.get(hook) ?? 0);
        return event('webhook.created', hook, {
          ...{ webhook_id: hook, url: `https://example.com/${n}`, events: ['turn', 'erased'] },
          ...{ user_id: null, key_id: key, sealed_secret: 'c2VhbGVk', sealing_key: 'k', position: 'AgAA' },
        });
      },
      () => {
        const hook = `${org}-h${among(4)}`;
        const last = hooks.get(hook);
        if (last === undefined) return used();
        // Sometimes two processes record a move of one number.
        const number = Math.max(1, last + (among(4) === 0 ? 0 : 1));
        hooks.set(hook, number);
        return event('webhook.moved', `${hook}:${number}`, {
          ...{ webhook_id: hook, number, key_id: key, position: `p${n}`, told: [`ers_${among(9)}`] },
          ...{ quota: null, failing_since: null, paused: null },
        });
      },
      () => {
        const hook = `${org}-h${among(4)}`;
        if (!hooks.has(hook)) return used();
        const id = `ers_${n}`;
        const erased = { user_id: 'ada', session_id: null, erased_at: new Date(at).toISOString() };
        return event('webhook.noticed', `${hook}:${id}`, { webhook_id: hook, id, ...erased });
      },
      () => {
        const hook = `${org}-h${among(4)}`;
        return hooks.has(hook) && among(4) === 0
          ? event('webhook.deleted', hook, { webhook_id: hook })
          : used();
      },
      () =>
        event('refresh_token.rotated', token, {
          token_id: token,
          family_id: `${org}-f1`,
          key_id: key,
          successor_id: `${token}+${n}`,
          issued_at: Math.floor(at / 1_000),
          expires_at: Math.floor(at / 1_000) + 7 * 86_400,
          signing_key: 'k',
        }),
    ];
    const one = made[n < organizations ? 0 : among(made.length)]!();
    const ending = endOfEvent(one);
    const first = firsts.get(one.id);
    if (ending === undefined) return one;
    if (!first) firsts.set(one.id, { end: ending + DAY_MS / 2, recorded_at: one.recorded_at });
    else if (first.end < at) return used();
    // Appended again after an answer that was lost: of the same moment, so both end together.
    return first ? { ...one, recorded_at: first.recorded_at } : one;
  });
};
