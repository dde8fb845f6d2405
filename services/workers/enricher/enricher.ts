import { follow, positionAfter } from '../../core/log/follow.ts';
import type { NewRecord, PolledLog, Positions } from '../../core/ports.ts';
import { type EnrichPorts, makeEnrich } from './enrich.ts';

/** Turns whose facts share an append. */
const STEP = 128;
const GROUP = 'enricher';

export interface EnricherPorts extends EnrichPorts {
  log: Pick<PolledLog, 'read' | 'ends' | 'append' | 'committed' | 'onAppend'>;
  /** Lets the work that somebody waits for go first: resolves when the next step may begin. */
  pace: (stepMs: number) => Promise<void>;
  onEnriched: (progress: { positions: Positions; turns: number }) => void;
  onTrouble: (error: unknown) => void;
}

export interface Enricher {
  /** Ends the step under way, or drops it where its extractor waits. */
  close(): Promise<void>;
}

/**
 * fetch → extract → append observations → checkpoint, for a log that this process has to itself: the events and the
 * group's new position are one append. While one append is made durable the next is prepared; it is sent when that one
 * is, so that no turn is skipped.
 */
export const startEnricher = (ports: EnricherPorts): Enricher => {
  const { log, pace, onEnriched, onTrouble } = ports;
  const enrich = makeEnrich(ports);
  let appending: Promise<void> = Promise.resolve();

  const append = async (made: readonly NewRecord[], positions: Positions): Promise<void> => {
    await log.append(made, { group: GROUP, positions });
    onEnriched({ positions, turns: made.length });
  };

  return follow({
    log,
    topics: ['turns'],
    pageSize: Math.min(ports.extractor.atOnce ?? STEP, STEP),
    positions: () => log.committed(GROUP),
    step: async (records, signal) => {
      const started = performance.now();
      const made = await enrich(records, signal);
      await appending;
      appending = append(made, positionAfter(records));
      // Whoever awaits it next sees the fault.
      appending.catch(() => {});
      await pace(performance.now() - started);
      return 'next';
    },
    drain: async () => {
      const last = appending;
      // A fault is reported once: after it the log says where to begin again.
      appending = last.catch(() => {});
      await last;
    },
    onTrouble,
  });
};
