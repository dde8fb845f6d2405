import type { AlertGroup } from './alert.ts';

const COUNT = 'turnstone_http_request_duration_seconds_count';
const BUCKET = 'turnstone_http_request_duration_seconds_bucket';
const POLLED = 'route!~"/readyz|/healthz|/metrics"';
/** Metrics of Node.js have no name of ours: only those of our processes count. */
const OURS = 'and on (job, instance) turnstone_ready';

const PROCESS = { job: 'turnstone', instance: 'a:8080' };
const OF_PROCESS = 'job="turnstone",instance="a:8080"';

export const SERVICE_ALERTS: AlertGroup = {
  name: 'service',
  page: 'service',
  title: 'The service',
  about: 'What callers notice, and the processes that answer them.',
  alerts: [
    {
      name: 'TurnstoneDown',
      severity: 'critical',
      expr: 'up{job=~".*turnstone.*"} == 0',
      for: '2m',
      summary: '{{ $labels.instance }} can not be scraped',
      means:
        'Prometheus got no metrics of the process for two minutes. It needs a scrape job with `turnstone` in its name.',
      look: 'The last lines of its log: status 70 is the end of the thread that writes the log, 78 a fault of the configuration. `turnstone doctor` on its machine.',
      act: 'Let the supervisor start it again. If it does not stay up, the first line with `fatal` or `error` names the cause. If it answers `/healthz`, look at the way of the scrape: `TURNSTONE_METRICS_PORT`, `TURNSTONE_METRICS_TOKEN`.',
      test: {
        series: { [`up{${OF_PROCESS}}`]: '1x4 0x9 1x10' },
        before: '4m',
        fires: '8m',
        clears: '16m',
        labels: PROCESS,
      },
    },
    {
      name: 'TurnstoneNotReady',
      severity: 'critical',
      expr: 'turnstone_ready == 0',
      for: '5m',
      summary: '{{ $labels.instance }} has answered 503 to /readyz for 5 minutes',
      means:
        'The process can do nothing of what its role is for. A long rebuild of the projections does it too.',
      look: '`GET /readyz` of this instance: `engines` says which engine, with a reason.',
      act: 'Bring the engine back; the process recovers with it, so do not restart it. While `projections` says that it catches up, wait: `turnstone_projector_lag_events` has to fall.',
      test: {
        series: { [`turnstone_ready{${OF_PROCESS}}`]: '1x4 0x14 1x10' },
        before: '8m',
        fires: '12m',
        clears: '21m',
        labels: PROCESS,
      },
    },
    {
      name: 'TurnstoneEngineDown',
      severity: 'warning',
      expr: 'turnstone_engine_up == 0',
      for: '5m',
      summary: '{{ $labels.engine }} of {{ $labels.instance }} is not well',
      means:
        'One engine, or one part of the process, is in `degraded`. What needs it is a 503, everything else is answered: [what works while an engine is down](../monitor.md#when-an-engine-is-down).',
      look: '`GET /readyz`: its `detail` is the reason. `disk`: the reserve is reached. `clock`: two sources of time disagree. `expiries`: see [TurnstoneExpiriesHeldBack](runbooks-log.md#turnstoneexpiriesheldback).',
      act: 'Do what the reason asks for. An engine of the cluster that is well for its own operators and not for one instance is a matter of the network or of credentials.',
      test: {
        series: { [`turnstone_engine_up{engine="redis",${OF_PROCESS}}`]: '1x4 0x14 1x10' },
        before: '8m',
        fires: '12m',
        clears: '21m',
        labels: { engine: 'redis', ...PROCESS },
      },
    },
    {
      name: 'TurnstoneErrors',
      severity: 'critical',
      expr: `sum(rate(${COUNT}{status=~"5..",${POLLED}}[5m])) / sum(rate(${COUNT}{${POLLED}}[5m])) > 0.005`,
      for: '5m',
      summary: 'More than one call in 200 is answered with 5xx',
      means:
        'Callers see outages. 503 is an engine that is late or down, or too much work; 500 is a fault of ours.',
      look: 'The dashboard _Service_: which route, and which code among the refusals. The log has a line `a request failed` (500) or `a request met an outage` (503) with its request id.',
      act: 'For 503: the engine that `/readyz` names; if none, there is more work than the processes can do, so add instances. For 500: keep the line of the log with its stack, and report it.',
      test: {
        series: {
          [`${COUNT}{route="/recall",status="200"}`]: '0+600x60',
          [`${COUNT}{route="/recall",status="503"}`]: '0x9 0+60x15 900x35',
          [`${COUNT}{route="/readyz",status="503"}`]: '0+60x60',
        },
        before: '9m',
        fires: '20m',
        clears: '35m',
      },
    },
    {
      name: 'TurnstoneSlow',
      severity: 'warning',
      expr: `histogram_quantile(0.99, sum by (le, route) (rate(${BUCKET}{route=~"/recall|/ingestion/memory"}[5m]))) > 1`,
      for: '10m',
      summary: 'One call in a hundred of {{ $labels.route }} takes more than a second',
      means: 'Recalls or writes are slow. Set the bound to your own objective.',
      look: 'The dashboard _Service_: delay of the event loop, processor, calls in flight. Many large scopes or deep recalls at once do it, and so does a slow disk or engine.',
      act: 'Add instances of the API, or processors. If only writes are slow, look at the disk of the data folder or at Kafka.',
      test: {
        series: {
          [`${BUCKET}{route="/recall",le="0.5"}`]: '0+100x10 1000x20 1000+100x30',
          [`${BUCKET}{route="/recall",le="2.5"}`]: '0+100x62',
          [`${BUCKET}{route="/recall",le="+Inf"}`]: '0+100x62',
        },
        before: '10m',
        fires: '25m',
        clears: '45m',
        labels: { route: '/recall' },
      },
    },
    {
      name: 'TurnstoneCallsPileUp',
      severity: 'warning',
      expr: 'deriv(turnstone_http_requests_in_flight[30m]) * 1800 > 200',
      for: '10m',
      summary: '{{ $labels.instance }} gets more calls than it ends',
      means:
        'Open calls have grown by more than 200 in half an hour. Open streams of `GET /events` count too.',
      look: 'Whether `/events` grows among the routes: then it is only clients that follow. Else latency and the event loop.',
      act: 'Add instances; look at the clients of the organization that calls most (the log has `org_id`), and at `TURNSTONE_REQUESTS_PER_SECOND`.',
      test: {
        series: { [`turnstone_http_requests_in_flight{${OF_PROCESS}}`]: '5x10 5+20x40 805x80' },
        before: '10m',
        fires: '45m',
        clears: '100m',
        labels: PROCESS,
      },
    },
    {
      name: 'TurnstoneEventLoopLate',
      severity: 'warning',
      expr: `nodejs_eventloop_lag_p99_seconds > 0.1 ${OURS}`,
      for: '10m',
      summary: 'The main thread of {{ $labels.instance }} is busy for more than 100 ms at a time',
      means: 'Everything that the process does waits for its main thread.',
      look: 'Processor and garbage collection on the dashboard _Service_; bodies with very many values.',
      act: 'Add instances of the API; give the process a processor of its own.',
      test: {
        series: {
          [`nodejs_eventloop_lag_p99_seconds{${OF_PROCESS}}`]: '0.01x4 0.4x19 0.01x10',
          'nodejs_eventloop_lag_p99_seconds{job="another",instance="b:1"}': '0.4x40',
          [`turnstone_ready{${OF_PROCESS}}`]: '1x40',
        },
        before: '10m',
        fires: '20m',
        clears: '26m',
        labels: PROCESS,
      },
    },
    {
      name: 'TurnstoneFilesRunOut',
      severity: 'warning',
      expr: `process_open_fds / process_max_fds > 0.8 ${OURS}`,
      for: '5m',
      summary: '{{ $labels.instance }} has used 80 % of its open files',
      means: 'Connections are refused when none are left.',
      look: 'Connections of clients: whether one address has most of them, and whether clients use theirs again.',
      act: 'Raise the limit of open files of the process (`ulimit -n`), or lower `TURNSTONE_CONNECTIONS_PER_ADDRESS`.',
      test: {
        series: {
          [`process_open_fds{${OF_PROCESS}}`]: '100x4 900x14 100x10',
          [`process_max_fds{${OF_PROCESS}}`]: '1024x30',
          [`turnstone_ready{${OF_PROCESS}}`]: '1x30',
        },
        before: '8m',
        fires: '12m',
        clears: '21m',
        labels: PROCESS,
      },
    },
    {
      name: 'TurnstoneRestarts',
      severity: 'warning',
      expr: `changes(process_start_time_seconds[30m]) > 2 ${OURS}`,
      summary: '{{ $labels.instance }} was started more than twice in 30 minutes',
      means: 'Something ends the process again and again. No acknowledged turn is lost by it.',
      look: 'Its exit status and last lines: 70 is the thread that writes the log, 78 the configuration, 137 the memory limit of its container.',
      act: 'For 137 raise the limit: [how large](../sizing.md). For 70 look at the disk. A record that ends a thread is set aside by itself: [dead letters](../dead-letters.md).',
      test: {
        series: {
          [`process_start_time_seconds{${OF_PROCESS}}`]: '100x4 400x2 600x2 800x40',
          [`turnstone_ready{${OF_PROCESS}}`]: '1x60',
        },
        before: '8m',
        fires: '12m',
        clears: '45m',
        labels: PROCESS,
      },
    },
  ],
};
