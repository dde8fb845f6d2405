import { afterEach, expect, it } from 'vitest';
import { type Event, makeDecode } from '../../core/log/events.ts';
import type { ListedLetter } from '../../core/operator/dead-letters.ts';
import type { LogRecord, RecordAddress } from '../../core/ports.ts';
import { type LogAndKeys, withLogAndKeys } from '../support/engines/cluster-log.ts';
import { dropNamespaceOfKilled } from '../support/engines/drop-namespace.ts';
import { clusterConfig, describeOnEngines } from '../support/engines/engines.ts';
import { replies, startChatServer } from '../support/http/chat-server.ts';
import { metric, send, settled } from '../support/http/client.ts';
import { type Cluster, makeCluster } from '../support/processes/cluster.ts';
import { runCommand } from '../support/processes/command-line.ts';
import { until } from '../support/wait.ts';
import { sentence, turn, turnRecorded } from '../support/worlds/builders.ts';
import { recordWith } from '../support/worlds/frames.ts';
import { poisonOf } from '../support/worlds/poison.ts';

/** Returns the recorded turns of the topic `turns`, each with its record. */
const turnsOf = async ({ log, keys }: LogAndKeys): Promise<{ record: LogRecord; event: Event }[]> => {
  const decode = makeDecode(keys);
  const found: { record: LogRecord; event: Event }[] = [];
  for (const [topicPartition, end] of Object.entries(await log.ends())) {
    const [topic, partition] = topicPartition.split('/');
    if (topic !== 'turns' || end === 0) continue;
    for (const record of await log.read('turns', Number(partition), 0, end)) {
      const decoded = await decode(record);
      if (decoded.kind !== 'events') continue;
      for (const event of decoded.events) if (event.type === 'turn.recorded') found.push({ record, event });
    }
  }
  return found;
};

const positionOf = ({ topic, partition, offset }: RecordAddress): string => `${topic}/${partition}/${offset}`;

