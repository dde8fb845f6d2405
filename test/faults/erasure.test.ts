import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { untilGone, wordsIn } from '../support/files/find-words.ts';
import { type Client, connect, expectStatus, settled } from '../support/http/client.ts';
import { rounds } from '../support/long.ts';
import { startServer, temporaryFolder } from '../support/processes/server.ts';
import { pause, until } from '../support/wait.ts';

const environment = { TURNSTONE_CLOCK: '2026-03-10T08:00:00Z' };
const ROUNDS = rounds(3, 5);
const WRITERS = 4;

const writeOf = (user: string, n: number) => ({
  scope: { user_id: user, session_id: `session${n % 3}` },
  turns: [
    {
      role: 'user',
      text: `Petra sold the bassoon${user}${n}x to Ignatius in Ljubljana${user}.`,
      timestamp: new Date(Date.UTC(2026, 2, 1) + n * 60_000).toISOString(),
      observations: [`the violoncello${user} was next`],
    },
  ],
});

const WORDS = ['bassoonada', 'ljubljanaada', 'violoncelloada'];
const told = async (client: Client, words: readonly string[]): Promise<string[]> => {
  const answers = [];
  for (const mode of ['active', 'deep'] as const)
    answers.push(
      await client.recall({
        q: 'Who sold the bassoon in Ljubljana?',
        mode,
        top_k: 30,
        include_timeline: true,
      }),
    );
  return wordsIn(Buffer.from(JSON.stringify(answers)), words);
};
const erasure = (client: Client) =>
  client.request<object>('DELETE', '/memory', { scope: { org_id: 'any', user_id: 'ada' } });

/**
 * Under load into the scope that is erased, with kill -9 somewhere between the first byte of the call and its
 * answer. Switched off by hand: see docs/internals/decisions/removals/0018, "Seen to fail".
 */
it('is complete once it was answered, through kill -9 in its middle and writes into its scope', async () => {
  const dataDir = temporaryFolder();
  let n = 0;
  let delivered = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const server = await startServer({ dataDir, environment });
    const client = await connect(server);
    let over = false;
    const writer = async (): Promise<void> => {
      while (!over) {
        const number = n++;
        try {
          delivered += (await client.ingest(writeOf(number % 2 ? 'ada' : 'grace', number))).usage.tokens_in;
        } catch (error) {
          // A write may be refused while its keys are destroyed.
          if (String(error).includes('are being destroyed')) continue;
          if (!over || String(error).includes('status')) throw error;
        }
      }
    };
    const writers = Promise.all(Array.from({ length: WRITERS }, writer));
    const enough = n + 60;
    await until('there is something to erase', () => n >= enough);
    if (round % 2) {
      // Answered under load: nothing that was acknowledged before the call is told after it.
      const before = Array.from({ length: 20 }, (_, i) => `bassoonada${n - 41 - 2 * i + (n % 2)}x`);
      expectStatus(await erasure(client), 200);
      expect(await told(client, before)).toEqual([]);
    } else {
      const cut = erasure(client).catch(() => undefined);
      await pause(Math.random() * 80);
      over = true;
      await server.kill();
      await cut;
    }
    over = true;
    await server.kill();
    await writers;
  }

  let server = await startServer({ dataDir, environment });
  let client = await connect(server);
  await settled(server.url);
  const two = await Promise.all([erasure(client), erasure(client)]);
  for (const answer of two) expectStatus(answer, 200);
  expect(await told(client, WORDS)).toEqual([]);
  await untilGone(dataDir, WORDS);
  expect(await told(client, ['bassoongrace'])).toEqual(['bassoongrace']);
  const { tokens_in: bill } = await client.today();
  expect(bill).toBeGreaterThanOrEqual(delivered);
  expect(await server.stop()).toBe(0);

  for (const name of readdirSync(dataDir)) if (name.startsWith('projections')) rmSync(join(dataDir, name));
  server = await startServer({ dataDir, environment });
  client = await connect(server);
  await settled(server.url);
  expect((await client.today()).tokens_in).toBe(bill);
  expect(await told(client, WORDS)).toEqual([]);
  await untilGone(dataDir, WORDS);
  expect(await told(client, ['bassoongrace'])).toEqual(['bassoongrace']);
  expect(await server.stop()).toBe(0);
});
