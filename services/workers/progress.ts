import type { Positions } from '../core/ports.ts';
import type { Log } from '../core/watch/logger.ts';
import type { ExtractorState } from './enricher/extractor.ts';
import type { PoisonKind } from './projector/dead-letters.ts';
import type { LimitName } from './projector/poison-limits.ts';
import type { Report } from './report.ts';

/** What is tried again is tried within five seconds: a trouble that nobody has told of since is over. */
const TROUBLED_MS = 15_000;

export const STOP_CAUSES = ['in_a_row', 'share', 'fault'] as const satisfies readonly (LimitName | 'fault')[];
export type StopCause = (typeof STOP_CAUSES)[number];

/** How far a projector or an enricher has come, as its thread reports it. */
export interface Progress {
  receive(report: Report): void;
  positions(): Positions;
  events(): number;
  deadLetters(): number;
  /** Since the start, by what was wrong. */
  deadLettersByKind(): (PoisonKind & { count: number })[];
  /** What it is trying again; undefined while all goes well. */
  troubled(): string | undefined;
  /** Of an extractor that asks another service; undefined before it first did. */
  extractor(): ExtractorState | undefined;
  /** The service of others that it can't go on without, for now; undefined while it goes on. */
  waitsFor(): string | undefined;
  /** Why it has stopped for good; undefined while it runs. */
  stopped(): string | undefined;
  /** Which limit of dead letters stopped it, or another fault; undefined while it runs. */
  stoppedBy(): StopCause | undefined;
  /** Resolves when the condition holds; rejects when the thread has stopped. */
  until(condition: (positions: Positions) => boolean): Promise<void>;
}

export const makeProgress = (
  name: string,
  log: Log,
  onPositions: (positions: Positions) => void = () => {},
): Progress => {
  type Waiting = {
    condition: (positions: Positions) => boolean;
    resolve: () => void;
    reject: (error: Error) => void;
  };
  let positions: Positions = {};
  let events = 0;
  let deadLetters = 0;
  const kinds = new Map<string, PoisonKind & { count: number }>();
  let stopped: { reason: string; by: StopCause } | undefined;
  let trouble: { message: string; at: number } | undefined;
  let extractor: ExtractorState | undefined;
  const waiting = new Set<Waiting>();

  const moved = (next: Positions): void => {
    positions = next;
    onPositions(next);
    for (const one of waiting) {
      if (!one.condition(positions)) continue;
      waiting.delete(one);
      one.resolve();
    }
  };

  return {
    receive: report => {
      switch (report.kind) {
        case 'ready':
          // Another projector may take over from one that had stopped.
          trouble = undefined;
          stopped = undefined;
          return moved(report.positions);
        case 'progress':
          trouble = undefined;
          events += report.events;
          deadLetters += report.deadLetters;
          for (const kind of report.kinds ?? []) {
            const known = `${kind.step}\n${kind.reason}`;
            kinds.set(known, { ...kind, count: (kinds.get(known)?.count ?? 0) + 1 });
          }
          if (report.deadLetters > 0) log.warn({ thread: name, events: report.deadLetters }, 'dead letters');
          return moved({ ...positions, ...report.positions });
        case 'trouble':
          trouble = { message: report.message, at: performance.now() };
          return log.warn({ thread: name, reason: report.message }, 'trouble, trying again');
        case 'extractor': {
          const before = extractor?.waitsFor ?? null;
          extractor = report.state;
          const { waitsFor } = extractor;
          if (waitsFor === before) return;
          // Nothing is lost by it, and it is somebody else's: no error of ours.
          if (waitsFor !== null)
            return log.warn({ thread: name, reason: waitsFor }, 'waits for the language model');
          return log.info({ thread: name }, 'the language model answers again');
        }
        case 'stopped':
          // A batch that comes again stops it again: once is enough to be told.
          if (stopped?.reason === report.reason) return;
          stopped = { reason: report.reason, by: report.limit ?? 'fault' };
          log.error({ thread: name, reason: report.reason }, 'stopped');
          for (const { reject } of waiting) reject(new Error(`the ${name} has stopped`));
          return waiting.clear();
      }
    },
    positions: () => positions,
    events: () => events,
    deadLetters: () => deadLetters,
    deadLettersByKind: () => [...kinds.values()],
    troubled: () => (trouble && performance.now() - trouble.at < TROUBLED_MS ? trouble.message : undefined),
    extractor: () => extractor,
    waitsFor: () => extractor?.waitsFor ?? undefined,
    stopped: () => stopped?.reason,
    stoppedBy: () => stopped?.by,
    until: condition =>
      new Promise((resolve, reject) => {
        if (condition(positions)) return resolve();
        if (stopped) return reject(new Error(`the ${name} has stopped`));
        waiting.add({ condition, resolve, reject });
      }),
  };
};

/** Throws what keeps it from running. */
export const assertRuns = (progress: Progress): void => {
  const fault = progress.stopped() ?? progress.troubled();
  if (fault) throw new Error(fault);
};

/**
 * A probe of it. What it waits for at others' is told and no fault: calls are answered as ever, and nobody should be
 * sent elsewhere for it.
 */
export const runs = (progress: Progress) => async (): Promise<string> => {
  assertRuns(progress);
  const waitsFor = progress.waitsFor();
  return waitsFor === undefined ? 'runs' : `waits for the language model: ${waitsFor}`;
};
