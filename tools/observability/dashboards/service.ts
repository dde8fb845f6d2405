import { type Dashboard, of, type Query, rate } from './dashboard.ts';

const REQUESTS = 'turnstone_http_request_duration_seconds';
const COUNT = `${REQUESTS}_count`;
const CALLED = 'route!~"/readyz|/healthz|/metrics"';

const quantile = (q: number, ...conditions: string[]): string =>
  `histogram_quantile(${q}, sum by (le) (${rate(`${REQUESTS}_bucket`, ...conditions)}))`;

const quantiles = (route: string): Query[] =>
  [0.5, 0.95, 0.99].map(q => ({ expr: quantile(q, `route="${route}"`), legend: `p${q * 100}` }));

export const SERVICE: Dashboard = {
  name: 'service',
  title: 'Service',
  about: 'Whether callers are answered, how fast, and how busy the processes are.',
  rows: [
    {
      title: 'Now',
      panels: [
        {
          title: 'Not ready',
          about: 'Processes that answer 503 to /readyz.',
          kind: 'number',
          queries: [{ expr: `count(${of('turnstone_ready')} == 0) or vector(0)` }],
          bounds: [1, 1],
        },
        {
          title: 'Engines not well',
          about: 'Engines and parts of processes that /readyz names in degraded.',
          kind: 'number',
          queries: [{ expr: `count(${of('turnstone_engine_up')} == 0) or vector(0)` }],
          bounds: [1, 1],
        },
        {
          title: 'Calls',
          about: 'Calls per second, without probes and scrapes.',
          kind: 'number',
          unit: 'reqps',
          queries: [{ expr: `sum(${rate(COUNT, CALLED)})` }],
        },
        {
          title: 'Failed calls',
          about: 'Share of calls that were answered with 5xx.',
          kind: 'number',
          unit: 'percentunit',
          queries: [
            {
              expr: `(sum(${rate(COUNT, 'status=~"5.."', CALLED)}) or vector(0)) / sum(${rate(COUNT, CALLED)})`,
            },
          ],
          bounds: [0.001, 0.005],
        },
        {
          title: 'Recall, p99',
          about: 'One recall in a hundred takes longer.',
          kind: 'number',
          unit: 's',
          queries: [{ expr: quantile(0.99, 'route="/recall"') }],
          bounds: [0.5, 1],
        },
        {
          title: 'Write, p99',
          about: 'One write in a hundred takes longer.',
          kind: 'number',
          unit: 's',
          queries: [{ expr: quantile(0.99, 'route="/ingestion/memory"') }],
          bounds: [0.5, 1],
        },
      ],
    },
    {
      title: 'Calls',
      panels: [
        {
          title: 'Calls by route',
          about: 'Calls per second.',
          kind: 'stacked',
          unit: 'reqps',
          queries: [{ expr: `sum by (route) (${rate(COUNT, CALLED)})`, legend: '{{route}}' }],
        },
        {
          title: 'Answers by status',
          about: '499: the client hung up first. 503: an engine is late, or there is too much work.',
          kind: 'stacked',
          unit: 'reqps',
          queries: [{ expr: `sum by (status) (${rate(COUNT, CALLED)})`, legend: '{{status}}' }],
        },
        {
          title: 'Recall',
          about: 'From the head of the request to the end of the answer.',
          unit: 's',
          queries: quantiles('/recall'),
        },
        {
          title: 'Write',
          about: 'The same for writes of turns: each is in the log before it is answered.',
          unit: 's',
          queries: quantiles('/ingestion/memory'),
        },
        {
          title: 'Slowest routes, p99',
          about: 'The eight slowest. A stream of events is open for as long as its client follows.',
          unit: 's',
          queries: [
            {
              expr: `topk(8, histogram_quantile(0.99, sum by (le, route) (${rate(`${REQUESTS}_bucket`, 'route!="/events"')})))`,
              legend: '{{route}}',
            },
          ],
        },
        {
          title: 'Refused calls by code',
          about: 'unavailable and internal are ours; the others are of those who call.',
          unit: 'cps',
          queries: [
            { expr: `sum by (code) (${rate('turnstone_http_refusals_total')}) > 0`, legend: '{{code}}' },
          ],
        },
      ],
    },
    {
      title: 'Processes',
      panels: [
        {
          title: 'Engines',
          about: '1: well; 0: named in degraded. Of all instances, the worst.',
          kind: 'states',
          queries: [{ expr: `min by (engine) (${of('turnstone_engine_up')})`, legend: '{{engine}}' }],
        },
        {
          title: 'Versions',
          about: 'What runs. After an upgrade there is one version.',
          kind: 'table',
          queries: [{ expr: `count by (version, mode, role) (${of('turnstone_build_info')})` }],
        },
        {
          title: 'Open calls',
          about: 'Calls whose answer has not ended, streams of events too.',
          queries: [{ expr: of('turnstone_http_requests_in_flight'), legend: '{{instance}}' }],
        },
        {
          title: 'Event loop, p99 delay',
          about: 'Above 0.1 s everything waits for the main thread.',
          unit: 's',
          queries: [{ expr: of('nodejs_eventloop_lag_p99_seconds'), legend: '{{instance}}' }],
        },
        {
          title: 'Processors',
          about: 'Processors in use, all threads together.',
          queries: [{ expr: rate('process_cpu_seconds_total'), legend: '{{instance}}' }],
        },
        {
          title: 'Memory',
          about: 'Resident memory of the process, and the heap of its main thread.',
          unit: 'bytes',
          queries: [
            { expr: of('process_resident_memory_bytes'), legend: '{{instance}} resident' },
            { expr: of('nodejs_heap_size_used_bytes'), legend: '{{instance}} heap' },
          ],
        },
        {
          title: 'Garbage collection',
          about: 'Share of time, by kind. Major collections above a tenth mean too little memory.',
          unit: 'percentunit',
          queries: [
            { expr: `sum by (kind) (${rate('nodejs_gc_duration_seconds_sum')})`, legend: '{{kind}}' },
          ],
        },
        {
          title: 'Open files',
          about: 'Share of the files that the process may open; connections are files.',
          unit: 'percentunit',
          queries: [{ expr: `${of('process_open_fds')} / ${of('process_max_fds')}`, legend: '{{instance}}' }],
        },
      ],
    },
  ],
};
