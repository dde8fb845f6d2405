import type { SubStores } from '../../infra/cluster/projection-store.ts';
import { makeProjections, PROJECTED_TOPICS, PROJECTIONS } from '../../projections/all.ts';
import type { ExtractorConfig } from '../../schemas/config.ts';
import { WrongVersion } from '../core/generations.ts';
import type { Decode } from '../core/log/events.ts';
import { loggedOf } from '../core/log/logged.ts';
import type { Consumer, KeyStore } from '../core/ports.ts';
import { readSetAside } from '../operations/dead-letters/letters.ts';
import { joinEnrichers } from '../workers/enricher/group.ts';
import { makeExtractor } from '../workers/enricher/make-extractor.ts';
import { type Progress, runs } from '../workers/progress.ts';
import { joinProjectors } from '../workers/projector/group.ts';
import type { PoisonLimits } from '../workers/projector/poison-limits.ts';
import type { Adapters } from './adapters.ts';

/** Closed days are rolled up this often, and soon after a start; any projector may do it. */
const ROLL_UP_EVERY_MS = 3_600_000;
const FIRST_ROLL_UP_MS = 60_000;
/** A batch that waits is tried again within five seconds. */
const WAITS_MS = 15_000;

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : 'unknown fault');

/** This process as one of the projectors. */
export const startProjector = async (
  { log, language, usage, projectionStore, onTrouble, onWaits }: Adapters,
  { accounts, admission }: Pick<SubStores, 'accounts' | 'admission'>,
  decode: Decode,
  limits: PoisonLimits,
  progress: Progress,
): Promise<Consumer & { probe: () => Promise<string> }> => {
  /** What it waits for, and when it last found that it has to. */
  let waits: { reason: string; at: number } | undefined;
  const consumer = await joinProjectors({
    log,
    store: projectionStore({ accounts, admission }),
    decode,
    projections: makeProjections(language),
    logged: event => (PROJECTIONS.usage.topics.some(topic => topic === event.topic) ? [loggedOf(event)] : []),
    topics: PROJECTED_TOPICS,
    onApplied: applied => progress.receive({ ...applied, kind: 'progress' }),
    limits,
    setAside: await readSetAside(log),
    onStopped: progress.receive,
    onTrouble: error => {
      if (!(error instanceof WrongVersion))
        return progress.receive({ kind: 'trouble', message: messageOf(error) });
      if (waits?.reason !== error.message) onWaits(error.message);
      waits = { reason: error.message, at: performance.now() };
    },
  });
  const isWaiting = (): boolean => waits !== undefined && performance.now() - waits.at < WAITS_MS;
  const rollUp = (): void => void usage.rollUpDue().catch(onTrouble('clickhouse'));
  const timers = [
    setTimeout(rollUp, FIRST_ROLL_UP_MS).unref(),
    setInterval(rollUp, ROLL_UP_EVERY_MS).unref(),
  ];
  return {
    // Whoever answers calls too goes on doing so: what is not projected is in the tail.
    probe: async () => (isWaiting() ? `waits: ${waits!.reason}` : runs(progress)()),
    close: async () => {
      for (const timer of timers) clearTimeout(timer);
      await consumer.close();
    },
  };
};

/** This process as one of the enrichers. */
export const startEnricher = (
  { log, clock, openChat }: Adapters,
  keys: Pick<KeyStore, 'byId'>,
  decode: Decode,
  extractor: ExtractorConfig,
  progress: Progress,
): Promise<Consumer> =>
  joinEnrichers({
    log,
    keys,
    decode,
    extractor: makeExtractor(extractor, {
      openChat,
      onState: state => progress.receive({ kind: 'extractor', state }),
    }),
    clock,
    onEnriched: ({ positions, turns }) =>
      progress.receive({ kind: 'progress', positions, events: turns, deadLetters: 0 }),
    onTrouble: error => progress.receive({ kind: 'trouble', message: messageOf(error) }),
  });
