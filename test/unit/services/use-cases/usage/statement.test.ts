import { hash } from 'node:crypto';
import { expect, it } from 'vitest';
import { unavailable } from '../../../../../core/errors.ts';
import type { UsageLedger } from '../../../../../core/ports.ts';
import type { BilledEvent } from '../../../../../projections/usage/merkle.ts';
import { makeUsageStatement } from '../../../../../services/use-cases/usage/statement.ts';

const CLOSED = Date.parse('2026-04-01T02:00:00Z');
const principal = (orgId = 'acme') => ({ orgId, userId: 'ada', roles: ['usage:read'], keyId: 'key_1' });
const EVENT: BilledEvent = { id: 'trn_1', tokensIn: 3, tokensOut: 0 };

const open = (changes: Partial<UsageLedger & { now: number }> = {}) => {
  const reads: string[] = [];
  const { now = CLOSED, ...ledger } = changes;
  const useCase = makeUsageStatement({
    ledger: {
      projectedUntil: async () => Date.parse('2026-04-01'),
      firstDay: () => undefined,
      events: async function* (org, day) {
        reads.push(`${org} ${day}`);
        if (day === '2026-03-07') yield [EVENT];
      },
      ...ledger,
    },
    statements: { sign: async ({ events, root }) => `${events} ${root}` },
    clock: () => now,
  });
  const ask = (month = '2026-03', signal?: AbortSignal) =>
    useCase.usageStatement(principal(), month, {
      correlationId: '',
      ...(signal && { deadline: { signal, at: 0, appendUntil: 0, beginAppend: () => {} } }),
    });
  return { ask, reads };
};

it('signs what a month billed once it is over for two hours', async () => {
  const { ask, reads } = open();
  // The root of a tree of one is the hash of its leaf.
  const root = hash('sha256', '\0["trn_1",3,0]');
  expect((await ask()).statement).toBe(`1 ${root}`);
  expect(reads).toHaveLength(31);
});

it.each([
  ['of a month that just ended', { now: CLOSED - 1 }, 'conflict'],
  ['of the month that runs', { now: Date.parse('2026-03-01T00:00:00Z') }, 'conflict'],
  ['of a month in the future', { now: Date.parse('2026-02-28T23:59:59.999Z') }, 'invalid'],
  [
    'while an event of the month may be missing',
    { projectedUntil: async () => Date.parse('2026-04-01') - 1 },
    'conflict',
  ],
  ['of which a day was deleted', { firstDay: () => '2026-03-02' }, 'conflict'],
  [
    'while the log is out of reach',
    {
      projectedUntil: async () => {
        throw unavailable('The log is unreachable.');
      },
    },
    'unavailable',
  ],
])('states nothing %s', async (_, changes, code) => {
  const { ask, reads } = open(changes);
  await expect(ask()).rejects.toMatchObject({ code });
  expect(reads).toEqual([]);
});

it('goes on for callers that have gone, and gives the next one what they waited for', async () => {
  let goOn = (): void => {};
  const waiting = new Promise<void>(resolve => {
    goOn = resolve;
  });
  let reads = 0;
  const { ask } = open({
    events: async function* (_org, day) {
      reads++;
      await waiting;
      if (day === '2026-03-07') yield [EVENT];
    },
  });
  const gone = new AbortController();
  const first = ask('2026-03', gone.signal);
  const second = ask('2026-03', gone.signal);
  gone.abort();
  goOn();
  await Promise.all([first, second]);
  expect(reads).toBe(31);
  await ask();
  expect(reads).toBe(31);
  // It was delivered: what has been imported since is counted.
  await ask();
  expect(reads).toBe(62);
});

it('asks again after a failure', async () => {
  let fails = true;
  const { ask } = open({
    events: async function* (_org, day) {
      if (fails) throw unavailable('ClickHouse is unreachable.');
      if (day === '2026-03-07') yield [EVENT];
    },
  });
  await expect(ask()).rejects.toMatchObject({ code: 'unavailable' });
  fails = false;
  expect((await ask()).statement).toMatch(/^1 /);
});
