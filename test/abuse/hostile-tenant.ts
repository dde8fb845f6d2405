/**
 * A good tenant beside a hostile one: what it waits for its calls, and which are refused. The same in both
 * modes.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Client } from '../support/http/client.ts';
import { isLong, rounds } from '../support/long.ts';
import type { Server } from '../support/processes/server.ts';
import { pause } from '../support/wait.ts';
import { turn } from '../support/worlds/builders.ts';

export interface World {
  api: Server;
  good: Client;
  /** The key of another organization, without caps. */
  hostileKey: string;
}

const ALONE_MS = rounds(8_000, 60_000);
const BESIDE_MS = rounds(20_000, 600_000);
const BETWEEN_CALLS_MS = 50;
/** Some seconds have too few calls for a p99 to be compared; they show that nothing stands still. */
const MOST_MS = 5_000;

/** The memory that infra/compose.yaml gives to a process that answers calls. */
const MOST_MEGABYTES = 1_280;
/** Calls of the hostile tenant, as it counts them. */
const AT_ONCE = ['largest writes', 'known turns', 'recalls', 'erasures', 'titles', 'names', 'receipts'];

interface Measured {
  /** Milliseconds, ascending. */
  writes: number[];
  recalls: number[];
  refused: string[];
}

/** Writes and asks as people do, a call after the other, until the time is over. */
const measure = async (good: Client, ms: number): Promise<Measured> => {
  const end = performance.now() + ms;
  const refused: string[] = [];
  const times = async (call: (n: number) => Promise<unknown>): Promise<number[]> => {
    const all: number[] = [];
    for (let n = 0; performance.now() < end; n++) {
      const began = performance.now();
      await call(n).catch(error => refused.push(String(error)));
      all.push(performance.now() - began);
      await pause(BETWEEN_CALLS_MS);
    }
    return all.sort((a, b) => a - b);
  };
  const from = Math.floor(performance.now());
  const [writes, recalls] = await Promise.all([
    times(n => good.ingest({ scope: { session_id: `s${n % 10}` }, turns: [turn(from + n)] })),
    times(() => good.recall({ q: 'what was planted?' })),
  ]);
  return { writes, recalls, refused };
};

const p99 = (ascending: readonly number[]): number => ascending[Math.floor(ascending.length * 0.99)]!;

type Seen = Record<string, Record<string, number>>;

const attack = async (url: string, key: string) => {
  const child: ChildProcess = spawn(
    process.execPath,
    [new URL('./attack.ts', import.meta.url).pathname, url, key],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  let printed = '';
  child.stdout!.setEncoding('utf8').on('data', text => {
    printed += text;
  });
  await once(child.stdout!, 'data');
  return async (): Promise<Seen> => {
    child.kill('SIGTERM');
    await once(child, 'close');
    return JSON.parse(printed.slice(printed.indexOf('{')));
  };
};

const peakMegabytes = ({ child }: Server): number =>
  Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))![1]) / 1_024;

/** Registers the test, which prints a line of its figures. */
export const hostileTenantTests = (mode: string, world: () => World): void => {
  test(
    'a hostile tenant makes no call of a good one fail, and few of them slow',
    async () => {
      const { api, good, hostileKey } = world();
      // Compiles what is compiled at first use.
      await measure(good, 2_000);
      const alone = await measure(good, ALONE_MS);
      const end = await attack(api.url, hostileKey);
      const beside = await measure(good, BESIDE_MS);
      const seen = await end();
      const ratios = [p99(beside.writes) / p99(alone.writes), p99(beside.recalls) / p99(alone.recalls)];
      console.log(
        `${mode}: p99 of a write ${p99(alone.writes).toFixed(1)} → ${p99(beside.writes).toFixed(1)} ms, of a recall ` +
          `${p99(alone.recalls).toFixed(1)} → ${p99(beside.recalls).toFixed(1)} ms; ${beside.writes.length} writes, ` +
          `${beside.recalls.length} recalls; peak ${peakMegabytes(api).toFixed(0)} MiB; the hostile one: ${JSON.stringify(seen)}`,
      );
      for (const what of [...AT_ONCE, 'slow posts', 'feeds'])
        expect(
          Object.values(seen[what] ?? {}).reduce((sum, n) => sum + n, 0),
          what,
        ).toBeGreaterThan(0);
      expect([alone.refused, beside.refused]).toEqual([[], []]);
      expect(peakMegabytes(api)).toBeLessThan(MOST_MEGABYTES);
      expect((await fetch(`${api.url}/readyz`)).status).toBe(200);
      for (const ratio of ratios) if (isLong) expect(ratio).toBeLessThan(5);
      expect(Math.max(p99(beside.writes), p99(beside.recalls))).toBeLessThan(MOST_MS);
    },
    ALONE_MS + BESIDE_MS + 60_000,
  );
};
