import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { encodeEvent } from '../../../../../core/log/encode.ts';
import { makeRemovalCalls } from '../../../../../services/operations/removals/removal-calls.ts';
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

  it('are listed from an instant on', async () => {
    const log = memoryLog();
    await append(log, memoryErased(1));
    expect(await listOf(log, '9999-01-01')).toEqual([{ end: true, events: 0 }]);
    await expect(listOf(log, 'yesterday')).rejects.toMatchObject({ code: 'invalid' });
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
