import { expect, it } from 'vitest';
import { ServiceError } from '../../../../core/errors.ts';
import type { NewRecord } from '../../../../core/ports.ts';
import type { MemoryExpired } from '../../../../schemas/events/curation/expiry.ts';
import { parseEnvelope } from '../../../../schemas/events/envelope.ts';
import { type ExpiredKeysPorts, makeDestroyExpired } from '../../../../services/workers/expired-keys.ts';

const NEVER = new AbortController().signal;

/** A round over sessions that have nothing left, each of which had these turns. */
const world = (sessions: readonly string[], turns: readonly string[] = []) => {
  const appended: NewRecord[][] = [];
  const destroyed: string[] = [];
  const ports: ExpiredKeysPorts = {
    swept: {
      take: async () => sessions.map(session => ({ org: 'acme', user: 'ada', session, state: '' })),
      sessions: async () => sessions.length,
      isOver: async () => true,
      turnIds: async () => [...turns],
      done: async () => {},
    },
    keys: {
      replace: async (_org, _user, session) => [`key of ${session}`],
      destroyKeys: async ids => void destroyed.push(...ids),
    },
    log: {
      append: async records => {
        appended.push([...records]);
        return [];
      },
      ends: async () => ({ 'turns/0': 7, 'observations/0': 3 }),
      read: async () => [],
      partitionOf: () => 0,
    },
    positions: async () => ({ 'turns/0': 7, 'observations/0': 3 }),
    clock: () => 0,
    upTo: async () => 0,
    share: {
      begin: async () => ({ full: [], keep: async () => true, take: async () => true }),
      held: () => new Map(),
    },
    quietMs: 0,
  };
  return { ports, appended, destroyed };
};
const named = (count: number): string[] => Array.from({ length: count }, (_, n) => `s${n}`);

it('lists the turns of a long session in events that end nothing, and in small appends', async () => {
  const turns = Array.from({ length: 60_000 }, (_, n) => `trn_${String(n).padStart(32, '0')}`);
  const { ports, appended } = world(['s'], turns);
  expect(await makeDestroyExpired(ports)(NEVER)).toBe(1);
  for (const records of appended)
    expect(records.reduce((sum, { value }) => sum + value.length, 0)).toBeLessThanOrEqual(1 << 20);
  const events = appended.flat().map(({ topic, value }) => ({
    topic,
    ...(parseEnvelope(value) as { data: MemoryExpired }).data,
  }));
  expect(events.flatMap(({ turn_ids }) => turn_ids)).toEqual(turns);
  const ending = events.filter(({ key_ids, before }) => key_ids.length > 0 || before > 0);
  expect(ending).toEqual(events.slice(-2));
  expect(ending).toMatchObject([
    { topic: 'turns', key_ids: ['key of s'], before: 7 },
    { topic: 'observations', key_ids: ['key of s'], before: 3, turn_ids: [] },
  ]);
});

it('sees to all other sessions when one fails, and says so then', async () => {
  const { ports, destroyed } = world(named(50));
  const turnIds: ExpiredKeysPorts['swept']['turnIds'] = async ({ session }) => {
    if (session === 's3') throw new Error('It has too many.');
    return [];
  };
  const destroying = makeDestroyExpired({ ...ports, swept: { ...ports.swept, turnIds } })(NEVER);
  await expect(destroying).rejects.toThrow('too many');
  expect(destroyed).toHaveLength(49);
});

it('ends a round in which nothing can be reached', async () => {
  const { ports } = world(named(50));
  let calls = 0;
  const replace = async (): Promise<never> => {
    calls++;
    throw new ServiceError('unavailable', 'Redis is unreachable.');
  };
  const destroying = makeDestroyExpired({ ...ports, keys: { ...ports.keys, replace } })(NEVER);
  await expect(destroying).rejects.toThrow('unreachable');
  expect(calls).toBeLessThan(50);
});

it('keeps keys of records that are set aside while the log is applied', async () => {
  const { ports, appended, destroyed } = world(['s']);
  let isSetAside = false;
  const value = Buffer.from(JSON.stringify({ key_id: 'key of s' }));
  const log: ExpiredKeysPorts['log'] = {
    ...ports.log,
    ends: async () => ({ ...(await ports.log.ends()), 'dead-letters/0': isSetAside ? 1 : 0 }),
    read: async (topic, partition) => [{ topic, partition, offset: 0, value, headers: {} }],
  };
  const positions = () => {
    isSetAside = true;
    return ports.positions();
  };
  expect(await makeDestroyExpired({ ...ports, log, positions })(NEVER)).toBe(0);
  expect(appended).toEqual([]);
  expect(destroyed).toEqual([]);
});
