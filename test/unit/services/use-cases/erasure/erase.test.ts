import { setTimeout as pause } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import { unavailable } from '../../../../../core/errors.ts';
import { NO_BUDGETS } from '../../../../../core/payers/budgets.ts';
import type { LogRecord, RecordAddress } from '../../../../../core/ports.ts';
import type { MemoryErased } from '../../../../../schemas/events/curation/erasure.ts';
import { parseEnvelope } from '../../../../../schemas/events/envelope.ts';
import { makeBegunHere } from '../../../../../services/use-cases/erasure/begun-here.ts';
import { type ErasePorts, makeErase } from '../../../../../services/use-cases/erasure/erase.ts';
import { memoryLog } from '../../../../support/engines/memory-log.ts';

const CONTEXT = { correlationId: 'c1', budgets: NO_BUDGETS } as never;
const COUNTS = { turns: 3, observations: 2, entities: 1, sessions: 1 };
const SESSION = { org: 'acme', user: 'ada', session: 's1' };
const USER = { ...SESSION, session: undefined };
const TOPICS = ['turns', 'observations'] as const;

/** Keys by their scope, as a store has them; `onDestroy` comes between the listing and the destruction. */
const world = async (
  onDestroy: (keys: Map<string, string[]>) => void = () => {},
  settled: ErasePorts['settled'] = async () => {},
  told?: ErasePorts['told'],
) => {
  const log = memoryLog();
  const keys = new Map([
    ['user', ['key-of-ada']],
    ['session', ['key-of-s1']],
  ]);
  const of = (session: string | undefined): string => (session === undefined ? 'user' : 'session');
  /** Names of sessions: with a key, with one that was made later, in the index. */
  const sessions = { keyed: ['s1'], since: [] as string[], indexed: ['s1'] };
  const waited: RecordAddress[][] = [];
  /** Counts of the read models. */
  const held = { counts: COUNTS };
  const erased: string[] = [];
  const ports: ErasePorts = {
    log,
    keys: {
      idsOf: async (_org, _user, session) => keys.get(of(session))!,
      sessionsOf: async () => ({ names: () => pages(sessions.keyed), since: () => pages(sessions.since) }),
      destroy: async (_org, _user, session) => {
        onDestroy(keys);
        return keys.get(of(session))!;
      },
    },
    admission: { erase: async (org, user) => void erased.push(`${org} ${user}`) },
    details: { holdings: async () => held.counts, sessionsOf: () => pages(sessions.indexed) },
    settled: (addresses, signal) => {
      waited.push([...addresses]);
      return settled(addresses, signal);
    },
    begun: makeBegunHere(),
    patienceMs: 20,
    receipts: { sign: async () => 'receipt' },
    clock: () => Date.UTC(2026, 2, 10),
    newId: () => `ers_${'0'.repeat(32)}`,
    logger: { info: () => {} },
    ...(told && { told }),
  };
  const erase = makeErase(ports);
  for (const topic of ['turns', 'observations'] as const)
    for (let partition = 0; partition < 4; partition++)
      await log.append([{ topic, key: '', partition, value: new Uint8Array(1) }]);
  const partitionsOf = (...names: string[]): number[] =>
    [...new Set(names.map(name => log.partitionOf(JSON.stringify(['acme', 'ada', name]))))].sort();
  return {
    log,
    ports,
    erase,
    another: makeErase(ports),
    begun: ports.begun,
    waited,
    erased,
    keys,
    held,
    sessions,
    partitionsOf,
  };
};

async function* pages(names: readonly string[]) {
  if (names.length > 0) yield names;
}

/** The partitions of each topic that were waited for. */
const partitionsIn = (addresses: readonly RecordAddress[] = []): number[][] =>
  TOPICS.map(topic =>
    addresses
      .filter(one => one.topic === topic)
      .map(({ partition }) => partition)
      .sort(),
  );
const inBoth = (partitions: readonly number[]): number[][] => TOPICS.map(() => [...partitions]);

