/** A thread that searches for an API of the cluster ends, as it would for lack of memory: the process gets over it by itself. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { Readiness } from '../../schemas/http/service.ts';
import { sentence, turn } from '../support/builders.ts';
import { send } from '../support/client.ts';
import { makeCluster } from '../support/cluster.ts';
import { describeOnEngines, engineEnvironment } from '../support/engines.ts';
import { temporaryFolder } from '../support/server.ts';
import { until } from '../support/wait.ts';

const ENDS_THREADS = new URL('../support/end-threads.ts', import.meta.url).href;

describeOnEngines('the thread of the search ends', () => {
  it('and is replaced: the API stays ready, writes go on, and recall says when it is back', async () => {
    const cluster = await makeCluster(engineEnvironment());
    onTestFinished(() => cluster.close(), 60_000);
    const folder = temporaryFolder();
    const api = await cluster.start('api', {
      environment: { END_THREADS_IN: folder, NODE_OPTIONS: `--import ${ENDS_THREADS}` },
    });
    const projector = await cluster.start('projector');
    const client = await cluster.client(api);
    const readiness = async () => (await send<Readiness>(`${api.url}/readyz`, 'GET')).body;
    expect((await readiness()).engines.recall).toEqual({ ok: true, detail: 'runs' });
    expect((await send<Readiness>(`${projector.url}/readyz`, 'GET')).body.engines).not.toHaveProperty(
      'recall',
    );
    for (let n = 1; n < 4; n++) {
      const before = api.stderr().split('ended by a test').length;
      writeFileSync(join(folder, 'end-search'), '');
      await until('the thread ended', () => api.stderr().split('ended by a test').length > before);
      await client.ingest({ turns: [turn(n)] });
      expect((await readiness()).ready).toBe(true);
    }
    await until('recall runs again', async () => (await readiness()).engines.recall!.ok);
    const found = await client.recall({ q: sentence(3) });
    expect(found.hits.turns.map(({ text }) => text).join()).toContain(sentence(3));
    expect(await api.stop()).toBe(0);
  });
});
