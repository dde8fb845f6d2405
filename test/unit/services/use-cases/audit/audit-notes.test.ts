import { afterEach, expect, it } from 'vitest';
import { makePaidLog } from '../../../../../core/payers/paid-log.ts';
import { makeTill } from '../../../../../core/payers/till.ts';
import { addressClass } from '../../../../../services/use-cases/audit/address-class.ts';
import { makeAuditNotes, type Noted } from '../../../../../services/use-cases/audit/audit-notes.ts';
import { memoryLog } from '../../../../support/engines/memory-log.ts';
import { until } from '../../../../support/wait.ts';

const HOUR = 3_600_000;
const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

const noted = (changes: Partial<Noted> = {}): Noted => ({
  org: 'acme',
  requestId: '6f1f64b1-58a6-4ef3-9a3b-8a0a5d6b3f11',
  action: 'memory.feed',
  outcome: 'done',
  actor_kind: 'key',
  actor_key: 'k1',
  actor_user: 'ada',
  actor_address: 'loopback',
  target_kind: 'user',
  target_id: 'ada',
  target_user: 'ada',
  ...changes,
});

const world = (log = memoryLog()) => {
  const state = {
    now: Date.parse('2026-03-10T08:00:00Z'),
    isBroken: false,
    isUsedUp: false,
    isFull: false,
    taken: [] as string[],
  };
  const pay = makeTill({
    limiter: {
      take: async name => {
        state.taken.push(name.split(' ')[0]!);
        return state.isUsedUp ? 60 : undefined;
      },
    },
    shortage: () => (state.isFull ? 'full' : undefined),
  });
  const door = makePaidLog(
    {
      ...log,
      append: async records => {
        if (state.isBroken) throw new Error('the log is away');
        return log.append(records);
      },
    },
    pay,
  );
  const notes = makeAuditNotes({ log: door, clock: () => state.now });
  open.push(notes);
  const kept = async (): Promise<{ id: string; data: Record<string, unknown> }[]> => {
    const records = [];
    for (const [name, end] of Object.entries(await log.ends())) {
      const [topic, partition] = name.split('/');
      if (topic === 'audit' && end > 0)
        records.push(...(await log.read('audit', Number(partition), 0, 1_000)));
    }
    return records.map(({ value }) => JSON.parse(Buffer.from(value).toString()));
  };
  return { log, state, notes, kept };
};

it('keeps acts and reads whatever is used up, and of what is repeated for nothing no more', async () => {
  const { state, notes, kept } = world();
  state.isUsedUp = true;
  await notes.note(noted({ action: 'keys.create' }), 'each');
  await notes.note(noted({ action: 'memory.export' }), 'before');
  state.isUsedUp = false;
  await notes.note(noted({ action: 'sign_in' }), 'hourly');
  state.isUsedUp = true;
  await notes.note(noted({ action: 'memory.read', outcome: 'refused' }), 'hourly');
  Object.assign(state, { isUsedUp: false, isFull: true });
  await notes.note(noted({ action: 'memory.erase', outcome: 'unchanged' }), 'hourly');
  expect((await kept()).map(({ data }) => data.action).sort()).toEqual([
    'keys.create',
    'memory.export',
    'sign_in',
  ]);
  // Refusals without end don't hide who came.
  expect(state.taken).toEqual(['audited-keys', 'audited-calls']);
});

it('keeps each act, and one entry an hour of what may be repeated for nothing', async () => {
  const { state, notes, kept } = world();
  for (let i = 0; i < 3; i++) {
    await notes.note(noted({ action: 'keys.create' }), 'each');
    await Promise.all([notes.note(noted(), 'before'), notes.note(noted(), 'hourly')]);
  }
  expect(await kept()).toHaveLength(4);
  await notes.note(noted({ outcome: 'refused' }), 'hourly');
  await notes.note(noted({ actor_key: 'k2' }), 'hourly');
  await notes.note(noted({ org: 'globex' }), 'hourly');
  state.now += HOUR;
  await notes.note(noted(), 'hourly');
  const all = await kept();
  expect(all).toHaveLength(8);
  expect(new Set(all.map(({ id }) => id)).size).toBe(8);
});

it('gives the entry of an hour the same id in every process, and after a restart', async () => {
  const one = world();
  const other = world(one.log);
  await one.notes.note(noted(), 'hourly');
  other.state.now += 20 * 60_000;
  await other.notes.note(noted({ requestId: 'another' }), 'hourly');
  const all = await one.kept();
  expect(all).toHaveLength(2);
  expect(new Set(all.map(({ id }) => id)).size).toBe(1);
});

it('has one entry for all targets past a hundred of a key and an action', async () => {
  const { notes, kept } = world();
  for (let i = 0; i < 500; i++)
    await notes.note(noted({ target_id: `u${i}`, target_user: `u${i}` }), 'hourly');
  const all = await kept();
  expect(all).toHaveLength(101);
  expect(all.filter(({ data }) => data.target_kind === null)).toHaveLength(1);
  await notes.note(noted({ action: 'memory.export', target_id: 'more' }), 'hourly');
  expect(await kept()).toHaveLength(102);
});

it('lets no read go on without its entry, and keeps that of an act until the log is back', async () => {
  const { state, notes, kept } = world();
  state.isBroken = true;
  await expect(notes.note(noted(), 'before')).rejects.toMatchObject({ code: 'unavailable' });
  await notes.note(noted(), 'hourly');
  await notes.note(noted({ action: 'keys.revoke' }), 'each');
  await expect(notes.probe()).rejects.toThrow('1 entries wait');
  state.isBroken = false;
  await until('the entry is there', async () => (await kept()).length === 1);
  expect(await notes.probe()).toBe('writes');
  await notes.note(noted(), 'before');
  expect(await kept()).toHaveLength(2);
});

it('counts the entries that it could not keep', async () => {
  const { state, notes } = world();
  state.isBroken = true;
  for (let i = 0; i < 1_003; i++) await notes.note(noted(), 'each');
  const [waiting, lost] = notes.gauges.map(({ read }) => read());
  expect([waiting, lost]).toEqual([1_000, 3]);
});

it('appends what waits when it is closed', async () => {
  const { state, notes, kept } = world();
  state.isBroken = true;
  await notes.note(noted(), 'each');
  state.isBroken = false;
  await notes.close();
  expect(await kept()).toHaveLength(1);
});

it.each([
  ['127.0.0.1', 'loopback'],
  ['::ffff:127.0.0.1', 'loopback'],
  ['::1', 'loopback'],
  ['10.1.2.3', 'private'],
  ['172.31.0.1', 'private'],
  ['fd00::7', 'private'],
  ['fe80::1%eth0', 'private'],
  ['203.0.113.77', '203.0.113.0/24'],
  ['::ffff:203.0.113.77', '203.0.113.0/24'],
  ['2001:db8:1:2:3::4', '2001:db8:1::/48'],
  ['unknown', null],
  ['', null],
])('names the address %s as %s', (address, name) => {
  expect(addressClass(address)).toBe(name);
});
