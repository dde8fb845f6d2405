import { afterEach, expect, it } from 'vitest';
import { serialiseEnvelope } from '../../schemas/events/envelope.ts';
import { inFolder } from '../contracts/openers/log.ts';
import { connect, metric, send, settled } from '../support/http/client.ts';
import { type Server, startServer } from '../support/processes/server.ts';
import { turn } from '../support/worlds/builders.ts';
import { signUp } from '../support/worlds/newcomers.ts';

let running: Server | undefined;
afterEach(() => running?.kill());

/** A record of the organization that no release can read. */
const poison = (org: string, n: number): Uint8Array =>
  serialiseEnvelope({
    id: `${org}-${n}`,
    type: 'turn.invented',
    version: 1,
    org_id: org,
    recorded_at: '2026-03-10T08:00:00.000Z',
    correlation_id: 'none',
    key_id: null,
    data: {},
  });

/** The others' events in that partition come behind the poison. */
it('the poison of one organization stops no other, and its records are set aside', async () => {
  const first = await startServer();
  running = first;
  await (await connect(first)).ingest({ turns: [turn(1)] });
  const { client: sender } = await signUp(first.url, 'sender');
  await sender.ingest({ turns: [turn(1)] });
  await settled(first.url);
  await first.stop();
  await inFolder(first.dataDir, async ({ log }) => {
    for (let partition = 0; partition < 4; partition++)
      await log.append(
        Array.from({ length: 400 }, (_, n) => ({
          topic: 'turns' as const,
          key: '',
          partition,
          value: poison('sender', n),
          headers: {},
        })),
      );
  });

  const second = await startServer({ dataDir: first.dataDir });
  running = second;
  const client = await connect(second);
  for (let n = 2; n < 10; n++) await client.ingest({ scope: { user_id: `user${n}` }, turns: [turn(n)] });
  await settled(second.url, 60_000);
  expect(await metric(second.url, 'turnstone_dead_letters')).toBe(1_600);
  expect((await send(`${second.url}/readyz`, 'GET')).status).toBe(200);
  const { body } = await client.request<{ users: unknown[] }>('GET', '/memory/users');
  expect(body.users).toHaveLength(9);
});
