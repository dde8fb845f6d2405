import type { ExtractorConfig } from '../../../schemas/config.ts';
import type { ConsumerDefinition, ConsumerStep } from '../consumer.ts';
import { type EnrichPorts, makeEnrich } from './enrich.ts';
import { extractorGauges } from './extractor-gauges.ts';

/** fetch → extract → append observations → checkpoint. */
export const enricherOf = (config: ExtractorConfig): ConsumerDefinition => ({
  role: 'enricher',
  name: 'enricher',
  group: 'enricher',
  topics: ['turns'],
  counts: 'Turns enriched since the start',
  gauges: progress => extractorGauges(config, progress),
  open: async ({ openChat, report, ...ports }) => {
    // Loading the rules' lexicon takes 0.25 s and 17 MB, which only a running enricher should pay for.
    const { makeExtractor } = await import('./make-extractor.ts');
    const extractor = makeExtractor(config, {
      openChat,
      onState: ({ waitsFor, ...counts }) =>
        report({ kind: 'service', state: { service: 'the language model', waitsFor, counts } }),
    });
    return enrichStep({ ...ports, extractor });
  },
});

export const enrichStep = (ports: EnrichPorts): ConsumerStep => {
  const enrich = makeEnrich(ports);
  return {
    atOnce: ports.extractor.atOnce,
    handle: async (records, signal) => {
      const { records: append, turns, links } = await enrich(records, signal);
      return { append, events: turns, links };
    },
  };
};
