import { expect, it } from 'vitest';
import { readConfig } from '../../core/config.ts';
import { measureEngineBytes } from '../../tools/bench/cluster/bytes/engine-bytes.ts';
import { measureClusterBytes } from '../../tools/bench/cluster/bytes/log-bytes.ts';
import { makeConversation } from '../../tools/bench/load/conversation.ts';
import { MEASURED } from '../../tools/sizing/measured.ts';
import { dropNamespaceOfKilled } from '../support/engines/drop-namespace.ts';
import { describeOnEngines, engineEnvironment } from '../support/engines/engines.ts';
import { metric, settled } from '../support/http/client.ts';
import { makeCluster } from '../support/processes/cluster.ts';
import { until } from '../support/wait.ts';

const USERS = 20;
const TURNS_OF_A_USER = 150;
const TURNS_OF_A_WRITE = 10;
/** Three thousand turns took as much a turn as twelve thousand. */
const FROM = 0.8;
const TO = 1.25;

describeOnEngines('what a size is computed from', () => {
  it('is what an installation of some thousand turns takes', async () => {
    const cluster = await makeCluster(engineEnvironment());
    const read = readConfig(cluster.environment);
    if (!read.ok) throw new Error(read.faults.join('\n'));
    const config = read.config.cluster!;
    try {
      const api = await cluster.start('api');
      await cluster.start('projector');
      await cluster.start('enricher');
      const client = await cluster.client(api);
      const conversation = makeConversation(Date.now() - 6 * 86_400_000);
      for (let user = 0; user < USERS; user++)
        for (let first = 0; first < TURNS_OF_A_USER; first += TURNS_OF_A_WRITE) {
          const scope = { user: `user${user}`, session: `s${Math.floor(first / 50)}` };
          await client.ingest(JSON.parse(conversation.body(scope, first, TURNS_OF_A_WRITE)));
        }
      await settled(api.url, 120_000);
      const installation = { cluster, config, organizations: new Map(), conversation, say: () => {} };
      const { turns, bytes } = await measureClusterBytes(installation);
      expect(turns).toBe(USERS * TURNS_OF_A_USER);
      const isProjected = async () => (await metric(api.url, 'turnstone_projector_lag_events')) === 0;
      await until('all is projected', isProjected, 120_000);
      const engines = await measureEngineBytes(config);
      const log = [...bytes.values()].reduce((sum, each) => sum + each, 0);
      const measured = {
        logBytes: log / turns,
        documents: engines.documents / turns,
        indexBytes: engines.indexBytes / turns,
        usageBytes: engines.usageBytes / turns,
      };
      console.log(measured);
      for (const [name, value] of Object.entries(measured)) {
        const constant = MEASURED[name as keyof typeof measured];
        expect(value / constant, name).toBeGreaterThan(FROM);
        expect(value / constant, name).toBeLessThan(TO);
      }
    } finally {
      await cluster.close();
      await dropNamespaceOfKilled(config);
    }
  }, 300_000);
});
