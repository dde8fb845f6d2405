import { expect, it } from 'vitest';
import { type ExpiryCounts, slotsOf } from '../../../../core/ports/projection/expiry-counts.ts';
import type { OrganizationDocument } from '../../../../projections/accounts/accounts-projection.ts';
import { withRetention } from '../../../../projections/accounts/retention.ts';
import { type ExpirySharePorts, makeExpiryShare } from '../../../../services/workers/expiry-share.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const NOW = Date.parse('2026-06-01T00:00:00Z');

const memoryCounts = (): ExpiryCounts => {
  const taken: { org: string; slot: number }[] = [];
  const count = (name: string, at: number): number =>
    taken.filter(({ org, slot }) => org === name && slot >= slotsOf(at).since).length;
  return {
    taken: async (org, at) => count(org, at),
    take: async (org, most, at) => {
      if (count(org, at) >= most) return false;
      taken.push({ org, slot: slotsOf(at).slot });
      return true;
    },
  };
};

const world = (sessions: number, changes: Partial<ExpirySharePorts> = {}) =>
  makeExpiryShare({
    ...{ counts: memoryCounts(), sessions: async () => sessions, organization: async () => undefined },
    ...{ percent: 20, ...changes },
  });

/** How many of as many that ask get one, and have it counted. */
const takes = async (
  share: ReturnType<typeof world>,
  { past = NOW, asks, org = 'acme' }: { past?: number; asks: number; org?: string },
): Promise<number> => {
  const { keep, take } = await share.begin(past);
  let kept = 0;
  for (let n = 0; n < asks; n++) kept += Number(await keep(org));
  let count = 0;
  for (let n = 0; n < kept; n++) count += Number(await take(org));
  return count;
};

it.each([
  [1, 10],
  [50, 10],
  [200, 40],
  [1_000, 200],
])('of %i sessions %i may go a day', async (sessions, most) => {
  const share = world(sessions);
  expect(await takes(share, { asks: 500 })).toBe(most);
  expect(share.held()).toEqual(new Map([['acme', 500 - most]]));
  expect(await takes(share, { past: NOW + DAY_MS - 1, asks: 5 })).toBe(0);
  expect(await takes(share, { past: NOW + DAY_MS + HOUR_MS, asks: 500 })).toBe(most);
});

it('leaves out an organization that is full, until a word or a day lets it go on, and no other one', async () => {
  let limits: OrganizationDocument['limits'] = null;
  const share = world(100, { organization: async () => ({ limits }) as OrganizationDocument });
  expect(await takes(share, { asks: 25 })).toBe(20);
  expect(await share.begin(NOW)).toMatchObject({ full: ['acme'] });
  expect(await takes(share, { asks: 5, org: 'zeta' })).toBe(5);
  expect(share.held()).toEqual(new Map([['acme', 5]]));
  limits = { expiries: 50 } as OrganizationDocument['limits'];
  expect(await share.begin(NOW)).toMatchObject({ full: [] });
  expect(share.held()).toEqual(new Map());
  expect(await takes(share, { asks: 100 })).toBe(30);
  limits = { expiries: 0 } as OrganizationDocument['limits'];
  expect(await takes(share, { asks: 100 })).toBe(100);
});

it('lets a retention through on its first day in force, and one that is taken back not', async () => {
  const set = new Date(NOW - DAY_MS).toISOString();
  const retentionOf = (days: number | null) => withRetention(undefined, { id: '1', days, at: set });
  const with_ = (days: number | null) =>
    world(100, { organization: async () => ({ retention: retentionOf(days) }) as OrganizationDocument });
  expect(await takes(with_(30), { past: NOW - 1, asks: 100 })).toBe(20);
  expect(await takes(with_(30), { past: NOW, asks: 100 })).toBe(100);
  expect(await takes(with_(30), { past: NOW + DAY_MS, asks: 100 })).toBe(20);
  expect(await takes(with_(null), { past: NOW, asks: 100 })).toBe(20);
});

it('a round that ends before it destroys has used up nothing', async () => {
  const share = world(50);
  const { keep } = await share.begin(NOW);
  for (let n = 0; n < 10; n++) expect(await keep('acme')).toBe(true);
  expect(await keep('acme')).toBe(false);
  // The process ended here; another one, or the next start, has all of the day.
  expect(await takes(world(50), { asks: 25 })).toBe(10);
  expect(await takes(share, { asks: 25 })).toBe(10);
});

it('two processes that keep places at once destroy no more than the share together', async () => {
  const counts = memoryCounts();
  const rounds = [await world(50, { counts }).begin(NOW), await world(50, { counts }).begin(NOW)];
  for (const { keep } of rounds) for (let n = 0; n < 10; n++) expect(await keep('acme')).toBe(true);
  let taken = 0;
  for (let n = 0; n < 10; n++) for (const { take } of rounds) taken += Number(await take('acme'));
  expect(taken).toBe(10);
});