const isErasure = ({ value }: LogRecord): boolean => value.length > 1;
const dataOf = ({ value }: LogRecord) =>
  (parseEnvelope(value) as unknown as { version: number; data: MemoryErased }).data;

it('names the user’s key in every partition, and waits for those of the user’s sessions alone', async () => {
  const { log, erase, waited, erased, partitionsOf } = await world();
  expect(await erase(USER, CONTEXT)).toMatchObject({ erased: COUNTS });
  for (const topic of TOPICS) {
    const events = log.records(topic).filter(isErasure);
    expect(events.map(({ partition }) => partition)).toEqual([0, 1, 2, 3]);
    for (const event of events)
      expect(dataOf(event)).toMatchObject({ session: null, key_ids: ['key-of-ada'], counts: COUNTS });
  }
  const own = partitionsOf('s1');
  expect(own.length).toBeLessThan(4);
  expect(waited.map(partitionsIn)).toEqual([inBoth(own), inBoth(own)]);
  expect(erased).toEqual(['acme ada']);
});

it('waits for a session that the index alone has, and for one that the keys alone have', async () => {
  const { erase, waited, sessions, partitionsOf } = await world();
  Object.assign(sessions, { keyed: ['s2'], indexed: ['s4'] });
  await erase(USER, CONTEXT);
  const own = partitionsOf('s2', 's4');
  expect(own.length).toBeGreaterThan(partitionsOf('s2').length);
  expect(waited.map(partitionsIn)).toEqual([inBoth(own), inBoth(own)]);
});

it('waits for a session whose first write came between the look and the event', async () => {
  const { log, erase, waited, sessions, partitionsOf } = await world();
  const late = ['s2', 's3', 's4', 's5'].find(
    name => partitionsOf('s1', name).length > partitionsOf('s1').length,
  )!;
  const { append } = log;
  log.append = async (records, ...payer) => {
    sessions.since = [late];
    return append(records, ...payer);
  };
  await erase(USER, CONTEXT);
  expect(waited.map(partitionsIn)).toEqual([inBoth(partitionsOf('s1')), inBoth(partitionsOf('s1', late))]);
});

it('asks for no more sessions once all partitions are waited for', async () => {
  const { erase, waited, sessions } = await world();
  sessions.keyed = Array.from({ length: 100 }, (_, n) => `s${n}`);
  Object.defineProperty(sessions, 'indexed', { get: () => expect.unreachable('there is none to be found') });
  Object.defineProperty(sessions, 'since', { get: () => expect.unreachable('there is none to be found') });
  await erase(USER, CONTEXT);
  expect(waited.map(partitionsIn)).toEqual([inBoth([0, 1, 2, 3]), inBoth([0, 1, 2, 3])]);
});

it('waits for the session’s own partitions alone, and writes to no other', async () => {
  const { log, erase, waited } = await world();
  await erase(SESSION, CONTEXT);
  const partition = log.partitionOf(JSON.stringify(['acme', 'ada', 's1']));
  const own = [
    { topic: 'turns', partition },
    { topic: 'observations', partition },
  ];
  expect(waited[0]).toEqual(own.map(one => ({ ...one, offset: 0 })));
  expect(waited[1]).toEqual(own.map(one => ({ ...one, offset: 1 })));
  const events = [...log.records('turns'), ...log.records('observations')].filter(isErasure);
  expect(events.map(dataOf).map(({ key_ids }) => key_ids)).toEqual([['key-of-s1'], ['key-of-s1']]);
});

it('names a key that was made after it was listed as well, before it answers', async () => {
  let isMade = false;
  const { log, erase } = await world(keys => {
    if (!isMade) keys.set('user', ['another']);
    isMade = true;
  });
  await erase(USER, CONTEXT);
  const named = log.records('turns').filter(isErasure).map(dataOf);
  expect(new Set(named.flatMap(({ key_ids }) => key_ids))).toEqual(new Set(['key-of-ada', 'another']));
});

