import type { Gauge } from '../../../core/watch/gauges.ts';
import type { ExtractorConfig } from '../../../schemas/config.ts';
import type { Progress } from '../progress.ts';

/** The gauges of an extractor that asks a language model; the rules extractor has none. */
export const extractorGauges = (
  { kind }: Pick<ExtractorConfig, 'kind'>,
  { service, waitsFor }: Pick<Progress, 'service' | 'waitsFor'>,
): Gauge[] =>
  kind === 'rules'
    ? []
    : [
        {
          name: 'turnstone_llm_requests',
          help: 'Requests to the language model since the start',
          read: () => service()?.counts.requests ?? 0,
        },
        {
          name: 'turnstone_llm_faults',
          help: 'Requests to the language model that brought nothing of use, since the start',
          read: () => service()?.counts.faults ?? 0,
        },
        {
          name: 'turnstone_llm_turns_given_up',
          help: 'Turns that the language model found nothing in for faults, since the start',
          read: () => service()?.counts.givenUp ?? 0,
        },
        {
          name: 'turnstone_llm_waiting',
          help: '1 while the language model is out of reach and turns wait for it',
          read: () => (waitsFor() === undefined ? 0 : 1),
        },
      ];
