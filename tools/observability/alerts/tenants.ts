import type { AlertGroup } from './alert.ts';

const refused = (code: string): string => `turnstone_http_refusals_total{code="${code}"}`;

export const TENANT_ALERTS: AlertGroup = {
  name: 'tenants',
  page: 'memory',
  title: 'Tenants and billing',
  about:
    'What callers are refused, and whether calls are billed. No metric names an organization; the log of the program has `org_id` in each line `request`.',
  alerts: [
    {
      name: 'TurnstoneQuotaRefusals',
      severity: 'info',
      expr: `sum(increase(${refused('quota_exceeded')}[15m])) > 0`,
      summary: 'An organization has used up its tokens of the day',
      means: 'Its writes or recalls are 429 `quota_exceeded` until 00:00 UTC.',
      look: 'The lines `request` with status 429 have its `org_id`; `turnstone orgs list` has the caps.',
      act: 'If it should go on: `turnstone orgs set-limits ORG --tokens-in N --tokens-out N`; it takes effect at once.',
      test: {
        series: { [refused('quota_exceeded')]: '0x10 5x60' },
        before: '10m',
        fires: '15m',
        clears: '30m',
      },
    },
    {
      name: 'TurnstoneRateLimited',
      severity: 'info',
      expr: `sum(rate(${refused('rate_limited')}[10m])) > 1`,
      for: '10m',
      summary: 'Calls are refused because somebody calls too often',
      means:
        'An organization is above `TURNSTONE_REQUESTS_PER_SECOND`, or an address above a limit of open endpoints.',
      look: 'The lines `request` with status 429: `org_id`, or the open routes.',
      act: 'Nothing, if the limit is meant. Clients of ours wait as `Retry-After` asks.',
      test: {
        series: { [refused('rate_limited')]: '0x10 0+180x30 5400x60' },
        before: '12m',
        fires: '35m',
        clears: '60m',
      },
    },
    {
      name: 'TurnstoneKeysRefused',
      severity: 'warning',
      expr: `sum(rate(${refused('unauthenticated')}[10m])) > 1`,
      for: '10m',
      summary: 'More than one call a second comes with a key or token that is not valid',
      means: 'A program uses a key that was revoked or has expired, or somebody guesses keys.',
      look: 'The [audit log](../../guides/audit.md) names refused keys and their addresses; many addresses with unknown keys are guesses.',
      act: 'Replace the key of the program. Against guesses, `TURNSTONE_AUTH_FAILURES_PER_MINUTE` already limits an address; block it at the proxy.',
      test: {
        series: { [refused('unauthenticated')]: '0x10 0+180x30 5400x60' },
        before: '12m',
        fires: '35m',
        clears: '60m',
      },
    },
    {
      name: 'TurnstoneRecallsUnbilled',
      severity: 'critical',
      expr: 'sum(rate(turnstone_http_request_duration_seconds_count{route="/recall",status="200"}[30m])) > 0 and sum(rate(turnstone_tokens_billed_total{call="recall",direction="in"}[30m])) == 0',
      for: '30m',
      summary: 'Recalls are answered and no token is billed',
      means: 'Every recall bills the tokens of its question, so the meter is broken.',
      look: '`turnstone usage` of an organization that calls, before and after a recall; the release of the processes.',
      act: 'Go back to the release before, and report it. The log has every billed call: `turnstone verify usage` compares.',
      test: {
        series: {
          'turnstone_http_request_duration_seconds_count{route="/recall",status="200"}': '0+60x180',
          'turnstone_tokens_billed_total{call="recall",direction="in"}': '0+600x20 12000x80 12000+600x80',
        },
        before: '60m',
        fires: '95m',
        clears: '120m',
      },
    },
  ],
};
