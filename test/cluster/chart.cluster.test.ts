import { randomBytes } from 'node:crypto';
import { expect, it, onTestFinished } from 'vitest';
import { freePorts } from '../support/engines/child-engine.ts';
import { dropNamespaceOfKilled } from '../support/engines/drop-namespace.ts';
import { clusterConfig, describeOnEngines, engineEnvironment } from '../support/engines/engines.ts';
import { connect } from '../support/http/client.ts';
import { untilReady } from '../support/http/until-ready.ts';
import { spawnCommand } from '../support/processes/command-line.ts';
import { startServer, temporaryFolder } from '../support/processes/server.ts';
import { until } from '../support/wait.ts';
import { type Pod, podsOf } from '../unit/infra/helm/manifests.ts';

/**
 * Returns a pod's environment with what differs here from a cluster of Kubernetes: the engines' addresses and
 * their number of copies, one machine's ports, and where the secrets are.
 */
const environmentHere = async (
  { environment }: Pod,
  namespace: string,
  secrets: string,
): Promise<Record<string, string>> => {
  const [metrics] = await freePorts(1);
  const here = {
    ...engineEnvironment(),
    TURNSTONE_NAMESPACE: namespace,
    TURNSTONE_PARTITIONS: '4',
    TURNSTONE_REPLICATION: '1',
    TURNSTONE_SHARDS: '1',
    TURNSTONE_REPLICAS: '0',
    ...(environment.TURNSTONE_METRICS_PORT && { TURNSTONE_METRICS_PORT: String(metrics) }),
    ...(environment.TURNSTONE_PORT && { TURNSTONE_PORT: '0' }),
  };
  return Object.fromEntries(
    Object.entries({ ...environment, ...here }).map(([name, value]) => [
      name,
      value.replace(/^\/secrets\//, `${secrets}/`),
    ]),
  );
};

describeOnEngines('the manifests of the chart', () => {
  it('lead from empty engines to a recall by their commands and environments, and end within their grace', async () => {
    const namespace = `test-${randomBytes(5).toString('hex')}`;
    onTestFinished(() => dropNamespaceOfKilled(clusterConfig({ namespace })));
    const secrets = temporaryFolder();
    expect(await spawnCommand(['init-secrets', secrets], {})).toMatchObject({ status: 0 });

    const pods = Map.groupBy(podsOf('minimal'), ({ role }) => role);
    const podOf = (role: string): Pod => pods.get(role)![0]!;
    const migrate = podOf('migrate');
    const migration = await spawnCommand(
      migrate.container.args,
      await environmentHere(migrate, namespace, secrets),
    );
    expect(migration).toMatchObject({ status: 0, stdout: expect.stringMatching(/done\n$/) });

    const start = async (role: string) => {
      const pod = podOf(role);
      expect(pod.container.args).toEqual(['serve']);
      const environment = await environmentHere(pod, namespace, secrets);
      const server = await untilReady(startServer({ environment, readyWithinMs: 200_000 }));
      onTestFinished(() => server.kill());
      return { pod, environment, server };
    };
    const [projector, api, enricher] = await Promise.all(['projector', 'api', 'enricher'].map(start));

    const made = await spawnCommand(['orgs', 'create', 'acme'], api!.environment);
    const apiKey = /API key: (\S+)/.exec(made.stdout)![1]!;
    const client = await connect({ url: api!.server.url, apiKey });
    await client.ingest({
      scope: { user_id: 'grace', session_id: 'first' },
      turns: [{ role: 'Grace', text: 'I moved to Lisbon in March.', timestamp: '2026-03-08T12:00:00Z' }],
    });
    const asked = () =>
      client.recall({
        scope: { user_id: 'grace' },
        q: 'Where does Grace live?',
        kinds: ['turn', 'observation'],
      });
    const { hits } = await asked();
    expect(hits.turns.map(({ content }) => content)).toEqual(['I moved to Lisbon in March.']);
    await until('the enricher and the projector did their part', async () => {
      const { freshness, hits } = await asked();
      return freshness.from_tail === 0 && hits.observations.length > 0;
    });

    for (const { environment, server } of [projector!, api!, enricher!]) {
      const metrics = await fetch(`http://127.0.0.1:${environment.TURNSTONE_METRICS_PORT}/metrics`);
      expect([metrics.status, (await fetch(`${server.url}/metrics`)).status]).toEqual([200, 404]);
    }
    for (const { pod, server } of [enricher!, api!, projector!]) {
      const began = performance.now();
      const ending = server.stop();
      if (pod.role === 'api') {
        // It answers for as long as others may not have seen yet that it stops.
        await until('it is not ready', async () => (await fetch(`${server.url}/readyz`)).status === 503);
        expect((await asked()).hits.turns).toHaveLength(1);
      }
      expect(await ending).toBe(0);
      const seconds = (performance.now() - began) / 1_000;
      expect(seconds).toBeLessThan(pod.template.spec.terminationGracePeriodSeconds!);
      console.log(`${pod.role} ended within ${seconds.toFixed(1)} s`);
    }
  });
});
