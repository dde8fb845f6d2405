import { afterEach, describe, expect, it } from 'vitest';
import type { MemoryStats } from '../../../../../../schemas/http/stats.ts';
import { type StubService, startStub } from '../../../../../support/http/stub-service.ts';
import { runCommand } from '../../../../../support/processes/command-line.ts';

let stub: StubService | undefined;
afterEach(async () => {
  await stub?.close();
  stub = undefined;
});

const day = (date: string, counts: Partial<MemoryStats['days'][number]> = {}) => ({
  ...{ day: date, turns: 0, users: 0, sessions: 0, facts: 0, recalls: 0 },
  ...counts,
});
const counted: MemoryStats = {
  days: [
    day('2026-03-07'),
    day('2026-03-08', { turns: 1_200, users: 4, sessions: 7, facts: 31, recalls: 20 }),
    day('2026-03-09', { recalls: 1 }),
  ],
  latency_ms: [
    { up_to: 5, recalls: 12 },
    { up_to: 10, recalls: 7 },
    { up_to: null, recalls: 2 },
  ],
  confidence: [],
};

const command = async (body: MemoryStats, ...args: string[]) => {
  stub = await startStub(({ path }) =>
    path.startsWith('/memory/stats') ? { status: 200, body } : undefined,
  );
  return runCommand(['stats', ...args], { TURNSTONE_URL: stub.url, TURNSTONE_API_KEY: 'ts_key' });
};

describe('turnstone stats', () => {
  it('prints the days on which anything happened, and how fast recalls were', async () => {
    const { status, stdout } = await command(counted, '--days', '3', '--user', 'ada');
    expect([status, stub!.paths().at(-1)]).toEqual([0, '/memory/stats?user_id=ada&days=3']);
    expect(stdout.split('\n')).toEqual([
      'day (UTC)   turns  users  sessions  facts  recalls',
      '2026-03-08  1,200      4         7     31       20',
      '2026-03-09      0      0         0      0        1',
      'recalls: half within 5 ms, 95 % within over 10 ms',
      '',
    ]);
  });

  it('says so where nothing happened, and prints JSON', async () => {
    const nothing = { ...counted, days: [day('2026-03-07')], latency_ms: [] };
    expect((await command(nothing)).stdout).toBe('Nothing happened in 1 days.\n');
    await stub!.close();
    expect(JSON.parse((await command(counted, '--json')).stdout)).toEqual(counted);
    await stub!.close();
    expect((await command(counted, '--days', '367')).status).toBe(2);
  });
});
