import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DASHBOARDS } from '../../tools/observability/dashboards/all.ts';
import { inFolder } from '../contracts/openers/log.ts';
import { type ChatServer, startChatServer } from '../support/http/chat-server.ts';
import { connect, send } from '../support/http/client.ts';
import { type EmbeddingServer, startEmbeddingServer } from '../support/http/embedding-server.ts';
import { describeWithTool } from '../support/processes/promtool.ts';
import { ROOT, type Server, startServer, temporaryFolder } from '../support/processes/server.ts';
import { untilDefined } from '../support/wait.ts';

/** Tests that a real Prometheus finds something to show in every panel, of a service that works. */

const freePort = async (): Promise<number> => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port } = taken.address() as AddressInfo;
  taken.close();
  await once(taken, 'close');
  return port;
};

interface Answer<Data> {
  status: string;
  error?: string;
  data: Data;
}

const queries = DASHBOARDS.flatMap(({ title, rows }) =>
  rows.flatMap(({ panels }) =>
    panels
      .filter(({ only }) => only !== 'cluster')
      .flatMap(panel =>
        panel.queries.map((query, n) => ({ name: `${title}: ${panel.title} ${n + 1}`, ...query })),
      ),
  ),
);

describeWithTool('prometheus', 'a Prometheus that scrapes a service at work', () => {
  let llm: ChatServer;
  let embeddings: EmbeddingServer;
  let server: Server;
  let prometheus: ChildProcess;
  let url: string;
  let isOver = false;
  let working: Promise<void>;

  const ask = async <Data>(path: string): Promise<Data> => {
    const { body } = await send<Answer<Data>>(`${url}/api/v1/${path}`, 'GET');
    if (body.status !== 'success') throw new Error(`${path}: ${body.error}`);
    return body.data;
  };

  const work = async (): Promise<void> => {
    const client = await connect(server);
    const scope = { user_id: 'ada', session_id: 's' };
    for (let n = 0; !isOver; n++) {
      const timestamp = new Date(Date.UTC(2026, 2, 1, 10, 0, n)).toISOString();
      const text = `Grace lives in city number ${n}.`;
      await client.ingest({ scope, turns: [{ role: 'Ada', text, timestamp }] });
      const fact = { subject: 'Grace', attribute: 'home', value: `City ${n}` };
      const body = { scope: { org_id: 'any', ...scope }, text, ...fact, timestamp };
      await client.request('POST', '/memory/observations', body);
      await client.recall({ q: 'Where does Grace live?', holds: 'ever' });
      await send(`${server.url}/me`, 'GET', undefined, 'no token');
    }
  };

  beforeAll(async () => {
    [llm, embeddings] = await Promise.all([startChatServer(), startEmbeddingServer()]);
    const dataDir = temporaryFolder();
    const record = { topic: 'turns' as const, key: JSON.stringify(['local', 'ada', 's']), headers: {} };
    await inFolder(dataDir, ({ log }) => log.append([{ ...record, value: Buffer.from('no event') }]));
    server = await startServer({
      dataDir,
      environment: {
        TURNSTONE_EXTRACTOR: 'llm',
        TURNSTONE_LLM_BASE_URL: llm.url,
        TURNSTONE_LLM_MODEL: 'tiny',
        TURNSTONE_EMBEDDINGS_BASE_URL: embeddings.url,
        TURNSTONE_EMBEDDINGS_MODEL: 'model-a',
        TURNSTONE_QUOTA_TOKENS_IN: '0',
        TURNSTONE_QUOTA_TOKENS_OUT: '0',
      },
    });
    working = work();
    const folder = temporaryFolder();
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    const config = {
      global: { scrape_interval: '1s', evaluation_interval: '1s' },
      rule_files: [join(ROOT, 'infra/alerts/turnstone.yaml')],
      scrape_configs: [{ job_name: 'turnstone', static_configs: [{ targets: [new URL(server.url).host] }] }],
    };
    const file = join(folder, 'prometheus.yaml');
    writeFileSync(file, JSON.stringify(config));
    prometheus = spawn(
      'prometheus',
      [
        `--config.file=${file}`,
        `--storage.tsdb.path=${join(folder, 'data')}`,
        `--web.listen-address=127.0.0.1:${port}`,
      ],
      { stdio: 'ignore' },
    );
    await untilDefined('it has scraped for a while', async () => {
      const { result } = await ask<{ result: { value: [number, string] }[] }>(
        `query?query=${encodeURIComponent('count_over_time(turnstone_ready[1m])')}`,
      );
      return Number(result[0]?.value[1]) >= 15 || undefined;
    });
  });
  afterAll(async () => {
    isOver = true;
    await working;
    prometheus.kill();
    await Promise.all([server.stop(), llm.close(), embeddings.close()]);
  });

  it.each(queries)('shows something: $name', async ({ expr }) => {
    const asked = expr
      .replaceAll('"$job"', '".+"')
      .replaceAll('"$instance"', '".+"')
      .replaceAll('$__rate_interval', '10s');
    const path = `query?query=${encodeURIComponent(asked)}`;
    const { result } = await untilDefined(
      'it has data',
      async () => {
        const data = await ask<{ result: { value: [number, string] }[] }>(path);
        return data.result.some(({ value }) => value[1] !== 'NaN') ? data : undefined;
      },
      20_000,
    );
    expect(result.length).toBeGreaterThan(0);
  });

  it('evaluates every rule without a fault', async () => {
    interface Rule {
      name: string;
      health: string;
      lastError?: string;
    }
    const groups = await untilDefined('all are evaluated', async () => {
      const data = await ask<{ groups: { rules: Rule[] }[] }>('rules');
      const all = data.groups.flatMap(({ rules }) => rules);
      return all.length > 0 && all.every(({ health }) => health !== 'unknown') ? all : undefined;
    });
    expect(groups.filter(({ health }) => health !== 'ok')).toEqual([]);
  });
});
