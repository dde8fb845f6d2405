/**
 * Many clients ask about all that an organization ever said, for a minute: every one is answered or refused
 * within the deadline, and the bill is the sum of the answers. It takes a size at which most are refused;
 * unanswered.ts shows the same in seconds, with a search that is slow.
 */
import { expect, it } from 'vitest';
import type { RecallAnswer } from '../../schemas/http/recall.ts';
import { accessToken, connect, inParallel, send } from '../support/http/client.ts';
import { isLong } from '../support/long.ts';
import { startServer } from '../support/processes/server.ts';
import { pause } from '../support/wait.ts';
import { sentence } from '../support/worlds/builders.ts';

const TURNS = 1_000_000;
const A_WRITE = 500;
const CLIENTS = 300;
const ASKING_MS = 60_000;
/** The deadline of a call, and what it takes to deliver its refusal on a busy machine. */
const LATEST_MS = 35_000;

it.runIf(isLong)(
  'bills what it answered of organization-wide recalls, and nothing of those that it refused',
  async () => {
    const server = await startServer({
      environment: { TURNSTONE_QUOTA_TOKENS_IN: '0', TURNSTONE_QUOTA_TOKENS_OUT: '0' },
    });
    const token = await accessToken(server.url, server.apiKey);
    const client = await connect(server, token);
    await inParallel(TURNS / A_WRITE, 4, async write => {
      const turns = Array.from({ length: A_WRITE }, (_, i) => ({
        role: 'user',
        text: sentence(write * A_WRITE + i),
        timestamp: new Date(Date.now() - 3_600_000 + i).toISOString(),
      }));
      const scope = { org_id: 'any', user_id: `u${write % 50}`, session_id: `s${write}` };
      for (;;) {
        const { status } = await client.request('POST', '/ingestion/memory', { scope, turns });
        if (status === 202) return;
        expect(status).toBe(503);
        await pause(500);
      }
    });

    const before = await client.today();
    const said = { tokens_in: 0, tokens_out: 0 };
    const statuses: Record<number, number> = {};
    let slowest = 0;
    const end = performance.now() + ASKING_MS;
    const ask = async (worker: number): Promise<void> => {
      for (let n = worker; performance.now() < end; n += CLIENTS) {
        const started = performance.now();
        const body = { scope: { org_id: 'any' }, q: sentence(n), mode: n % 3 ? 'active' : 'deep', top_k: 30 };
        const answer = await send<RecallAnswer>(`${server.url}/recall`, 'POST', body, token);
        slowest = Math.max(slowest, performance.now() - started);
        statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
        if (answer.status === 200) {
          said.tokens_in += answer.body.usage.tokens_in;
          said.tokens_out += answer.body.usage.tokens_out;
        } else {
          expect(answer.status).toBe(503);
          await pause(1_000 * Number(answer.headers.get('retry-after')));
        }
      }
    };
    await Promise.all(Array.from({ length: CLIENTS }, (_, worker) => ask(worker)));
    console.log(JSON.stringify({ statuses, slowest: Math.round(slowest), ...said }));
    expect(said.tokens_out).toBeGreaterThan(0);
    const { tokens_in, tokens_out } = await client.today();
    expect({ tokens_in: tokens_in - before.tokens_in, tokens_out: tokens_out - before.tokens_out }).toEqual(
      said,
    );
    expect(slowest).toBeLessThan(LATEST_MS);
    expect(await server.stop()).toBe(0);
  },
  1_800_000,
);
