import { expect, it } from 'vitest';
import type { IngestAnswer, IngestBody } from '../../schemas/http/ingestion.ts';
import { billedByLog } from '../contracts/openers/log.ts';
import { connect, inParallel } from '../support/http/client.ts';
import { rounds } from '../support/long.ts';
import { startServer, temporaryFolder } from '../support/processes/server.ts';
import { until } from '../support/wait.ts';
import { sentence } from '../support/worlds/builders.ts';

const ROUNDS = rounds(3, 6);
const CLIENTS = 6;
const USERS = ['ada', 'grace', 'edsger'];
/** A day that no round can leave. */
const environment = { TURNSTONE_CLOCK: '2026-03-10T08:00:00Z' };

interface Sent {
  body: Pick<IngestBody, 'turns'> & { scope: { user_id: string; session_id: string } };
  answer?: IngestAnswer;
}

const writeOf = (n: number): Sent['body'] => ({
  scope: { user_id: USERS[n % USERS.length]!, session_id: `session-${n % 2}` },
  turns: [0, 1].map(i => ({
    role: 'user',
    text: sentence(2 * n + i),
    timestamp: new Date(Date.UTC(2026, 2, 1) + n * 60_000 + i).toISOString(),
    observations: i === 1 ? [`ref${2 * n} was worth a fortune`] : [],
  })),
});

/**
 * Invariants 1 and 3. Switched off by hand: infra/embedded/log/writer.thread.ts answers, and commits 300 ms
 * later → "expected 3487 to be greater than or equal to 6776": tokens that were acknowledged and are not in
 * the log.
 */
it('keeps and bills once what was acknowledged, through kill -9 at random moments', async () => {
  const dataDir = temporaryFolder();
  const sent: Sent[] = [];
  let delivered = { tokens_in: 0, tokens_out: 0 };
  const bill = ({ tokens_in, tokens_out }: { tokens_in: number; tokens_out: number }): void => {
    delivered = { tokens_in: delivered.tokens_in + tokens_in, tokens_out: delivered.tokens_out + tokens_out };
  };

  for (let round = 0; round < ROUNDS; round++) {
    const server = await startServer({ dataDir, environment });
    const client = await connect(server);
    const enough = 20 + Math.floor(Math.random() * 60);
    let acknowledged = 0;
    let killed = false;
    const load = async (): Promise<void> => {
      while (!killed) {
        const one: Sent = { body: writeOf(sent.length) };
        sent.push(one);
        try {
          one.answer = await client.ingest(one.body);
          bill(one.answer.usage);
          acknowledged++;
          if (acknowledged % 7 === 0) bill((await client.recall({ q: 'who sold the violin?' })).usage);
        } catch (error) {
          // A cut connection is what this test is about; an answer that isn't 202 is a fault.
          if (!killed || String(error).includes('status')) throw error;
        }
      }
    };
    const loads = Promise.all(Array.from({ length: CLIENTS }, load));
    await Promise.race([
      loads,
      until(`${enough} writes of round ${round}`, () => acknowledged >= enough, 60_000),
    ]);
    killed = true;
    await server.kill();
    await loads;
  }

  const server = await startServer({ dataDir, environment });
  const client = await connect(server);
  const atStart = await client.today();
  expect(atStart.tokens_in).toBeGreaterThanOrEqual(delivered.tokens_in);
  expect(atStart.tokens_out).toBeGreaterThanOrEqual(delivered.tokens_out);

  const missing: string[] = [];
  await inParallel(sent.length, 8, async n => {
    const { body, answer } = sent[n]!;
    if (!answer) return;
    for (const [i, id] of answer.active_fragment_ids.entries()) {
      const q = body.turns[i]!.text;
      const { hits } = await client.recall({ q, scope: { user_id: body.scope.user_id } });
      if (!hits.turns.some(hit => hit.id === id && hit.text.includes(q))) missing.push(q);
    }
  });
  expect(missing).toEqual([]);

  // Whatever a cut connection left in doubt is settled by a retry; a second one bills nothing.
  const { tokens_in: before } = await client.today();
  let retried = 0;
  await inParallel(sent.length, 8, async n => {
    const { body, answer } = sent[n]!;
    const again = await client.ingest(body);
    retried += again.usage.tokens_in;
    if (!answer) return;
    expect(again).toMatchObject({
      job_id: answer.job_id,
      active_fragment_ids: answer.active_fragment_ids,
      usage: { tokens_in: 0 },
    });
  });
  const usage = await client.today();
  expect(usage.tokens_in).toBe(before + retried);
  await inParallel(sent.length, 8, async n => {
    expect((await client.ingest(sent[n]!.body)).usage).toEqual({ tokens_in: 0, tokens_out: 0 });
  });
  expect(await client.today()).toEqual(usage);

  expect(await server.stop()).toBe(0);
  const { turns, ...billed } = await billedByLog(dataDir);
  expect(turns.size).toBe(sent.length * 2);
  expect({ tokens_in: usage.tokens_in, tokens_out: usage.tokens_out }).toEqual(billed);
});
