import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { encodeEvent } from '../../../../../core/log/encode.ts';
import type { Removal } from '../../../../../core/operator/removals.ts';
import { makeRemovalCalls } from '../../../../../services/operations/removals/removal-calls.ts';
import { nameOf, removalsSince } from '../../../../../services/operations/removals/removals-of-log.ts';
import { memoryLog } from '../../../../support/engines/memory-log.ts';
import { temporaryFolder } from '../../../../support/processes/server.ts';
import { type Logged, memoryErased } from '../../../../support/worlds/builders.ts';

const never = new AbortController().signal;
type Log = ReturnType<typeof memoryLog>;

const append = (log: Log, event: Logged<object>) =>
  log.append([{ topic: event.topic, partition: event.partition, key: '', value: encodeEvent(event) }]);
const callsOf = (log: Log) => makeRemovalCalls({ log, applied: async () => true });
const listOf = (log: Log, since?: string) =>
  Array.fromAsync(callsOf(log)['removals.list'](since === undefined ? {} : { since }, never));
const fileOf = (lines: readonly object[]): string => {
  const path = join(temporaryFolder(), 'removals.jsonl');
  writeFileSync(path, lines.map(line => `${JSON.stringify(line)}\n`).join(''));
  return path;
};
const repeat = (log: Log, path: string) => Array.fromAsync(callsOf(log)['removals.repeat']({ path }, never));

const expired = (n: number, session: string, keyIds: string[]): Logged<object> => {
  const { owner, session: digest } = memoryErased(n, { session }).data;
  const data = { owner, session: digest, key_ids: keyIds, before: 0, turn_ids: [] };
  return { ...memoryErased(n), id: `exp_${n}`, type: 'memory.expired', data };
};

