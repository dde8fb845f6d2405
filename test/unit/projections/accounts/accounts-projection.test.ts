import { describe, expect, test } from 'vitest';
import { NO_BUDGETS } from '../../../../core/payers/budgets.ts';
import {
  type AccountEvent,
  type AccountState,
  foldAccount,
} from '../../../../projections/accounts/accounts-projection.ts';
import { registry } from '../../../../schemas/events/registry.ts';
import { accountEvent } from '../../../../services/use-cases/accounts/account-events.ts';
import { makeAccounts } from '../../../../services/use-cases/accounts/accounts.ts';
import { memoryAccountStore } from '../../../support/engines/memory-account-store.ts';
import { always, context, seededRandom, signingKey } from '../../../support/worlds/accounts.ts';

const fold = (events: readonly AccountEvent[]): Record<string, AccountState['document']> => {
  const documents: Record<string, AccountState['document']> = {};
  for (const event of events) {
    const states = foldAccount((kind, id) => documents[`${kind}/${id}`] as never, event);
    for (const { kind, id, document } of states) documents[`${kind}/${id}`] = document;
  }
  return documents;
};

/** A life of two organizations, and the end of one that never wrote, with every type of event. */
const history = async (): Promise<AccountEvent[]> => {
  const store = memoryAccountStore();
  let now = Date.parse('2026-01-01T00:00:00Z');
  const accounts = makeAccounts({
    store,
    signingKeys: always([signingKey()]),
    ends: async () => ({ 'turns/0': 7 }),
    clock: () => {
      now += 1_000;
      return now;
    },
    random: seededRandom('history'),
    config: { signup: 'open', authFailuresPerMinute: 9, limits: { tokens_in: 1, tokens_out: 1 } },
  });
  for (const org_id of ['acme', 'globex']) {
    const { api_key } = await accounts.signUp({ org_id, name: 'Name' }, context);
    const tokens = await accounts.exchange(api_key, '192.0.2.1', context);
    const owner = await accounts.authenticate(tokens.access_token, '192.0.2.1');
    const key = await accounts.createKey(owner, { name: 'second', roles: ['memory:read'] }, context);
    await accounts.setLimits(org_id, { tokens_in: 5, tokens_out: 6, ...NO_BUDGETS });
    await accounts.setLimits(org_id, { tokens_in: 0, tokens_out: 7, ...NO_BUDGETS });
    await accounts.setScreening(org_id, 'off');
    await accounts.setScreening(org_id, 'secrets');
    await accounts.rotateKey(owner, key.id, {}, context);
    await accounts.revokeKey(owner, key.id, context);
    (await accounts.refresh(tokens.refresh_token, '192.0.2.1', context)).delivered();
    now += 61_000;
    await expect(accounts.refresh(tokens.refresh_token, '192.0.2.1', context)).rejects.toMatchObject({
      status: 401,
    });
  }
  await accounts.signUp({ org_id: 'gone' }, context);
  const { unused } = (await store.get('organization', 'gone'))!;
  await store.record(accountEvent('org.pruned', 'gone', { org: 'gone', now, context }, unused!));
  return store.events;
};

