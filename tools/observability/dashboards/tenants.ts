import { type Dashboard, of, rate } from './dashboard.ts';

const CALLS = 'turnstone_http_request_duration_seconds_count';
const TOKENS = 'turnstone_tokens_billed_total';
const REFUSALS = 'turnstone_http_refusals_total';

const calls = (route: string, ...conditions: string[]): string =>
  `sum(${rate(CALLS, `route="${route}"`, ...conditions)}) or vector(0)`;
const aDay = (direction: string): string => `sum(increase(${of(TOKENS, `direction="${direction}"`)}[24h]))`;

export const TENANTS: Dashboard = {
  name: 'tenants',
  title: 'Tenants and billing',
  about:
    'What all organizations together are billed and refused. No metric names an organization: `turnstone usage` and `GET /usage/daily` have the figures of one.',
  rows: [
    {
      title: 'Billed',
      panels: [
        {
          title: 'Tokens in, 24 hours',
          about: 'What was stored and asked.',
          kind: 'number',
          queries: [{ expr: aDay('in') }],
        },
        {
          title: 'Tokens out, 24 hours',
          about: 'What recalls returned.',
          kind: 'number',
          queries: [{ expr: aDay('out') }],
        },
        {
          title: 'Tokens out of a recall',
          about: 'On average. Budgets (`max_tokens`, a context) lower it.',
          kind: 'number',
          queries: [
            {
              expr: `sum(${rate(TOKENS, 'call="recall"', 'direction="out"')}) / sum(${rate('turnstone_recall_confidence_count')})`,
            },
          ],
        },
        {
          title: 'Tokens in of a write',
          about: 'On average; a write that stores nothing new bills nothing.',
          kind: 'number',
          queries: [
            {
              expr: `sum(${rate(TOKENS, 'call="ingest"')}) / sum(${rate(CALLS, 'route="/ingestion/memory"', 'status="202"')})`,
            },
          ],
        },
        {
          title: 'Tokens by call',
          about: 'Per second, by the call that bills them.',
          kind: 'stacked',
          unit: 'cps',
          queries: [
            {
              expr: `sum by (call, direction) (${rate(TOKENS)})`,
              legend: '{{call}} {{direction}}',
            },
          ],
        },
        {
          title: 'Billed calls',
          about: 'Writes and recalls per second that were answered.',
          unit: 'cps',
          queries: [
            { expr: calls('/ingestion/memory', 'status="202"'), legend: 'writes' },
            { expr: calls('/recall', 'status="200"'), legend: 'recalls' },
          ],
        },
      ],
    },
    {
      title: 'Refused',
      panels: [
        {
          title: 'Quotas and rates',
          about: 'Per second: a quota of tokens is used up, or somebody calls too often.',
          unit: 'cps',
          queries: [
            { expr: `sum(${rate(REFUSALS, 'code="quota_exceeded"')})`, legend: 'quota exceeded' },
            { expr: `sum(${rate(REFUSALS, 'code="rate_limited"')})`, legend: 'rate limited' },
          ],
        },
        {
          title: 'Keys and rights',
          about: 'Per second: no valid key or token, or one without the right. The audit log names them.',
          unit: 'cps',
          queries: [
            { expr: `sum(${rate(REFUSALS, 'code="unauthenticated"')})`, legend: 'unauthenticated' },
            { expr: `sum(${rate(REFUSALS, 'code="forbidden"')})`, legend: 'forbidden' },
          ],
        },
      ],
    },
    {
      title: 'Accounts',
      panels: [
        {
          title: 'Sign-ups and keys',
          about: 'Successful calls per second.',
          unit: 'cps',
          queries: [
            { expr: calls('/signup', 'status=~"2.."'), legend: 'sign-ups' },
            { expr: calls('/me/api-keys', 'method="POST"', 'status=~"2.."'), legend: 'keys made' },
            { expr: calls('/me/api-keys/:id', 'method="DELETE"', 'status=~"2.."'), legend: 'keys revoked' },
            { expr: calls('/auth/token-exchange', 'status="200"'), legend: 'keys exchanged for tokens' },
          ],
        },
        {
          title: 'Exports and erasures',
          about: 'Successful calls per second.',
          unit: 'cps',
          queries: [
            { expr: calls('/export', 'status=~"2.."'), legend: 'exports' },
            { expr: calls('/memory', 'method="DELETE"', 'status=~"2.."'), legend: 'erasures' },
          ],
        },
        {
          title: 'Webhooks',
          about:
            'By state. One that is paused told its organization why in `GET /me/webhooks`; nobody delivers it until it is resumed.',
          queries: [{ expr: `max by (state) (${of('turnstone_webhooks')})`, legend: '{{state}}' }],
        },
        {
          title: 'Attempts of webhooks',
          about: 'Per second. Failed ones are tried again for a day.',
          unit: 'cps',
          queries: [
            { expr: `sum by (outcome) (${rate('turnstone_webhook_attempts')})`, legend: '{{outcome}}' },
          ],
        },
      ],
    },
  ],
};