it('appends nothing once nobody waits for it any more', async () => {
  const { log, erase, waited } = await world();
  const beginAppend = () => {
    expect(waited).toHaveLength(1);
    throw new Error('gone');
  };
  const deadline = { signal: new AbortController().signal, at: 0, appendUntil: 0, beginAppend };
  await expect(erase(USER, { correlationId: 'c1', budgets: NO_BUDGETS, deadline })).rejects.toThrow('gone');
  expect(log.records('turns').filter(isErasure)).toEqual([]);
});

it('counts what the read models hold once they have applied what was written before', async () => {
  const counts = { ...COUNTS, turns: 4 };
  const { log, erase, held } = await world(undefined, async () => {
    held.counts = counts;
  });
  expect(await erase(USER, CONTEXT)).toMatchObject({ erased: counts });
  for (const event of log.records('turns').filter(isErasure)) expect(dataOf(event)).toMatchObject({ counts });
});

it('is unavailable when the projections are behind, and ends the wait for them', async () => {
  const ended: unknown[] = [];
  const { erase } = await world(undefined, (_addresses, signal) =>
    // As who asks again after a pause that the signal ends.
    pause(60_000, undefined, { signal }).catch(error => {
      ended.push(error.name);
      throw error;
    }),
  );
  await expect(erase(USER, CONTEXT)).rejects.toMatchObject({ code: 'unavailable' });
  await vi.waitFor(() => expect(ended).toEqual(['AbortError']));
});

it('answers a repeated call when what the first one appended is applied', async () => {
  let isBehind = false;
  const { erase, waited, keys, held } = await world(undefined, async () => {
    if (isBehind) throw unavailable('behind');
    // From the second wait on: its event is in the log.
    isBehind = true;
  });
  await expect(erase(USER, CONTEXT)).rejects.toMatchObject({ code: 'unavailable' });
  keys.set('user', []);
  held.counts = NOTHING;
  await expect(erase(USER, CONTEXT)).rejects.toMatchObject({ code: 'unavailable' });
  expect(waited[2]).toEqual(waited[1]);
  isBehind = false;
  expect(await erase(USER, CONTEXT)).toMatchObject({ erased: NOTHING });
});

it('answers a call that is repeated at another process when what the first one appended is applied', async () => {
  let isBehind = false;
  const { log, erase, another, waited, keys, held, sessions, partitionsOf } = await world(
    undefined,
    async () => {
      if (isBehind) throw unavailable('behind');
      isBehind = true;
    },
  );
  await expect(erase(USER, CONTEXT)).rejects.toMatchObject({ code: 'unavailable' });
  // Each reader of the event destroys the key, and nothing is left of the sessions.
  keys.set('user', []);
  held.counts = NOTHING;
  Object.assign(sessions, { keyed: [], indexed: [] });
  const written = log.records('turns').length;
  await expect(another(USER, CONTEXT)).rejects.toMatchObject({ code: 'unavailable' });
  expect(partitionsIn(waited[2])).toEqual(inBoth(partitionsOf('s1')));
  isBehind = false;
  expect(await another(USER, CONTEXT)).toMatchObject({ erased: NOTHING });
  isBehind = false;
  expect(await another(USER, CONTEXT)).toMatchObject({ erased: NOTHING });
  expect(waited.at(-1)).toEqual([]);
  expect(log.records('turns')).toHaveLength(written);
});

