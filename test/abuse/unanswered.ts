/**
 * Recalls of a whole organization by many clients at once, which take longer than the deadline, or whose
 * client doesn't wait: what an answer said is billed, and nothing else.
 */
import { expect, it } from 'vitest';
import type { Engines } from '../../core/ports/engines.ts';
import type { IngestAnswer } from '../../schemas/http/ingestion.ts';
import type { RecallAnswer } from '../../schemas/http/recall.ts';
import { send } from '../support/http/client.ts';
import { type InProcess, type InProcessOptions, serveInProcess } from '../support/processes/in-process.ts';
import { pause, until } from '../support/wait.ts';
import { sentence, turn } from '../support/worlds/builders.ts';

const DEADLINE_MS = 3_000;
const CLIENTS = 40;
const TURNS = 600;

/** Searches take up to twice the deadline. */
const slow = ({ memory }: Engines): Pick<Engines, 'memory'> => {
  let asked = 0;
  return {
    memory: {
      ...memory,
      search: async (...call) => {
        const found = await memory.search(...call);
        await pause((2 * DEADLINE_MS * (asked++ % 20)) / 20);
        return found;
      },
    },
  };
};

const fill = async ({ client }: InProcess): Promise<void> => {
  for (let n = 0; n < TURNS; n += 100) {
    await client.ingest({
      scope: { user_id: `u${n}`, session_id: 's' },
      turns: Array.from({ length: 100 }, (_, i) => ({
        role: 'user',
        text: sentence(n + i),
        timestamp: new Date(Date.now() - 60_000 + n + i).toISOString(),
      })),
    });
  }
};

const query = (n: number) => ({ scope: { org_id: 'acme' }, q: sentence(n * 7), top_k: 30 });

/** As what was asked ends in its own time, behind the answers. */
const afterAll = () => pause(2 * DEADLINE_MS + 1_000);

export const unansweredCalls = (
  open: () => Promise<Pick<InProcessOptions, 'environment' | 'apiKey'>>,
): void => {
  it('bills exactly what the answers said, not what was refused at the deadline', async () => {
    const service = await serveInProcess({
      ...(await open()),
      deadlineMs: DEADLINE_MS,
      changed: slow,
    });
    try {
      await fill(service);
      const before = await service.client.today();
      const said = { tokens_in: 0, tokens_out: 0 };
      const statuses: Record<number, number> = {};
      const ask = async (n: number) => {
        const { status, body, headers } = await send<RecallAnswer>(
          `${service.url}/recall`,
          'POST',
          query(n),
          service.token,
        );
        statuses[status] = (statuses[status] ?? 0) + 1;
        if (status !== 200) return expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
        said.tokens_in += body.usage.tokens_in;
        said.tokens_out += body.usage.tokens_out;
      };
      await Promise.all(Array.from({ length: CLIENTS }, (_, n) => ask(n)));
      expect(Object.keys(statuses)).toEqual(['200', '503']);
      await afterAll();
      const { tokens_in, tokens_out } = await service.client.today();
      expect({
        tokens_in: tokens_in - before.tokens_in,
        tokens_out: tokens_out - before.tokens_out,
      }).toEqual(said);
    } finally {
      await service.close();
    }
  });

  it('answers after the deadline when the append began before it, as the log has it', async () => {
    const deadlineMs = 3_000;
    let isSlow = false;
    const service = await serveInProcess({
      ...(await open()),
      deadlineMs,
      changed: ({ log }) => ({
        log: {
          ...log,
          append: async (...appended) => {
            // Longer than until the deadline, and less than the append has then.
            if (isSlow) await pause(deadlineMs + 200);
            return log.append(...appended);
          },
        },
      }),
    });
    try {
      const write = { scope: { org_id: 'acme', user_id: 'late' }, turns: [turn(1)] };
      // The session's key is appended with its first write.
      await service.client.ingest({ ...write, turns: [turn(2)] });
      const before = await service.client.today();
      isSlow = true;
      const [written, recalled] = await Promise.all([
        service.client.request<IngestAnswer>('POST', '/ingestion/memory', write),
        service.client.request<RecallAnswer>('POST', '/recall', query(1)),
      ]);
      expect([written.status, recalled.status]).toEqual([202, 200]);
      const { tokens_in } = await service.client.today();
      expect(tokens_in - before.tokens_in).toBe(written.body.usage.tokens_in + recalled.body.usage.tokens_in);
    } finally {
      await service.close();
    }
  });

  it('bills nothing for clients that go away before their recall is found', async () => {
    let searching = 0;
    const { promise: held, resolve: search } = Promise.withResolvers<void>();
    const service = await serveInProcess({
      ...(await open()),
      changed: ({ memory }) => ({
        memory: {
          ...memory,
          search: async (...call) => {
            searching++;
            await held;
            return memory.search(...call).finally(() => searching--);
          },
        },
      }),
    });
    try {
      await fill(service);
      const before = await service.client.today();
      const gone = new AbortController();
      const asked = Array.from({ length: 20 }, (_, n) =>
        fetch(`${service.url}/recall`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', authorization: `Bearer ${service.token}` },
          body: JSON.stringify(query(n)),
          signal: gone.signal,
        }).then(
          () => 'answered',
          () => 'gone',
        ),
      );
      await until('all are searched for', () => searching === 20);
      gone.abort();
      expect(new Set(await Promise.all(asked))).toEqual(new Set(['gone']));
      search();
      await until('all searches have ended', () => searching === 0);
      await pause(500);
      expect(await service.client.today()).toEqual(before);
    } finally {
      await service.close();
    }
  });
};