describeOnEngines('poison', () => {
  const { kafkaBrokers, elasticsearchUrl, clickhouseUrl, redisUrl } = clusterConfig();
  const engines = {
    TURNSTONE_KAFKA_BROKERS: kafkaBrokers.join(','),
    TURNSTONE_ELASTICSEARCH_URL: elasticsearchUrl,
    TURNSTONE_CLICKHOUSE_URL: clickhouseUrl,
    TURNSTONE_REDIS_URL: redisUrl,
  };
  const closers: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const closer of closers.splice(0).reverse()) await closer();
  });

  const removed = async (cluster: Cluster): Promise<void> => {
    await cluster.close();
    await dropNamespaceOfKilled(clusterConfig({ namespace: cluster.namespace }));
  };

  it('is set aside with its step, reason and address, and what is around it is projected', async () => {
    const llm = await startChatServer();
    closers.push(() => llm.close());
    llm.reply(({ text }) => (text.includes('walrus') ? replies.refusal() : replies.found({})));
    const cluster = await makeCluster(engines, {
      TURNSTONE_EXTRACTOR: 'llm',
      TURNSTONE_LLM_BASE_URL: llm.url,
      TURNSTONE_LLM_MODEL: 'tiny',
    });
    closers.push(() => removed(cluster));
    const server = await cluster.start('all');
    const client = await cluster.client(server);
    await client.ingest({ turns: [turn(1)] });
    await settled(server.url);

    const expected = await withLogAndKeys(cluster, async ({ log, keys }) => {
      const [{ record, event }] = (await turnsOf({ log, keys })) as [{ record: LogRecord; event: Event }];
      const { partition } = record;
      const set = (value: Uint8Array) =>
        log.append([{ topic: 'turns', key: '', partition, value, headers: { correlation_id: 'c-1' } }]);
      const found: { position: string; step: string; reason: string }[] = [];
      for (const { step, reason, value } of poisonOf(record.value)) {
        const [address] = await set(value);
        found.push({ position: positionOf(address!), step, reason });
      }
      // No keyword of Elasticsearch's is longer than 32,766 bytes.
      const { user_id, session_id } = event.data as { user_id: string; session_id: string };
      const { data, ...refused } = turnRecorded(9, { org: 'acme' });
      const [address] = await set(
        recordWith(
          { ...refused, data: { ...data, user_id, session_id: 'long'.repeat(10_000), passive: false } },
          await keys.forSession('acme', user_id, session_id),
        ),
      );
      // The write and its turn: each names the session.
      for (const index of [0, 1])
        found.push({ position: `${positionOf(address!)}/${index}`, step: 'apply', reason: 'RefusedWrites' });
      return found;
    });
    const { active_fragment_ids } = await client.ingest({ turns: [turn(2)] });
    const { job_id } = await client.ingest({ turns: [turn(3, { text: 'The walrus has my passport.' })] });
    await settled(server.url, 60_000);

    const list = async (): Promise<ListedLetter[]> => {
      const { stdout, stderr, status } = await runCommand(
        ['dead-letters', 'list', '--json'],
        cluster.environment,
      );
      if (status !== 0) throw new Error(stderr);
      return JSON.parse(stdout);
    };
    const letters = await list();
    expect(letters.map(({ position, step, reason }) => ({ position, step, reason }))).toEqual(expected);
    expect(letters.every(({ state }) => state === 'open')).toBe(true);
    expect(await metric(server.url, 'turnstone_dead_letters')).toBe(expected.length);
    expect((await send(`${server.url}/readyz`, 'GET')).status).toBe(200);
    const { hits } = await client.recall({ q: sentence(2) });
    expect(hits.turns[0]!.id).toBe(active_fragment_ids[0]);
    // An extractor's failure is told on the job, and is no dead letter.
    await until('the job failed', async () => (await client.job(job_id)).status === 'failed');
    expect((await client.recall({ q: 'walrus passport' })).hits.turns[0]!.text).toContain('walrus');

    // A record that Elasticsearch refuses can be read: it goes back, is refused again, and is the same
    // letter.
    const refused = expected.at(-1)!.position;
    const requeued = await runCommand(['dead-letters', 'requeue', refused], cluster.environment);
    expect(requeued).toMatchObject({ status: 0, stderr: '' });
    await until('it is set aside again', async () => {
      const letter = (await list()).find(({ position }) => position === refused);
      return letter?.state === 'open';
    });
    expect(await list()).toHaveLength(expected.length);
    await server.stop();
  });

  it('is told by the processes that project, and not as nought by the others', async () => {
    const cluster = await makeCluster(engines);
    closers.push(() => removed(cluster));
    for (const role of ['projector', 'api'] as const) {
      const server = await cluster.start(role);
      const { body } = await send<string>(`${server.url}/metrics`, 'GET');
      expect(body).toContain('turnstone_projector_lag_events ');
      for (const name of ['dead_letters ', 'projector_stopped{'])
        expect([role, body.includes(`\nturnstone_${name}`)]).toEqual([role, role === 'projector']);
      await server.stop();
    }
  });

  it('stops the projector at a hundred in a row, which /readyz and the metric tell', async () => {
    const cluster = await makeCluster(engines);
    closers.push(() => removed(cluster));
    await withLogAndKeys(cluster, ({ log }) =>
      log.append(
        Array.from({ length: 100 }, (_, n) => ({
          topic: 'turns' as const,
          key: '',
          partition: 1,
          value: Buffer.from(`poison ${n}`),
        })),
      ),
    );
    const projector = await cluster.start('projector');
    await until('/readyz says that the projector has stopped', async () => {
      const { status, body } = await send<{ engines: Record<string, { detail: string }> }>(
        `${projector.url}/readyz`,
        'GET',
      );
      return (
        status === 503 &&
        /^100 events in a row of turns\/1 .* TURNSTONE_DEAD_LETTERS_IN_A_ROW /.test(
          body.engines.projector!.detail,
        )
      );
    });
    const metrics = await send<string>(`${projector.url}/metrics`, 'GET');
    expect(metrics.body).toContain('turnstone_projector_stopped{reason="in_a_row"} 1');
    const { stdout } = await runCommand(['dead-letters', 'list'], cluster.environment);
    expect(stdout).toBe('0 dead letters\n');
    await projector.stop();
  });
});
