import type { AlertGroup } from './alert.ts';

const mean = (range: string): string =>
  `sum(rate(turnstone_recall_confidence_sum[${range}])) / sum(rate(turnstone_recall_confidence_count[${range}]))`;
const before = (range: string): string => mean(range).replaceAll(`[${range}]`, `[${range}] offset 1h`);
/** A few recalls say nothing. */
const ENOUGH = 'sum(increase(turnstone_recall_confidence_count[1h])) > 100';

export const MEMORY_ALERTS: AlertGroup = {
  name: 'memory',
  page: 'memory',
  title: 'The quality of the memory',
  about:
    'Whether what is asked for is found. No test of the service sees this: it depends on what its callers write and ask.',
  alerts: [
    {
      name: 'TurnstoneConfidenceFell',
      severity: 'warning',
      expr: `${mean('1h')} < 0.7 * (${before('1d')}) and ${ENOUGH}`,
      for: '1h',
      summary: 'Recalls are much less sure than yesterday',
      means:
        'The mean confidence of an hour is below 70 % of the mean of the day before. Confidence is the probability that the answer is among what was found.',
      look: 'What was changed since: a client that asks in another way or in another scope, an import that failed, a model, a release. The dashboard _Memory quality_: whether more recalls are empty.',
      act: 'Ask one of the questions with `explain`, or read a [receipt](../../guides/prompts.md). `turnstone verify` tells whether the index has what the log has.',
      test: {
        interval: '10m',
        series: {
          turnstone_recall_confidence_sum: '0+80x30 2430+30x19 3080+80x30',
          turnstone_recall_confidence_count: '0+100x81',
        },
        before: '300m',
        fires: '440m',
        clears: '600m',
      },
    },
    {
      name: 'TurnstoneRecallsEmpty',
      severity: 'info',
      expr: `sum(rate(turnstone_recalls_empty_total[1h])) / sum(rate(turnstone_recall_confidence_count[1h])) > 0.5 and ${ENOUGH}`,
      for: '1h',
      summary: 'More than half of the recalls find nothing',
      means: 'Nothing in the scope has to do with the question, or the scope is empty.',
      look: 'Whether callers name users and sessions that exist, and filters that match. New users have nothing to be found yet.',
      act: 'Compare the scope of the writes with that of the recalls: [filters](../../guides/filters.md), [read what is stored](../../guides/read.md).',
      test: {
        series: {
          turnstone_recalls_empty_total: '0x60 8+8x119 960x150',
          turnstone_recall_confidence_count: '0+10x330',
        },
        before: '150m',
        fires: '170m',
        clears: '240m',
      },
    },
    {
      name: 'TurnstoneFactsDisputed',
      severity: 'info',
      expr: 'sum(rate(turnstone_recalled_facts_total{state="disputed"}[6h])) / sum(rate(turnstone_recalled_facts_total[6h])) > 0.2',
      for: '1h',
      summary: 'One fact in five among the hits is disputed by another',
      means: 'Two sources say otherwise of the same thing, and nobody knows which of them holds.',
      look: '`turnstone facts --user USER` of somebody concerned: `disputed_by`. Several speakers under one name do it, and agents that write their guesses.',
      act: '[Correct](../../guides/forget.md) what is wrong; write with a `role` for each speaker; say facts with their `valid_from`.',
      test: {
        interval: '10m',
        series: {
          'turnstone_recalled_facts_total{state="holds"}': '0+10x100',
          'turnstone_recalled_facts_total{state="disputed"}': '0x20 5+5x29 150x50',
        },
        before: '380m',
        fires: '480m',
        clears: '800m',
      },
    },
  ],
};
