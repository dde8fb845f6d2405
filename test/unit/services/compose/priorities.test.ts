import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Server, startServer } from '../../../support/processes/server.ts';

/** The nice levels of a process's threads, by the names that the kernel knows them by. */
const nicesOf = (pid: number): [name: string, nice: number][] =>
  readdirSync(`/proc/${pid}/task`).map(id => {
    const stat = readFileSync(`/proc/${pid}/task/${id}/stat`, 'utf8');
    // The name is in brackets and may have some itself; nice is the seventeenth field after it.
    const end = stat.lastIndexOf(')');
    return [stat.slice(stat.indexOf('(') + 1, end), Number(stat.slice(end + 2).split(' ')[16])];
  });

describe.runIf(process.platform === 'linux')('priorities in one process', () => {
  let server: Server;
  beforeAll(async () => {
    server = await startServer();
  });
  afterAll(() => server?.kill());

  it("V8's own threads come after the thread that answers calls", () => {
    const nices = nicesOf(server.child.pid!);
    const own = nices.filter(([name]) => name.startsWith('V8Worker'));
    expect(own.length).toBeGreaterThan(0);
    expect(new Set(own.map(([, nice]) => nice))).toEqual(new Set([5]));
    expect(nices[0]![1]).toBe(0);
  });
});
