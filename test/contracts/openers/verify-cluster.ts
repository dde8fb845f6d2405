import { createClient } from '@clickhouse/client';
import type { Positions } from '../../../core/ports.ts';
import { decodeDocument } from '../../../domain/language/vectors/codec.ts';
import { connectActivityRows } from '../../../infra/cluster/clickhouse/activity/activity-rows.ts';
import { openActivityStore } from '../../../infra/cluster/clickhouse/activity/activity-store.ts';
import { migrateActivity } from '../../../infra/cluster/clickhouse/activity/activity-tables.ts';
import { connectAuditRows } from '../../../infra/cluster/clickhouse/audit/audit-rows.ts';
import { openAuditStore } from '../../../infra/cluster/clickhouse/audit/audit-store.ts';
import { migrateAudit } from '../../../infra/cluster/clickhouse/audit/audit-tables.ts';
import { connectUsageRows } from '../../../infra/cluster/clickhouse/usage-rows.ts';
import { openUsageStore } from '../../../infra/cluster/clickhouse/usage-store.ts';
import { migrateUsage } from '../../../infra/cluster/clickhouse/usage-tables.ts';
import { connectElasticsearch } from '../../../infra/cluster/elasticsearch/elasticsearch-client.ts';
import { migrateIndex, recallAlias } from '../../../infra/cluster/elasticsearch/index/index.ts';
import { connectRecallRows } from '../../../infra/cluster/elasticsearch/verify/verifiable-documents.ts';
import { refreshIndex } from '../../../infra/cluster/elasticsearch/write/bulk.ts';
import { accountKeys } from '../../../infra/cluster/redis/accounts/account-keys.ts';
import { openRedisAccountStore } from '../../../infra/cluster/redis/accounts/account-store.ts';
import { accountRows } from '../../../infra/cluster/redis/accounts/verifiable-accounts.ts';
import { openClusterRows } from '../../../infra/cluster/verifiable-rows.ts';
import { FIRST_ALONE } from '../../support/engines/cluster-generations.ts';
import { dropNamespace } from '../../support/engines/drop-namespace.ts';
import { clusterConfig } from '../../support/engines/engines.ts';
import { memoryLog } from '../../support/engines/memory-log.ts';
import { openTestRedis } from '../../support/engines/redis.ts';
import { openIndex } from './elasticsearch.ts';
import type { VerifyBench } from './verify.ts';

export const openClusterVerify = async (): Promise<VerifyBench> => {
  const config = clusterConfig();
  const clock = (): number => Date.parse('2026-03-10T12:00:00Z');
  await migrateIndex(config);
  await migrateUsage(config);
  await migrateAudit(config);
  await migrateActivity(config);
  const recall = openIndex(config);
  const usage = openUsageStore({ config, clock, generations: FIRST_ALONE, paceMs: 1 });
  // A sweep is of generations that keep their positions.
  const targets = async () => ({ required: [1], optional: [], beside: [], marked: [1] });
  const audit = openAuditStore(config, { ...FIRST_ALONE, targets });
  const activity = openActivityStore({ config, clock, generations: { ...FIRST_ALONE, targets } });
  const redis = await openTestRedis(config);
  const { namespace } = config;
  const accounts = openRedisAccountStore({
    redis,
    namespace,
    log: memoryLog(),
    encode: () => Buffer.of(),
    clock,
  });
  const elasticsearch = connectElasticsearch(config);
  const admin = createClient({ url: config.clickhouseUrl, database: namespace });
  const index = recallAlias(config);
  const positions: Positions = {};
  const first = { generation: 1, isServing: true };
  const stores = {
    recall: connectRecallRows(config, decodeDocument, first),
    usage: connectUsageRows(config, first),
    audit: connectAuditRows(config, first),
    activity: connectActivityRows(config, first),
    accounts: accountRows(kind => accounts.list(kind)),
  };

  const search = async (id: string) => {
    const { hits } = await elasticsearch.ask<{
      hits: { hits: { _id: string; _routing: string; _source: object }[] };
    }>('POST', `/${index}/_search`, { body: { query: { ids: { values: [id] } } } });
    if (!hits.hits[0]) throw new Error('there is nothing to damage');
    return hits.hits[0];
  };
  const put = (id: string, routing: string, source: object): Promise<unknown> =>
    elasticsearch.ask('PUT', `/${index}/_doc/${id}`, { query: { routing, refresh: true }, body: source });

  return {
    store: {
      apply: async batch => {
        const written = await recall.store.apply(batch.recall);
        if (batch.usage.length > 0) await usage.append(batch.usage);
        if (batch.audit.length > 0) await audit.append(batch.audit);
        if (batch.activity.length > 0) await activity.append(batch.activity);
        await accounts.apply(batch.accounts);
        Object.assign(positions, batch.positions);
        return written;
      },
    },
    rows: openClusterRows({
      positions: async () => ({ ...positions }),
      firstDay: undefined,
      stores,
    }),
    sweep: async now => {
      await refreshIndex(elasticsearch, index);
      while (await recall.sweep(now)) await refreshIndex(elasticsearch, index);
      await refreshIndex(elasticsearch, index);
      while (await audit.sweep(now));
    },
    damage: {
      change: async id => {
        const { _routing, _source } = await search(id);
        await put(id, _routing, { ..._source, text: 'x' });
      },
      remove: async id => {
        const { _routing: routing } = await search(id);
        await elasticsearch.ask('DELETE', `/${index}/_doc/${id}`, { query: { routing, refresh: true } });
      },
      copy: async (id, as) => {
        const { _routing, _source } = await search(id);
        await put(as, _routing, { ..._source, id: as });
      },
      bill: async (org, day) => {
        await admin.command({
          query: `ALTER TABLE usage_rows UPDATE tokens_in = tokens_in + 1 WHERE org = '${org}' AND day = '${day}'
            AND event_id = (SELECT min(event_id) FROM usage_rows WHERE org = '${org}' AND day = '${day}')
            SETTINGS mutations_sync = 2`,
        });
      },
      count: async id => {
        await admin.command({
          query: `ALTER TABLE activity_rows UPDATE recalls = 2 WHERE event_id = '${id}'
            SETTINGS mutations_sync = 2`,
        });
      },
      note: async id => {
        await admin.command({
          query: `ALTER TABLE audit_rows UPDATE action = 'keys.read' WHERE event_id = '${id}'
            SETTINGS mutations_sync = 2`,
        });
      },
      rename: async org => {
        const key = accountKeys(namespace).document(org, 'organization', org);
        const document = JSON.parse((await redis.get(key))!);
        await redis.set(key, JSON.stringify({ ...document, name: 'other' }));
      },
      refile: async id => {
        const { _routing, _source } = await search(id);
        await put(id, _routing, { ..._source, metadata: ['other'] });
      },
      derive: async id => {
        const { _routing, _source } = await search(id);
        await put(id, _routing, { ..._source, length: 77 });
      },
      unfollow: async id => {
        const { _routing, _source } = await search(id);
        await put(id, _routing, { ..._source, follows: undefined });
      },
    },
    close: async () => {
      redis.disconnect();
      await Promise.all([
        recall.close(),
        usage.close(),
        elasticsearch.close(),
        stores.recall.close(),
        stores.usage.close(),
        audit.close(),
        stores.audit.close(),
        activity.close(),
        stores.activity.close(),
        admin.close(),
      ]);
      await dropNamespace(config);
    },
  };
};
