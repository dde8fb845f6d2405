/**
 * A record in the log, however it got there, that no thread has the memory for. It must cost itself alone:
 * the service gets ready, everything around it is indexed, and it is a dead letter.
 */
import { afterEach, expect, it } from 'vitest';
import { inFolder } from '../contracts/openers/log.ts';
import { connect, metric, settled } from '../support/http/client.ts';
import { type Server, startServer } from '../support/processes/server.ts';
import { until } from '../support/wait.ts';
import { sentence, turn, turnRecorded } from '../support/worlds/builders.ts';
import { recordWith } from '../support/worlds/frames.ts';

let server: Server | undefined;
afterEach(async () => {
  await server?.kill();
  server = undefined;
});

/** Parsed, they don't fit into the heap of a projector or an enricher. */
const DEADLY = `[${'{},'.repeat(4_000_000)}{}]`;

/** Appends turns after what the folder has: small ones, and one that is deadly among them. */
const appendDeadly = (dataDir: string, small: readonly number[]): Promise<void> =>
  inFolder(dataDir, async ({ log, keys }) => {
    const key = await keys.forSession('local', 'owner', 'default-session');
    const record = (value: Uint8Array) => ({
      topic: 'turns' as const,
      key: JSON.stringify(['local', 'owner', 'default-session']),
      value,
      headers: { correlation_id: 'c-1' },
    });
    const turnOf = (n: number) => {
      const { data, ...event } = turnRecorded(n);
      const own = { ...data, user_id: 'owner', session_id: 'default-session' };
      return record(recordWith({ ...event, org_id: 'local', correlation_id: 'c-1', data: own }, key));
    };
    await log.append([
      ...small.slice(0, 3).map(turnOf),
      record(new TextEncoder().encode(DEADLY)),
      ...small.slice(3).map(turnOf),
    ]);
  });

it('is set aside, and what is around it is indexed', async () => {
  const first = await startServer();
  server = first;
  const { active_fragment_ids } = await (await connect(first)).ingest({ turns: [turn(1)] });
  expect(active_fragment_ids).toHaveLength(1);
  await settled(first.url);
  await first.stop();
  await appendDeadly(first.dataDir, [10, 11, 12, 13, 14, 15]);

  // An orchestrator starts it again if the record takes the whole process along.
  for (let starts = 0; ; starts++) {
    server = await startServer({ dataDir: first.dataDir }).catch(() => undefined);
    if (server) {
      const { child } = server;
      const ended = new Promise<'ended'>(resolve => child.once('exit', () => resolve('ended')));
      if ((await Promise.race([ended, settled(server.url, 120_000)])) !== 'ended') break;
    }
    expect(starts).toBeLessThan(8);
  }
  const running = server!;
  const client = await connect(running);
  for (const n of [10, 12, 13, 15]) {
    const { hits } = await client.recall({ q: sentence(n), scope: { user_id: 'owner' } });
    expect(hits.turns.map(({ text }) => text).join()).toContain(sentence(n));
  }
  await until('ready', async () => (await fetch(`${running.url}/readyz`)).status === 200);
  const metrics = await (await fetch(`${running.url}/metrics`)).text();
  expect(metrics).toContain('turnstone_dead_letters_by_reason{step="project",reason="EndsTheProjector"} 1');
  expect(await metric(running.url, 'turnstone_dead_letters')).toBe(1);
});
