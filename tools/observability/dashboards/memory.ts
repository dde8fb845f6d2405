import { type Dashboard, of, rate } from './dashboard.ts';

const ANSWERS = 'turnstone_recall_confidence_count';
const FACTS = 'turnstone_recalled_facts_total';
const CALLS = 'turnstone_http_request_duration_seconds_count';

const answers = `sum(${rate(ANSWERS)})`;
const upTo = (confidence: string): string =>
  `sum(${rate('turnstone_recall_confidence_bucket', `le="${confidence}"`)}) / ${answers}`;
const ofFacts = (state: string): string => `sum(${rate(FACTS, `state="${state}"`)}) / sum(${rate(FACTS)})`;
const done = (method: string, route: string): string =>
  `sum(${rate(CALLS, `method="${method}"`, `route="${route}"`, 'status=~"2.."')}) or vector(0)`;

export const MEMORY: Dashboard = {
  name: 'memory',
  title: 'Memory quality',
  about: 'Whether what is asked for is found: confidence is the calibrated probability that it is.',
  rows: [
    {
      title: 'Answers',
      panels: [
        {
          title: 'Mean confidence',
          about: 'Of answered recalls. What is usual depends on what is asked: look at changes.',
          kind: 'number',
          unit: 'percentunit',
          queries: [{ expr: `sum(${rate('turnstone_recall_confidence_sum')}) / ${answers}` }],
        },
        {
          title: 'Very likely answered',
          about: 'Share of recalls with a confidence above 0.8.',
          kind: 'number',
          unit: 'percentunit',
          queries: [{ expr: `1 - ${upTo('0.8')}` }],
        },
        {
          title: 'Unlikely to be answered',
          about: 'Share of recalls with a confidence up to 0.3: an agent should say that it does not know.',
          kind: 'number',
          unit: 'percentunit',
          queries: [{ expr: upTo('0.3') }],
        },
        {
          title: 'Empty answers',
          about: 'Share of recalls that found nothing.',
          kind: 'number',
          unit: 'percentunit',
          queries: [{ expr: `sum(${rate('turnstone_recalls_empty_total')}) / ${answers}` }],
          bounds: [0.25, 0.5],
        },
        {
          title: 'Confidence',
          about: 'How many recalls have which confidence.',
          kind: 'heat',
          queries: [
            {
              expr: `sum by (le) (increase(${of('turnstone_recall_confidence_bucket')}[$__rate_interval]))`,
              legend: '{{le}}',
            },
          ],
        },
        {
          title: 'Confidence over time',
          about: 'The mean; and the shares of the sure, the unsure and the empty.',
          unit: 'percentunit',
          queries: [
            { expr: `sum(${rate('turnstone_recall_confidence_sum')}) / ${answers}`, legend: 'mean' },
            { expr: `1 - ${upTo('0.8')}`, legend: 'above 0.8' },
            { expr: upTo('0.3'), legend: 'up to 0.3' },
            { expr: `sum(${rate('turnstone_recalls_empty_total')}) / ${answers}`, legend: 'empty' },
          ],
        },
        {
          title: 'Without a model',
          about: 'Share of recalls in which a configured model took no part.',
          unit: 'percentunit',
          queries: [
            {
              expr: `sum by (model) (${rate('turnstone_recalls_degraded_total')}) / on () group_left () ${answers}`,
              legend: '{{model}}',
            },
          ],
        },
        {
          title: 'Feedback',
          about:
            'Verdicts on hits, per second. Who finds a hit wrong says so more often than who finds it right.',
          unit: 'cps',
          queries: [
            {
              expr: `sum by (verdict) (${rate('turnstone_recall_feedback_total')})`,
              legend: '{{verdict}}',
            },
          ],
        },
        {
          title: 'Recalls',
          about: 'Answered recalls per second.',
          unit: 'cps',
          queries: [{ expr: answers, legend: 'recalls' }],
        },
      ],
    },
    {
      title: 'Facts',
      panels: [
        {
          title: 'Facts in an answer',
          about: 'Facts among the hits of a recall, on average.',
          kind: 'number',
          queries: [{ expr: `sum(${rate(FACTS)}) / ${answers}` }],
        },
        {
          title: 'Disputed facts',
          about: 'Share of facts that another contradicts, where nobody knows which of them holds.',
          kind: 'number',
          unit: 'percentunit',
          queries: [{ expr: ofFacts('disputed') }],
          bounds: [0.1, 0.2],
        },
        {
          title: 'Superseded facts',
          about: 'Share of facts that no longer hold. Asked for the past, that is right.',
          kind: 'number',
          unit: 'percentunit',
          queries: [{ expr: ofFacts('superseded') }],
        },
        {
          title: 'Turns enriched',
          about: 'Turns per second that the extractor has read.',
          kind: 'number',
          unit: 'cps',
          queries: [{ expr: `sum(${rate('turnstone_enricher_events')})` }],
        },
        {
          title: 'Facts among the hits',
          about: 'Per second, by whether they hold.',
          kind: 'stacked',
          unit: 'cps',
          queries: [{ expr: `sum by (state) (${rate(FACTS)})`, legend: '{{state}}' }],
        },
        {
          title: 'Said, corrected, hidden, erased',
          about:
            'Successful calls per second. Many corrections of one kind say what the extractor gets wrong.',
          unit: 'cps',
          queries: [
            { expr: done('POST', '/memory/observations'), legend: 'said' },
            { expr: done('PATCH', '/memory/observations/:id'), legend: 'corrected' },
            { expr: done('DELETE', '/memory/observations/:id'), legend: 'observations hidden' },
            { expr: done('DELETE', '/memory/turns/:id'), legend: 'turns hidden' },
            { expr: done('DELETE', '/memory'), legend: 'erased' },
          ],
        },
      ],
    },
  ],
};
