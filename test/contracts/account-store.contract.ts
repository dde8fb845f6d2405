import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { NO_BUDGETS } from '../../core/payers/budgets.ts';
import type { AccountStore } from '../../core/ports/accounts/account-store.ts';
import type { ApiKeyCreated } from '../../schemas/events/accounts.ts';
import { accountEvent } from '../../services/use-cases/accounts/account-events.ts';
import { until } from '../support/wait.ts';

export interface OpenAccounts {
  accounts: AccountStore;
  /** Closes, and opens the same data again. */
  reopen(): Promise<OpenAccounts>;
  close(): Promise<void>;
}

export const about = (org: string, second = 0) => ({
  org,
  now: Date.UTC(2026, 2, 10, 8, 0, second),
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
export const signedUp = (org: string, key = `${org}-1`) =>
  accountEvent('org.signed_up', org, about(org), {
    name: null,
    email: null,
    key: keyOf(key),
    began: { turns: [], observations: [], usage: [] },
  });
export const keyCreated = (
  org: string,
  id: string,
  second = 1,
  validity: Pick<ApiKeyCreated, 'expires_at' | 'addresses'> = { expires_at: null, addresses: null },
) => accountEvent('api_key.created', id, about(org, second), { ...keyOf(id), strict: false, ...validity });
export const keyRevoked = (org: string, id: string, second = 2) =>
  accountEvent('api_key.revoked', id, about(org, second), { key_id: id });

export const rotated = (org: string, id: string, successor = `${id}+`) =>
  accountEvent('refresh_token.rotated', id, about(org), {
    token_id: id,
    family_id: 'f1',
    key_id: `${org}-1`,
    successor_id: successor,
    issued_at: 1,
    expires_at: 4_000_000_000,
    signing_key: 'k',
  });

/**
 * The contract of every account store: of racing decisions one is recorded, and who knows its outcome can
 * read it.
 */
export const describeAccountStore = (name: string, open: () => Promise<OpenAccounts>): void => {
  describe(`account store: ${name}`, () => {
    let opened: OpenAccounts;
    let acme = '';
    let other = '';
    let tests = 0;
    beforeAll(async () => {
      opened = await open();
    });
    // Opening takes the whole service's threads: each test has names of its own instead.
    beforeEach(() => {
      tests++;
      acme = `acme${tests}`;
      other = `other${tests}`;
    });
    afterAll(() => opened.close());

    it('shows an event from the moment that it is recorded', async () => {
      const { accounts } = opened;
      expect(await accounts.get('organization', acme)).toBeUndefined();
      expect(await accounts.record(signedUp(acme))).toBe('recorded');
      expect(await accounts.get('organization', acme)).toMatchObject({ org_id: acme, limits: null });
      expect(await accounts.get('api_key', `${acme}-1`)).toMatchObject({ org_id: acme, revoked_at: null });
      for (let n = 2; n < 12; n++) {
        expect(await accounts.record(keyCreated(acme, `${acme}-${n}`))).toBe('recorded');
        expect(await accounts.record(keyRevoked(acme, `${acme}-${n}`))).toBe('recorded');
        expect((await accounts.get('api_key', `${acme}-${n}`))!.revoked_at).toBe('2026-03-10T08:00:02.000Z');
      }
    });

    it('records one of many events of an id, and the losers can read the winner', async () => {
      const { accounts } = opened;
      const outcomes = await Promise.all(
        Array.from({ length: 20 }, async (_, n) => {
          const outcome = await accounts.record(signedUp(acme, `${acme}-key-${n}`));
          const keys = await accounts.list('api_key', acme);
          expect(keys).toHaveLength(1);
          return { outcome, key: keys[0]!.key_id, n };
        }),
      );
      const winners = outcomes.filter(({ outcome }) => outcome === 'recorded');
      expect(winners).toHaveLength(1);
      expect(new Set(outcomes.map(({ key }) => key))).toEqual(new Set([`${acme}-key-${winners[0]!.n}`]));
      expect(outcomes.filter(({ outcome }) => outcome === 'conflict')).toHaveLength(19);
    });

    it('lists what is of one organization, or of all', async () => {
      const { accounts } = opened;
      await Promise.all([signedUp(acme), signedUp(other)].map(event => accounts.record(event)));
      await accounts.record(keyCreated(other, `${other}-2`));
      const ids = async (org?: string) =>
        (await accounts.list('api_key', org)).map(({ key_id }) => key_id).sort();
      expect(await ids(acme)).toEqual([`${acme}-1`]);
      expect(await ids(other)).toEqual([`${other}-1`, `${other}-2`]);
      expect(await ids()).toEqual(expect.arrayContaining([`${acme}-1`, `${other}-1`, `${other}-2`]));
      expect(await ids('nobody')).toEqual([]);
      expect((await accounts.list('organization')).map(({ org_id }) => org_id)).toEqual(
        expect.arrayContaining([acme, other]),
      );
      await accounts.record(keyRevoked(other, `${other}-1`));
      expect((await accounts.liveKeys(other)).map(({ key_id }) => key_id)).toEqual([`${other}-2`]);
      expect(await accounts.liveKeys('nobody')).toEqual([]);
      const before = await accounts.countOrganizations();
      await accounts.record(signedUp(`${other}-more`));
      expect(await accounts.countOrganizations()).toBe(before + 1);
    });

    it('knows open sign-ups that have written nothing, until they are removed, and of a race the first', async () => {
      const { accounts } = opened;
      const open = signedUp(acme);
      await accounts.record({ ...open, data: { ...open.data, open: true } });
      const second = signedUp(other);
      await accounts.record({ ...second, data: { ...second.data, open: true } });
      await accounts.record(signedUp(`${acme}-by-operator`));
      const unused = async (instant: string): Promise<string[]> =>
        (await accounts.unusedSince(instant, 1_000_000))
          .map(({ org_id }) => org_id)
          .filter(org => org.startsWith(acme) || org === other)
          .sort();
      expect(await unused('2026-03-10T07:59:59.999Z')).toEqual([]);
      expect(await unused('2026-03-10T08:00:00.000Z')).toEqual([acme, other].sort());
      const before = await accounts.countOrganizations();
      // The removal of the one is first in the log, and the writing of the other.
      const wrote = (org: string) => accountEvent('org.wrote', org, about(org, 3), {});
      const pruned = (org: string) => accountEvent('org.pruned', org, about(org, 4), { key_id: `${org}-1` });
      for (const event of [pruned(acme), wrote(acme), wrote(other), pruned(other)])
        expect(await accounts.record(event)).toBe('recorded');
      expect(await unused('2026-03-10T08:00:00.000Z')).toEqual([]);
      expect(await accounts.countOrganizations()).toBe(before - 1);
      expect(await accounts.get('organization', acme)).toMatchObject({
        pruned_at: '2026-03-10T08:00:04.000Z',
      });
      expect(await accounts.get('api_key', `${acme}-1`)).toMatchObject({
        revoked_at: '2026-03-10T08:00:04.000Z',
      });
      // It is listed until it ends, as its key is: a verification compares both.
      expect((await accounts.list('organization')).map(({ org_id }) => org_id)).toContain(acme);
      expect((await accounts.list('api_key')).map(({ key_id }) => key_id)).toContain(`${acme}-1`);
      expect(await accounts.get('organization', other)).not.toHaveProperty('unused');
      expect(await accounts.get('api_key', `${other}-1`)).toMatchObject({ revoked_at: null });
      // The id is never given again: its former owner may still have something of it.
      expect(await accounts.record(signedUp(acme, `${acme}-2`))).toBe('conflict');
    });

    it('takes the first of a confirmed and a withdrawn deletion, and names the deleted until all is erased', async () => {
      const { accounts } = opened;
      const mine = async (): Promise<string[]> =>
        (await accounts.erasing()).map(({ org_id }) => org_id).filter(org => [acme, other].includes(org));
      const asked = (org: string) => accountEvent('org.deletion_asked', `${org}:1`, about(org, 1), {});
      const then = (type: 'org.deletion_withdrawn' | 'org.deleted' | 'org.emptied', org: string) =>
        accountEvent(type, asked(org).id, about(org, 2), { asked: asked(org).id });
      for (const org of [acme, other]) {
        await accounts.record(signedUp(org));
        expect(await accounts.record(asked(org))).toBe('recorded');
      }
      const before = await accounts.countOrganizations();
      for (const [org, ...types] of [
        [acme, 'org.deleted', 'org.deletion_withdrawn'],
        [other, 'org.deletion_withdrawn', 'org.deleted'],
      ] as const)
        for (const type of types) await accounts.record(then(type, org));
      expect(await mine()).toEqual([acme]);
      expect(await accounts.countOrganizations()).toBe(before - 1);
      expect(await accounts.get('organization', other)).not.toHaveProperty('pruned_at');
      expect(await accounts.get('organization', acme)).toMatchObject({ name: null, erasing: asked(acme).id });
      expect(await accounts.record(signedUp(acme, `${acme}-2`))).toBe('conflict');
      await accounts.record(then('org.emptied', acme));
      expect(await mine()).toEqual([]);
      expect(await accounts.get('organization', acme)).not.toHaveProperty('erasing');
    });

    it('lists a key that expires among the live ones, with its end and its addresses', async () => {
      const { accounts } = opened;
      await accounts.record(signedUp(acme));
      // Later than any machine's clock: an expired one goes.
      const validity = { expires_at: '2200-01-01T00:00:00.000Z', addresses: ['192.0.2.0/24', '::1'] };
      await accounts.record(keyCreated(acme, `${acme}-2`, 1, validity));
      const live = await accounts.liveKeys(acme);
      expect(live.map(({ key_id }) => key_id).sort()).toEqual([`${acme}-1`, `${acme}-2`]);
      expect(await accounts.get('api_key', `${acme}-2`)).toMatchObject(validity);
      expect(live.find(({ key_id }) => key_id === `${acme}-2`)).toMatchObject(validity);
      await accounts.record(keyRevoked(acme, `${acme}-2`));
      expect((await accounts.liveKeys(acme)).map(({ key_id }) => key_id)).toEqual([`${acme}-1`]);
    });

    it("changes no other organization's key", async () => {
      const { accounts } = opened;
      await accounts.record(signedUp(acme));
      await accounts.record(signedUp(other));
      await accounts.record(keyRevoked(other, `${acme}-1`));
      expect((await accounts.get('api_key', `${acme}-1`))!.revoked_at).toBeNull();
    });

    it('keeps limits, rotations and families', async () => {
      const { accounts } = opened;
      await accounts.record(signedUp(acme));
      const limits = (id: string, tokens: number, second: number) =>
        accountEvent('org.limits_changed', id, about(acme, second), {
          tokens_in: tokens,
          tokens_out: tokens,
          ...NO_BUDGETS,
        });
      await accounts.record(limits(`${acme}:a`, 5, 10));
      await accounts.record(limits(`${acme}:b`, 7, 9));
      // The log has the order, and not the clocks.
      expect((await accounts.get('organization', acme))!.limits).toMatchObject({
        tokens_in: 7,
        tokens_out: 7,
      });
      const kept = (id: string, days: number | null, second: number) =>
        accountEvent('org.retention_changed', id, about(acme, second), { days });
      await accounts.record(kept(`${acme}:c`, 30, 40));
      await accounts.record(kept(`${acme}:d`, null, 20));
      expect((await accounts.get('organization', acme))!.retention).toMatchObject({
        ...{ days: null, before: null, gone_until: null },
      });
      const rotated = {
        token_id: 't1',
        family_id: 'f1',
        key_id: `${acme}-1`,
        successor_id: 't2',
        issued_at: 1,
        expires_at: 4_000_000_000,
        signing_key: 'k',
      };
      expect(await accounts.record(accountEvent('refresh_token.rotated', 't1', about(acme), rotated))).toBe(
        'recorded',
      );
      expect(
        await accounts.record(
          accountEvent('refresh_token.rotated', 't1', about(acme), { ...rotated, successor_id: 't3' }),
        ),
      ).toBe('conflict');
      expect((await accounts.get('rotation', 't1'))!.successor_id).toBe('t2');
      await accounts.record(accountEvent('refresh_family.revoked', 'f1', about(acme), { family_id: 'f1' }));
      expect(await accounts.get('family', 'f1')).toMatchObject({ family_id: 'f1', org_id: acme });
    });

    it('decides a rotation once, and shows it from its append on', async () => {
      const { accounts } = opened;
      await accounts.record(signedUp(acme));
      expect(await accounts.get('rotation', `${acme}-t1`)).toBeUndefined();
      const decided = await Promise.all(
        Array.from({ length: 10 }, (_, n) => accounts.rotate(rotated(acme, `${acme}-t1`, `s${n}`))),
      );
      expect(decided.filter(({ outcome }) => outcome === 'recorded')).toHaveLength(1);
      const first = decided[0]!.rotation;
      for (const { rotation } of decided) expect(rotation).toEqual(first);
      expect(await accounts.get('rotation', `${acme}-t1`)).toEqual(first);
      expect(await accounts.rotate(rotated(acme, `${acme}-t1`, 'late'))).toEqual({
        outcome: 'conflict',
        rotation: first,
      });
      // The projection says the same of it. What is recorded later in one partition shows that it came by.
      await accounts.record(keyCreated(acme, `${acme}-2`));
      expect(await accounts.get('rotation', `${acme}-t1`)).toEqual(first);
    });

    it('notes an event without waiting; of several with one id the first counts', async () => {
      const { accounts } = opened;
      await accounts.record(signedUp(acme));
      await accounts.rotate(rotated(acme, `${acme}-t1`));
      for (const second of [5, 6, 6])
        await accounts.note(
          accountEvent('refresh_token.delivered', `${acme}-t1`, about(acme, second), {
            token_id: `${acme}-t1`,
          }),
        );
      await accounts.record(keyCreated(acme, `${acme}-2`));
      await until('the delivery is read', async () => {
        const rotation = await accounts.get('rotation', `${acme}-t1`);
        return rotation?.delivered_at === '2026-03-10T08:00:05.000Z';
      });
    });

    it('has everything after it was opened again', async () => {
      await opened.accounts.record(signedUp(acme));
      await opened.accounts.record(keyRevoked(acme, `${acme}-1`));
      const before = await opened.accounts.get('api_key', `${acme}-1`);
      opened = await opened.reopen();
      expect(await opened.accounts.get('api_key', `${acme}-1`)).toEqual(before);
      expect(await opened.accounts.record(signedUp(acme))).toBe('conflict');
    });
  });
};
