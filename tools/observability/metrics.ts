/**
 * The metrics of `GET /metrics` that are Turnstone's own, as the docs, the dashboards and the alerts know
 * them. A test holds the list to what a running service exposes.
 */

/**
 * The processes that expose a metric: all of them, those that answer calls, those that run a projector, and
 * so on. In the mode `embedded` the one process runs everything but what is of the cluster.
 */
export type Where =
  | 'everywhere'
  | 'calls'
  | 'projector'
  | 'embedded'
  | 'cluster'
  | 'language model'
  | 'embedding model';

export interface Metric {
  name: string;
  type: 'counter' | 'gauge' | 'histogram';
  labels?: readonly string[];
  where: Where;
  /** A sentence without its full stop. */
  about: string;
}

const gauge = (where: Where, name: string, about: string, labels: readonly string[] = []): Metric => ({
  name: `turnstone_${name}`,
  type: 'gauge',
  labels,
  where,
  about,
});

const counter = (where: Where, name: string, about: string, labels: readonly string[] = []): Metric => ({
  ...gauge(where, name, about, labels),
  type: 'counter',
});

const histogram = (where: Where, name: string, about: string, labels: readonly string[] = []): Metric => ({
  ...gauge(where, name, about, labels),
  type: 'histogram',
});

export const METRICS: readonly Metric[] = [
  gauge('everywhere', 'build_info', 'always 1; its labels say what runs', ['version', 'mode', 'role']),
  gauge(
    'everywhere',
    'ready',
    'whether the process can do something of what its role is for, as `/readyz` says it',
  ),
  gauge(
    'everywhere',
    'engine_up',
    'whether each engine and part of the process is well, as `/readyz` says it',
    ['engine'],
  ),
  histogram(
    'everywhere',
    'http_request_duration_seconds',
    'from the head of a request to the end of its answer',
    ['method', 'route', 'status'],
  ),
  gauge('everywhere', 'http_requests_in_flight', 'requests whose answer has not ended'),
  counter('everywhere', 'http_refusals_total', 'refused requests by the code of the error', ['code']),

  histogram('calls', 'recall_confidence', 'the confidence of answered recalls'),
  counter('calls', 'recalls_empty_total', 'answered recalls that found nothing'),
  counter('calls', 'recalls_degraded_total', 'answered recalls in which a configured model took no part', [
    'model',
  ]),
  counter(
    'calls',
    'recalled_facts_total',
    'facts among the hits of answered recalls: `holds`, `superseded`, or `disputed` by another that says otherwise',
    ['state'],
  ),
  counter('calls', 'recall_feedback_total', 'verdicts on hits of recalls: `helpful` or `wrong`', ['verdict']),
  counter('calls', 'tokens_billed_total', 'tokens that calls were billed; retries bill nothing', [
    'call',
    'direction',
  ]),

  gauge('everywhere', 'projector_lag_events', 'events in the log that are not projected yet'),
  gauge('everywhere', 'projector_events', 'events projected by this process since its start'),
  gauge('everywhere', 'enricher_lag_events', 'events that the enricher has not seen yet'),
  gauge('everywhere', 'enricher_events', 'turns enriched by this process since its start'),
  gauge('projector', 'dead_letters', 'events set aside by this process since its start'),
  gauge('projector', 'dead_letters_by_reason', 'the same, by the step that failed and why', [
    'step',
    'reason',
  ]),
  gauge(
    'projector',
    'projector_stopped',
    'whether the projector has stopped, by what stopped it: `in_a_row` and `share` are limits of dead letters',
    ['reason'],
  ),
  gauge(
    'projector',
    'expiries_held_back',
    'expired sessions that are not destroyed yet: too many of their organization for a day',
  ),
  gauge('everywhere', 'generations_dropped', 'generations of projections that failed and were dropped'),
  gauge('everywhere', 'audit_entries_waiting', 'entries of the audit log that wait for the log'),
  gauge('everywhere', 'audit_entries_lost', 'entries of the audit log that were dropped since the start'),
  gauge('calls', 'webhooks', 'webhooks of all organizations, by state; every process counts all of them', [
    'state',
  ]),
  gauge('calls', 'webhook_attempts', 'attempts of this process to deliver a message, since the start', [
    'outcome',
  ]),
  gauge('embedded', 'tail_events', 'acknowledged events that the projections do not show yet'),
  gauge('embedded', 'tail_bytes', 'about the memory that these events take'),

  gauge('cluster', 'key_index_events', 'records of the topic `keys` written to its index since the start'),
  gauge('cluster', 'key_index_lag_events', 'records of the topic `keys` that its index lacks'),
  gauge('cluster', 'account_index_lag_events', 'events of accounts that their index lacks'),
  gauge('cluster', 'log_faults', 'faults of the topics; 0 when the log is whole'),
  gauge('cluster', 'store_lacks_events', 'events that a store held and lacks', ['projection']),

  gauge('language model', 'llm_requests', 'requests to the language model since the start'),
  gauge('language model', 'llm_faults', 'those that brought nothing of use'),
  gauge('language model', 'llm_turns_given_up', 'turns that will have no observations, since the start'),
  gauge('language model', 'llm_waiting', '1 while the language model is out of reach'),
  gauge('embedding model', 'embedder_lag_events', 'events that the embedder has not seen yet'),
  gauge('embedding model', 'embedder_events', 'turns given to the embedding model since the start'),
  gauge('embedding model', 'embeddings_requests', 'requests for vectors of turns since the start'),
  gauge('embedding model', 'embeddings_faults', 'those that brought nothing of use'),
  gauge('embedding model', 'embeddings_turns_given_up', 'turns that got no vector, since the start'),
  gauge('embedding model', 'embeddings_waiting', '1 while the embedding model is out of reach'),
];

/** The metrics of Node.js that dashboards and alerts use; `/metrics` has more of them. */
export const NODE_METRICS: readonly string[] = [
  'nodejs_eventloop_lag_p99_seconds',
  'nodejs_heap_size_used_bytes',
  'nodejs_gc_duration_seconds_sum',
  'process_cpu_seconds_total',
  'process_resident_memory_bytes',
  'process_open_fds',
  'process_max_fds',
  'process_start_time_seconds',
];

/** The metrics that Prometheus itself adds. */
export const PROMETHEUS_METRICS: readonly string[] = ['up'];
export const PROMETHEUS_LABELS: readonly string[] = ['job', 'instance'];