it('says where an erasure is under way before it appends, and where it is as well before a key is destroyed', async () => {
  const { log, erase, sessions, begun, partitionsOf } = await world(() => said.push('destroy'));
  const late = ['s2', 's3', 's4', 's5'].find(
    name => partitionsOf('s1', name).length > partitionsOf('s1').length,
  )!;
  const said: unknown[] = [];
  const { append } = log;
  log.append = async (records, ...payer) => {
    said.push('append');
    sessions.since = [late];
    return append(records, ...payer);
  };
  const { begin } = begun;
  begun.begin = async (scope, partitions) => {
    said.push(
      partitions
        .filter(({ topic }) => topic === 'turns')
        .map(({ partition }) => partition)
        .sort(),
    );
    return begin(scope, partitions);
  };
  await erase(USER, CONTEXT);
  expect(said).toEqual([partitionsOf('s1'), 'append', partitionsOf('s1', late), 'destroy']);
  expect(await begun.begun(USER)).toEqual([]);
});

const NOTHING = { turns: 0, observations: 0, entities: 0, sessions: 0 };

it('appends nothing and waits for nothing where there is neither key nor document', async () => {
  const { log, erase, waited, erased, keys, held } = await world();
  for (const scope of ['user', 'session']) keys.set(scope, []);
  held.counts = NOTHING;
  for (const scope of [USER, SESSION])
    expect(await erase(scope, CONTEXT)).toMatchObject({ erased: NOTHING, receipt: 'receipt' });
  expect([log.records('turns').filter(isErasure), waited.flat(), erased]).toEqual([[], [], []]);
});

it('erases where only a key is left, or only a document', async () => {
  const onlyKey = await world();
  onlyKey.held.counts = NOTHING;
  const onlyDocument = await world();
  for (const scope of ['user', 'session']) onlyDocument.keys.set(scope, []);
  for (const { erase, log } of [onlyKey, onlyDocument]) {
    await erase(USER, CONTEXT);
    expect(log.records('turns').filter(isErasure)).toHaveLength(4);
  }
});

it('works on one erasure of an organization at a time, also after one that failed', async () => {
  const running = { now: 0, most: 0 };
  const { erase } = await world(undefined, async () => {
    running.now++;
    running.most = Math.max(running.most, running.now);
    await pause(5);
    running.now--;
    throw new Error('a fault');
  });
  const outcomes = await Promise.allSettled(Array.from({ length: 5 }, () => erase(USER, CONTEXT)));
  expect(outcomes.map(({ status }) => status)).toEqual(Array(5).fill('rejected'));
  expect(running.most).toBe(1);
});

it('erases somebody whose first write came while it was looked whether there is nobody', async () => {
  const { log, erase, keys, held } = await world();
  keys.set('user', []);
  held.counts = NOTHING;
  const looked = Object.defineProperty(held, 'counts', {
    get: () => {
      keys.set('user', ['key-of-ada']);
      return NOTHING;
    },
  });
  expect(await erase(USER, CONTEXT)).toMatchObject({ erased: looked.counts });
  expect(log.records('turns').filter(isErasure)).toHaveLength(4);
});

it('tells of an erasure once it is applied, and again where the call that should have told it failed', async () => {
  const told: object[] = [];
  let isDown = false;
  const { erase, ports, begun } = await world(undefined, undefined, async erasure => {
    if (isDown) throw unavailable('no accounts now');
    told.push(erasure);
  });
  const erasedAt = '2026-03-10T00:00:00.000Z';
  await erase(SESSION, CONTEXT);
  expect(told).toEqual([{ ...SESSION, id: `ers_${'0'.repeat(32)}`, erasedAt }]);
  isDown = true;
  await expect(erase(USER, CONTEXT)).rejects.toMatchObject({ code: 'unavailable' });
  expect(await begun.begun(USER)).not.toEqual([]);
  // By now there is nobody left to erase.
  isDown = false;
  const keys = { ...ports.keys, idsOf: async () => [] };
  const details = {
    ...ports.details,
    holdings: async () => ({ ...COUNTS, turns: 0, observations: 0, entities: 0, sessions: 0 }),
  };
  const again = makeErase({ ...ports, keys, details });
  await again(USER, CONTEXT);
  expect(told).toHaveLength(2);
  expect(told[1]).toMatchObject(USER);
  await again(USER, CONTEXT);
  expect(told).toHaveLength(2);
});
