/** Many erasures at once, of somebody and of nobody, beside a tenant that writes. The same in both modes. */
import { expect, test } from 'vitest';
import { type Client, expectStatus, settled } from '../support/http/client.ts';
import { turn } from '../support/worlds/builders.ts';

export interface World {
  url: string;
  good: Client;
  /** A client of another organization. */
  hostile: Client;
}

const ERASURES = 200;
const AT_ONCE = 8;
/** Writes of the good tenant that are timed. */
const WRITES = 10;
/** Twice of little is little: a busy machine takes longer. Before, it was minutes. */
const LEAST_MS = 3_000;

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;

export const erasureTests = (world: () => World): void => {
  test('many erasures at once leave the turns of another organization searchable in twice their time alone', async () => {
    const { url, good, hostile } = world();
    let n = 0;
    /** Milliseconds from each write until the read models have it. */
    const searchable = async (): Promise<number[]> => {
      const times: number[] = [];
      for (let i = 0; i < WRITES; i++) {
        const began = performance.now();
        await good.ingest({ scope: { session_id: `s${n % 3}` }, turns: [turn(n++)] });
        await settled(url, 120_000);
        times.push(performance.now() - began);
      }
      return times;
    };
    // Every second one has something to erase.
    const users = Array.from({ length: ERASURES }, (_, i) => `user${i}`);
    for (const user_id of users.filter((_, i) => i % 2 === 0))
      await hostile.ingest({ scope: { user_id }, turns: [turn(1)] });
    await settled(url, 120_000);
    await searchable();
    const alone = median(await searchable());

    const left = [...users];
    const statuses: number[] = [];
    const eraser = async (): Promise<void> => {
      for (let user_id = left.shift(); user_id !== undefined; user_id = left.shift()) {
        const answer = await hostile.request('DELETE', '/memory', { scope: { org_id: 'any', user_id } });
        statuses.push(answer.status);
      }
    };
    const erasing = Promise.all(Array.from({ length: AT_ONCE }, eraser));
    const beside = median(await searchable());
    await erasing;
    console.log(`searchable after ${alone.toFixed(0)} ms alone, ${beside.toFixed(0)} ms beside erasures`);
    expect(beside).toBeLessThan(Math.max(2 * alone, LEAST_MS));
    expect(statuses.filter(status => status !== 200)).toEqual([]);
    for (const user_id of users.slice(0, 4)) {
      const { hits } = await hostile.recall({ q: 'what was planted?', scope: { user_id } });
      expect(hits.turns).toEqual([]);
    }
    expectStatus(await good.request('GET', '/memory/turns'), 200);
  }, 600_000);
};