describe('the fold of account events', () => {
  test('the history holds every type, and each event fits its schema', async () => {
    const events = await history();
    expect(new Set(events.map(({ type }) => type)).size).toBe(12);
    for (const { type, version, data } of events) {
      expect(version).toBe(registry.currentVersion(type));
      expect(registry.checkData(type, version, data)).toEqual({ ok: true, value: data });
    }
  });

  test('delivering every event twice, or the whole log again, changes nothing', async () => {
    const events = await history();
    const once = fold(events);
    expect(Object.keys(once)).toHaveLength(2 * (1 + 3 + 1 + 1) + 2);
    expect(fold(events.flatMap(event => [event, event]))).toEqual(once);
    expect(fold([...events, ...events])).toEqual(once);
    expect(fold([...events.slice(0, 7), ...events])).toEqual(once);
  });

  test('no secret is in an event', async () => {
    const store = memoryAccountStore();
    const accounts = makeAccounts({
      store,
      signingKeys: always([signingKey()]),
      clock: () => 0,
      random: seededRandom('secrets'),
      ends: async () => ({}),
      config: { signup: 'open', authFailuresPerMinute: 9, limits: { tokens_in: 1, tokens_out: 1 } },
    });
    const { api_key } = await accounts.signUp({ org_id: 'acme' }, context);
    const tokens = await accounts.exchange(api_key, 'a', context);
    await accounts.refresh(tokens.refresh_token, '192.0.2.1', context);
    const log = JSON.stringify(store.events);
    expect(log).not.toContain(api_key.split('_').slice(2).join('_'));
    expect(log).not.toContain(tokens.access_token.split('.')[2]);
    expect(log).not.toContain(tokens.refresh_token.split('.')[2]);
  });

  test('what names nothing that is there writes nothing', () => {
    const about = {
      version: 1,
      org_id: 'acme',
      recorded_at: '2026-01-01T00:00:00.000Z',
      correlation_id: 'c',
    } as const;
    const events: AccountEvent[] = [
      { ...about, id: '1', type: 'org.limits_changed', data: { tokens_in: 1, tokens_out: 1, ...NO_BUDGETS } },
      { ...about, id: '2', type: 'api_key.revoked', data: { key_id: 'k' } },
      { ...about, id: '3', type: 'api_key.used', data: { key_id: 'k' } },
      { ...about, id: '4', type: 'refresh_token.delivered', data: { token_id: 't' } },
      {
        ...about,
        ...{ id: '5', type: 'api_key.retired' as const },
        data: { key_id: 'k', rotated_to: 'l', until: '2026-01-02T00:00:00.000Z' },
      },
    ];
    expect(fold(events)).toEqual({});
  });

  test("an organization's event does not reach another's key", async () => {
    const events = await history();
    const signedUp = events.find(event => event.type === 'org.signed_up')!;
    const key_id = (signedUp.data as { key: { key_id: string } }).key.key_id;
    const theft: AccountEvent = {
      id: 'x',
      type: 'api_key.revoked',
      version: 1,
      org_id: 'globex',
      recorded_at: '2026-01-01T00:00:00.000Z',
      correlation_id: 'c',
      data: { key_id },
    };
    expect(fold([...events, theft])).toEqual(fold(events));
  });

  test('the first of a second kind of copy wins: a key, a rotation, a revoked family, an organization', async () => {
    const events = await history();
    const copies = events
      .filter(({ type }) => /signed_up|created|rotated|family/.test(type))
      .map(
        event =>
          ({ ...event, id: `${event.id}/again`, recorded_at: '2027-01-01T00:00:00.000Z' }) as AccountEvent,
      );
    expect(copies).toHaveLength(11);
    expect(fold([...events, ...copies])).toEqual(fold(events));
  });

  test('a rotation says when its successor was first delivered', async () => {
    const events = await history();
    const delivered = events.find(event => event.type === 'refresh_token.delivered')!;
    const again = { ...delivered, id: 'again', recorded_at: '2027-01-01T00:00:00.000Z' } as AccountEvent;
    const id = `rotation/${(delivered.data as { token_id: string }).token_id}`;
    expect(fold([...events, again])[id]).toMatchObject({ delivered_at: delivered.recorded_at });
    const elsewhere = { ...delivered, id: 'elsewhere', org_id: 'other' } as AccountEvent;
    expect(fold([...events.filter(event => event !== delivered), elsewhere])[id]).not.toHaveProperty(
      'delivered_at',
    );
  });

  test('the last limits in the log stand, whatever the clocks said', async () => {
    const events = await history();
    const last = events.findLast(({ type, org_id }) => type === 'org.limits_changed' && org_id === 'acme')!;
    const data = { ...(last.data as object), tokens_in: 9 };
    const early = { ...last, id: 'early', recorded_at: '2025-01-01T00:00:00.000Z', data } as AccountEvent;
    const documents = fold([...events, early]);
    expect(documents['organization/acme']).toMatchObject({ limits: { tokens_in: 9 } });
    expect(fold([...events, early, last, early])).toEqual(documents);
  });

  test('the newest limits stand, however they are delivered again', async () => {
    const events = await history();
    const changes = events.filter(event => event.type === 'org.limits_changed' && event.org_id === 'acme');
    const documents = fold([...events, changes[0]!]);
    expect(documents['organization/acme']).toMatchObject({
      limits: { tokens_in: 0, tokens_out: 7, ...NO_BUDGETS },
    });
  });
});
