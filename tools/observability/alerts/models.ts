import type { AlertGroup } from './alert.ts';

const PROCESS = { job: 'turnstone', instance: 'a:8080' };
const OF_PROCESS = 'job="turnstone",instance="a:8080"';

const share = (service: string): string =>
  `sum(rate(turnstone_${service}_faults[15m])) / sum(rate(turnstone_${service}_requests[15m])) > 0.1`;
const givenUp = (service: string): string => `sum(increase(turnstone_${service}_turns_given_up[1h])) > 0`;

export const MODEL_ALERTS: AlertGroup = {
  name: 'models',
  page: 'memory',
  title: 'Models',
  about:
    'Language models, embedding models and rerankers, where they are configured. Every call is answered without them.',
  alerts: [
    {
      name: 'TurnstoneModelWaits',
      severity: 'warning',
      expr: 'turnstone_llm_waiting == 1 or turnstone_embeddings_waiting == 1',
      for: '10m',
      summary: '{{ $labels.instance }} waits for a model that does not answer',
      means: 'Observations or vectors of new turns are late. No turn is given up for it.',
      look: '`/readyz`, `enricher` or `embedder`: the reason, such as `HTTP 429`.',
      act: "Bring the model's endpoint back, or raise its limits. It is tried at least once a minute: nothing has to be restarted.",
      test: {
        series: {
          [`turnstone_llm_waiting{${OF_PROCESS}}`]: '0x4 1x24 0x10',
          [`turnstone_embeddings_waiting{${OF_PROCESS}}`]: '0x40',
        },
        before: '13m',
        fires: '20m',
        clears: '31m',
        labels: PROCESS,
      },
    },
    {
      name: 'TurnstoneEmbedderBehind',
      severity: 'warning',
      expr: 'max(turnstone_embedder_lag_events) > clamp_min(600 * sum(rate(turnstone_embedder_events[10m])), 1000)',
      for: '15m',
      summary: 'Vectors are more than ten minutes of work behind the turns',
      means: 'New turns are ranked without the embedding model until they have theirs.',
      look: 'Requests and faults of the model. A model that is new reads the log from its first turn.',
      act: 'With a new model, wait. Otherwise give the endpoint more to compute with.',
      test: {
        series: {
          [`turnstone_embedder_lag_events{${OF_PROCESS}}`]: '0x5 5000x30 0x20',
          [`turnstone_embedder_events{${OF_PROCESS}}`]: '0+60x60',
        },
        before: '18m',
        fires: '25m',
        clears: '40m',
      },
    },
    {
      name: 'TurnstoneModelFaults',
      severity: 'warning',
      expr: `${share('llm')} or ${share('embeddings')}`,
      for: '10m',
      summary: 'One request to a model in ten brings nothing of use',
      means: 'Requests are repeated; a turn that fails again and again is given up.',
      look: "The log of the enricher and of the model's server: time-outs, answers that are no JSON, lengths.",
      act: '[Models](../models.md) says what the endpoint has to do. A smaller model needs more time, or a longer context.',
      test: {
        series: {
          [`turnstone_llm_requests{${OF_PROCESS}}`]: '0+60x90',
          [`turnstone_llm_faults{${OF_PROCESS}}`]: '0x10 0+30x20 600x60',
          [`turnstone_embeddings_requests{${OF_PROCESS}}`]: '0+60x90',
          [`turnstone_embeddings_faults{${OF_PROCESS}}`]: '0x90',
        },
        before: '10m',
        fires: '30m',
        clears: '50m',
      },
    },
    {
      name: 'TurnstoneTurnsGivenUp',
      severity: 'warning',
      expr: `${givenUp('llm')} or ${givenUp('embeddings')}`,
      summary: 'Turns were given up by a model in the last hour',
      means:
        'These turns have no observations, or no vectors of the model, for good. They are found all the same.',
      look: 'The job of the write (`GET /ingestion/jobs/{id}`) has the reason.',
      act: 'Remove the cause. Writing the same turns again does nothing.',
      test: {
        series: {
          [`turnstone_llm_turns_given_up{${OF_PROCESS}}`]: '0x100',
          [`turnstone_embeddings_turns_given_up{${OF_PROCESS}}`]: '0x10 4x90',
        },
        before: '10m',
        fires: '15m',
        clears: '80m',
      },
    },
    {
      name: 'TurnstoneRecallsDegraded',
      severity: 'warning',
      expr: 'sum by (model) (rate(turnstone_recalls_degraded_total[10m])) / on () group_left () sum(rate(turnstone_recall_confidence_count[10m])) > 0.1',
      for: '10m',
      summary: 'One recall in ten is ranked without {{ $labels.model }}',
      means:
        'The model did not answer in time, or was busy. The answers say so in `degraded`, and are ranked without it.',
      look: 'The latency of its endpoint; for `reader` the processor of the API.',
      act: 'Give it more to compute with, or switch it off: a model that mostly fails only costs time.',
      test: {
        series: {
          'turnstone_recalls_degraded_total{model="rerank"}': '0x10 0+30x20 600x60',
          'turnstone_recalls_degraded_total{model="reader"}': '0x90',
          turnstone_recall_confidence_count: '0+60x90',
        },
        before: '10m',
        fires: '28m',
        clears: '45m',
        labels: { model: 'rerank' },
      },
    },
  ],
};
