import { expect, it } from 'vitest';
import type { Clickhouse } from '../../../../../infra/cluster/clickhouse/clickhouse-client.ts';
import { appendRows } from '../../../../../infra/cluster/clickhouse/usage-appender.ts';
import { usageTableOf } from '../../../../../infra/cluster/clickhouse/usage-tables.ts';
import type { UsageRow } from '../../../../../projections/usage/usage-projection.ts';
import { pause } from '../../../../support/wait.ts';

const FIRST_COPY: UsageRow = {
  eventId: `trn_${'a'.repeat(32)}`,
  org: 'acme',
  day: '2026-03-01',
  tokensIn: 7,
  tokensOut: 0,
  ...{ source: 'key-1', apiKey: '', named: undefined },
  topic: 'turns',
  partition: 0,
  offset: 3,
};
const STORED_COPY = { org: 'acme', event_id: FIRST_COPY.eventId, day: '2026-03-02', offset: '9' };

it('marks the day whose row it voids too, after the zero row and before it answers', async () => {
  const stored: string[] = [];
  const clickhouse = {
    rows: async () => [STORED_COPY],
    insert: async (table: string, rows: { day: string; tokens_in?: number; marks?: number }[]) => {
      // An insert that nothing waits for ends after the answer.
      await pause(1);
      stored.push(...rows.map(({ day, tokens_in, marks }) => `${table} ${day} ${tokens_in ?? marks}`));
    },
  } as unknown as Clickhouse;
  const generations = {
    targets: async () => ({ required: [1], optional: [], beside: [], marked: [] }),
    failed: async () => {},
  };
  await appendRows(clickhouse, generations, [FIRST_COPY], []);
  expect(stored).toEqual([
    `${usageTableOf(1)} 2026-03-02 0`,
    `${usageTableOf(1)} 2026-03-01 7`,
    'usage_marks 2026-03-01 1',
    'usage_marks 2026-03-02 1',
  ]);
});