describe('removals', () => {
  it('are appended where a log lacks them, once, in their partition', async () => {
    const live = memoryLog();
    const copy = memoryLog();
    const [before, after] = [memoryErased(1), memoryErased(2, { partition: 3, key_ids: ['k'] })];
    for (const log of [live, copy]) await append(log, before);
    await append(live, after);
    const path = fileOf(await listOf(live));
    expect(await repeat(copy, path)).toEqual([
      { kind: 'checked', events: 1, known: 1, dryRun: false },
      { kind: 'repeated', events: 1, applied: true },
    ]);
    expect(copy.records('turns').map(({ partition }) => partition)).toEqual([0, 3]);
    expect((await repeat(copy, path)).at(-1)).toMatchObject({ events: 0 });
  });

  it('of a session name the keys that it lost before by expiry', async () => {
    const log = memoryLog();
    await append(log, expired(1, 's', ['former']));
    await append(log, expired(2, 'other', ['others']));
    await append(log, memoryErased(3, { session: 's', key_ids: ['current'] }));
    const [line] = await listOf(log);
    expect(line).toMatchObject({ event: { data: { key_ids: ['current', 'former'] } } });
  });

  it('of many sessions name the same keys, however few are held at a time', async () => {
    const log = memoryLog();
    for (let n = 0; n < 40; n++) {
      await append(log, expired(n, `s${n % 20}`, [`former ${n}`]));
      if (n % 3 === 0)
        await append(log, memoryErased(100 + n, { session: `s${n % 20}`, key_ids: [`k ${n}`] }));
    }
    const all = await Array.fromAsync(removalsSince(log, ''));
    expect(all).toHaveLength(14);
    // Keys that a session lost after it was erased may be named: they are destroyed as well.
    const keysOf = ({ event }: Removal) => new Set((event.data as { key_ids: string[] }).key_ids);
    let reads = 0;
    const read: Log['read'] = (...of) => {
      reads++;
      return log.read(...of);
    };
    const counted = { ...log, read };
    const bounded = await Array.fromAsync(removalsSince(counted, '', { mostLost: 3, atOnce: 5 }));
    expect(bounded.map(nameOf)).toEqual(all.map(nameOf));
    for (const [i, one] of all.entries())
      expect(keysOf(bounded[i]!)).toEqual(keysOf(bounded[i]!).union(keysOf(one)));
    expect(keysOf(bounded.at(-1)!).size).toBe(3);
    const once = Object.values(await log.ends()).filter(end => end > 0).length;
    expect(reads).toBeLessThanOrEqual(4 * 12 * once);
  });

  it('are listed from an instant on', async () => {
    const log = memoryLog();
    await append(log, memoryErased(1));
    expect(await listOf(log, '9999-01-01')).toEqual([{ end: true, events: 0 }]);
    await expect(listOf(log, 'yesterday')).rejects.toMatchObject({ code: 'invalid' });
  });

  it('of a list of any length are compared and appended a window at a time, each once', async () => {
    const log = memoryLog();
    const live = memoryLog();
    for (let n = 0; n < 50; n++) await append(live, memoryErased(n, { partition: n % 4 }));
    for (let n = 0; n < 50; n += 7) await append(log, memoryErased(n, { partition: n % 4 }));
    const lines = (await listOf(live)).slice(0, -1);
    const path = fileOf([
      ...lines.flatMap((one, n) => (n % 4 ? [one] : [one, one])),
      { end: true, events: 63 },
    ]);
    const waited: number[] = [];
    const applied = async (addresses: readonly unknown[]) => waited.push(addresses.length) > 0;
    const calls = makeRemovalCalls({ log, applied, window: 5 });
    expect(await Array.fromAsync(calls['removals.repeat']({ path }, never))).toEqual([
      { kind: 'checked', events: 42, known: 21, dryRun: false },
      { kind: 'repeated', events: 42, applied: true },
    ]);
    expect(
      new Set(log.records('turns').map(({ value }) => JSON.parse(String(Buffer.from(value))).id)).size,
    ).toBe(50);
    expect(log.records('turns')).toHaveLength(50);
    expect(waited).toEqual([4]);
  });

  it('beside faulty lines are appended if the caller says so, and the faults are told all the same', async () => {
    const log = memoryLog();
    const live = memoryLog();
    for (let n = 0; n < 3; n++) await append(live, memoryErased(n, { partition: n }));
    const [first, second, third] = (await listOf(live)) as [Removal, Removal, Removal];
    const path = fileOf([first, { ...second, partition: 9 }, third]);
    const messages = await Array.fromAsync(
      callsOf(log)['removals.repeat']({ path, skipFaulty: true }, never),
    );
    expect(messages).toEqual([
      {
        kind: 'faults',
        faults: [
          { line: 2, fault: 'names a partition that this log lacks' },
          { line: 3, fault: expect.stringContaining('the file was cut short') },
        ],
        omitted: 0,
        skipped: true,
      },
      { kind: 'checked', events: 2, known: 0, dryRun: false },
      { kind: 'repeated', events: 2, applied: true },
    ]);
    expect(log.records('turns').map(({ partition }) => partition)).toEqual([0, 2]);
  });

  it('of a faulty list are not appended, and every fault is told', async () => {
    const log = memoryLog();
    const removal = { topic: 'turns', partition: 0, event: { ...memoryErased(1), topic: undefined } };
    const lines = [
      { ...removal, partition: 9 },
      { ...removal, topic: 'usage' },
      { topic: 'turns', partition: 0 },
    ];
    const [faults] = await repeat(log, fileOf(lines));
    expect(faults).toMatchObject({
      kind: 'faults',
      faults: [
        { line: 1, fault: 'names a partition that this log lacks' },
        { line: 2, fault: 'names a partition that this log lacks' },
        { line: 3, fault: expect.stringContaining('is not an event of the log') },
        { line: 3, fault: expect.stringContaining('the file was cut short') },
      ],
    });
    expect(log.records('turns')).toEqual([]);
    await expect(repeat(log, '/nowhere/list')).rejects.toMatchObject({ code: 'invalid' });
  });
});
