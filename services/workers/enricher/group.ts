import { partitionName } from '../../core/log/positions.ts';
import type { Consumer, Positions, SharedLog } from '../../core/ports.ts';
import { type EnrichPorts, makeEnrich } from './enrich.ts';

export const ENRICHER_GROUP = 'enricher';

export interface SharedEnricherPorts extends EnrichPorts {
  log: Pick<SharedLog, 'append' | 'consume'>;
  onEnriched: (progress: { positions: Positions; turns: number }) => void;
  onTrouble: (error: unknown) => void;
}

/**
 * fetch → extract → append observations → commit, as one of a group of enrichers. What is made of a turn twice has
 * one id: the first copy in the log stands.
 */
export const joinEnrichers = (ports: SharedEnricherPorts): Promise<Consumer> => {
  const enrich = makeEnrich(ports);
  return ports.log.consume({
    group: ENRICHER_GROUP,
    topics: ['turns'],
    atOnce: ports.extractor.atOnce,
    onTrouble: ports.onTrouble,
    handle: async (records, signal) => {
      const made = await enrich(records, signal);
      if (made.length > 0) await ports.log.append(made);
      const last = records.at(-1)!;
      ports.onEnriched({ positions: { [partitionName(last)]: last.offset + 1 }, turns: made.length });
    },
  });
};
