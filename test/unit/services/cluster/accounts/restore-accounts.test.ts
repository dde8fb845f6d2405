import { describe, expect, it } from 'vitest';
import { encodeEvent } from '../../../../../core/log/encode.ts';
import { makeDecode } from '../../../../../core/log/events.ts';
import { ALL_WRITTEN } from '../../../../../core/ports/projection/projection-store.ts';
import { DAY_MS } from '../../../../../core/time.ts';
import {
  type AccountEvent,
  type AccountState,
  foldAccount,
  type GetDocument,
} from '../../../../../projections/accounts/accounts-projection.ts';
import { endOfDocument } from '../../../../../projections/accounts/lifetimes.ts';
import { restoreAccounts } from '../../../../../services/cluster/accounts/restore-accounts.ts';
import { accountEvent } from '../../../../../services/use-cases/accounts/account-events.ts';
import { keyCreated, keyRevoked, signedUp } from '../../../../contracts/account-store.contract.ts';
import { memoryLog } from '../../../../support/engines/memory-log.ts';

const NOW = Date.UTC(2026, 10, 23, 12);
const ORGS = ['acme', 'other', 'third'];
const decode = makeDecode({ byId: async () => undefined, destroyKeys: async () => {} });

const at = (org: string, now: number) => ({
  org,
  now,
  context: { correlationId: '6f1f64b1-58a6-4ef3-9a3b-8a0a5d6b3f11' },
});

/** A day of an organization: its token is rotated and delivered, its key used; sometimes a family revoked. */
const dayOf = (org: string, day: number): AccountEvent[] => {
  const now = NOW - day * DAY_MS;
  const [token, key, family] = [`${org}-t${day}`, `${org}-1`, `${org}-f${day}`];
  const issued = Math.floor(now / 1_000) - 3_600;
  return [
    accountEvent('refresh_token.rotated', token, at(org, now), {
      token_id: token,
      family_id: family,
      key_id: key,
      successor_id: `${token}+`,
      issued_at: issued,
      expires_at: issued + 7 * 86_400,
      signing_key: 'k',
    }),
    accountEvent('refresh_token.delivered', token, at(org, now + 1), { token_id: token }),
    accountEvent('api_key.used', `${key}:${day}`, at(org, now), { key_id: key }),
    ...(day % 5 === 0
      ? [accountEvent('refresh_family.revoked', family, at(org, now), { family_id: family })]
      : []),
  ];
};

/** The documents that are needed now. */
const documentsOf = (events: readonly AccountEvent[]): Map<string, AccountState> => {
  const states = new Map<string, AccountState>();
  const get = ((kind, id) => states.get(`${kind}/${id}`)?.document) as GetDocument;
  for (const event of events)
    for (const state of foldAccount(get, event)) states.set(`${state.kind}/${state.id}`, state);
  return new Map([...states].filter(([, state]) => (endOfDocument(state) ?? Infinity) > NOW));
};

const restored = async (events: readonly AccountEvent[]) => {
  const log = memoryLog();
  for (const event of events)
    await log.append([{ topic: 'accounts', key: event.org_id, value: encodeEvent(event) }]);
  const batches: AccountEvent[][] = [];
  const apply = async (batch: readonly AccountEvent[]) => {
    batches.push([...batch]);
    return ALL_WRITTEN;
  };
  await restoreAccounts({ log: log as never, decode, accounts: { apply }, clock: () => NOW });
  return batches;
};

describe('the accounts after Redis was wiped', () => {
  const history = (days: number): AccountEvent[] => [
    ...ORGS.map(org => signedUp(org)),
    ...Array.from({ length: days }, (_, day) => ORGS.flatMap(org => dayOf(org, days - 1 - day))).flat(),
    keyCreated('acme', 'acme-2', 5),
    keyRevoked('acme', 'acme-2', 6),
  ];

  /**
   * Switched off by hand: restore-accounts.ts applies every event → expected 792 to be less than 70;
   * endOfEffect ends a rotation a week early → 15 documents instead of 33.
   */
  it('are those of the whole history, without what has ended in it', async () => {
    const events = history(120);
    const applied = (await restored(events)).flat();
    expect(documentsOf(applied)).toEqual(documentsOf(events));
    const rotations = applied.filter(({ type }) => type.startsWith('refresh_'));
    expect(rotations.length).toBeGreaterThan(0);
    expect(rotations.length).toBeLessThan(70);
  });

  /** Switched off by hand: `hasEffect` without the slack → the first rotation is missing. */
  it('have a rotation that ended within a day, since clocks may be wrong by that', async () => {
    const endedBefore = (hours: number, token: string): AccountEvent =>
      accountEvent('refresh_token.rotated', token, at('acme', NOW - 8 * DAY_MS), {
        token_id: token,
        family_id: 'f',
        key_id: 'acme-1',
        successor_id: `${token}+`,
        issued_at: NOW / 1_000 - 8 * 86_400,
        expires_at: NOW / 1_000 - hours * 3_600,
        signing_key: 'k',
      });
    const applied = (
      await restored([signedUp('acme'), endedBefore(1, 'late'), endedBefore(25, 'gone')])
    ).flat();
    const rotated = applied.flatMap(event =>
      event.type === 'refresh_token.rotated' ? event.data.token_id : [],
    );
    expect(rotated).toEqual(['late']);
  });

  /** Switched off by hand: restore-accounts.ts applies each page → expected 15 to be less than 5. */
  it('are written in few steps, an organization in its order', async () => {
    const uses = Array.from({ length: 13_000 }, (_, n) =>
      accountEvent('api_key.used', `acme-1:${n}`, at('acme', NOW - 13_000 + n), { key_id: 'acme-1' }),
    );
    const batches = await restored([signedUp('acme'), ...uses]);
    expect(batches.length).toBeLessThan(5);
    expect(batches.flat().map(({ id }) => id)).toEqual([signedUp('acme'), ...uses].map(({ id }) => id));
  });
});
