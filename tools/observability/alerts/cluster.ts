import type { AlertGroup } from './alert.ts';

const OF_PROCESS = 'job="turnstone",instance="a:8080"';

export const CLUSTER_ALERTS: AlertGroup = {
  name: 'cluster',
  page: 'log',
  title: 'The cluster',
  about:
    'What only the mode `cluster` has: topics and stores that others operate, and indices that the projectors keep.',
  alerts: [
    {
      name: 'TurnstoneLogNotWhole',
      severity: 'critical',
      expr: 'max(turnstone_log_faults) > 0',
      for: '1m',
      summary: 'The topics are not what they were: nothing is projected from them',
      means:
        'A topic was recreated, shortened or altered, in the mode `cluster`. Nothing is built from it until an operator has looked.',
      look: '`/readyz`, `log`: it names each fault.',
      act: '[When the log is not what it was](../backup.md#when-the-log-is-not-what-it-was).',
      test: {
        series: { [`turnstone_log_faults{${OF_PROCESS}}`]: '0x4 2x14 0x10' },
        before: '4m',
        fires: '8m',
        clears: '21m',
      },
    },
    {
      name: 'TurnstoneStoreLacksEvents',
      severity: 'warning',
      expr: 'max by (projection) (turnstone_store_lacks_events) > 0',
      for: '30m',
      summary: 'The store of {{ $labels.projection }} lacks events that it held',
      means: 'It was restored from an older copy, or emptied. The projectors put it right by themselves.',
      look: 'Whether the figure falls; `/readyz`, `stores`.',
      act: '[A store that was restored](../backup.md#a-store-that-was-restored). If it does not fall, look at the projectors.',
      test: {
        series: { 'turnstone_store_lacks_events{projection="recall"}': '0x4 900x50 0x10' },
        before: '30m',
        fires: '40m',
        clears: '58m',
        labels: { projection: 'recall' },
      },
    },
    {
      name: 'TurnstoneKeyIndexBehind',
      severity: 'warning',
      expr: 'max(turnstone_key_index_lag_events) > 100',
      for: '10m',
      summary: 'The index of the keys is behind its topic',
      means: 'Sessions whose key is not in Redis are 503 while it is too far behind.',
      look: '`/readyz`, `keys`: a record that can not be read stops its partition.',
      act: 'Bring Elasticsearch back. If the index is lost: `turnstone migrate`, and wait until it is filled: [where keys are](../keys.md#where-destroyed-keys-remain).',
      test: {
        series: { [`turnstone_key_index_lag_events{${OF_PROCESS}}`]: '0x4 500x24 0x10' },
        before: '13m',
        fires: '20m',
        clears: '31m',
      },
    },
    {
      name: 'TurnstoneAccountIndexBehind',
      severity: 'warning',
      expr: 'max(turnstone_account_index_lag_events) > 0',
      for: '15m',
      summary: 'The index of the accounts is behind the log',
      means: 'The rebuild of a wiped Redis would read that many events more. Nothing else is late by it.',
      look: 'Elasticsearch, and the log of the projectors.',
      act: 'Bring Elasticsearch back.',
      test: {
        series: { [`turnstone_account_index_lag_events{${OF_PROCESS}}`]: '0x4 50x30 0x10' },
        before: '18m',
        fires: '25m',
        clears: '37m',
      },
    },
  ],
};
