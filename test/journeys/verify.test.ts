import { afterAll, beforeAll, expect, it } from 'vitest';
import type { VerifyReport } from '../../core/operator/verification.ts';
import { changeProjections } from '../support/files/projections-file.ts';
import { connect, settled } from '../support/http/client.ts';
import { runCommand } from '../support/processes/command-line.ts';
import { type Server, startServer } from '../support/processes/server.ts';

const turn = (n: number) => ({
  role: n % 2 ? 'Ada' : 'Grace',
  text: `Igor keeps kettle number ${n} in Oslo.`,
  timestamp: new Date(Date.UTC(2026, 2, 1) + n * 60_000).toISOString(),
});

let server: Server;
beforeAll(async () => {
  server = await startServer({
    environment: { TURNSTONE_QUOTA_TOKENS_IN: '0', TURNSTONE_QUOTA_TOKENS_OUT: '0' },
  });
});
afterAll(() => server.stop());

const verify = (...args: string[]) => runCommand(['verify', ...args], { TURNSTONE_DATA_DIR: server.dataDir });
it('finds nothing while turns and recalls come in', async () => {
  const client = await connect(server);
  let next = 0;
  const write = async (): Promise<void> => {
    const turns = Array.from({ length: 50 }, () => turn(next++));
    await client.ingest({ scope: { user_id: `user ${next % 3}`, session_id: `s${next % 7}` }, turns });
  };
  for (let i = 0; i < 20; i++) await write();
  let running = true;
  const load = (async () => {
    while (running) {
      await write();
      await client.recall({ q: `Where is kettle ${next - 1}?` });
    }
  })();
  const before = next;
  const ended = await verify('--json');
  running = false;
  await load;
  expect(next).toBeGreaterThan(before);
  const report = JSON.parse(ended.stdout) as VerifyReport;
  expect(report.named).toEqual([]);
  expect(report).toMatchObject({ differences: 0, sampled: 1 });
  expect(report.rows).toBeGreaterThan(1_000);
  expect(ended.status).toBe(0);
});

it('says in words what differs, and exits with 1, also where no server runs', async () => {
  await settled(server.url, 60_000);
  await server.stop();
  changeProjections(
    server.dataDir,
    `UPDATE usage_days SET tokens_in = tokens_in + 1;
    UPDATE usage_splits SET tokens_in = tokens_in + 1 WHERE (org, day, source) IN
      (SELECT org, day, max(source) FROM usage_splits GROUP BY org, day);
    UPDATE account_documents SET document = json_set(document, '$.email', 'other') WHERE kind = 'organization'`,
  );
  const ended = await verify();
  expect(ended.stdout.split('\n')).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^compared [\d,]+ rows, all of them, in [\d.]+ s$/),
      expect.stringMatching(/^recall {3}same digest: log [0-9a-f]{32}, serving [0-9a-f]{32}$/),
      expect.stringMatching(/^usage {4}different digest: log [0-9a-f]{32}, serving [0-9a-f]{32}$/),
      '2 differences',
      expect.stringMatching(/^ {2}changed {2}day \["local","\d{4}-\d\d-\d\d"\] of "local"$/),
      '  changed  organization local of "local"',
    ]),
  );
  expect(ended.status).toBe(1);
  expect((await verify('recall')).status).toBe(0);
});

it('refuses what it does not know', async () => {
  expect((await verify('everything')).status).toBe(2);
  expect((await verify('--sample', '0')).status).toBe(2);
});
