import type { PolledLog, Positions, ProjectionStore, Topic } from '../../core/ports.ts';
import { type LimitName, PoisonLimit } from './poison-limits.ts';
import { type Applied, makeStep, type StepPorts } from './step.ts';

/** Records a step reads of one partition: enough to share a commit, few enough to be seen soon. */
const STEP = 256;

export interface ProjectorPorts extends StepPorts {
  log: Pick<PolledLog, 'read' | 'ends' | 'append' | 'onAppend'>;
  store: ProjectionStore;
  /** The first are projected first. */
  topics: readonly Topic[];
  /** Records a step reads, where nobody waits to see them. */
  stepSize?: number;
  /** Resolves when the next step may begin. */
  pace?: (events: number) => Promise<void>;
  /** After each applied step. */
  onApplied: (applied: Applied) => void;
  /** A fault that retrying will not mend, or poison without end: the projector has stopped. */
  onStopped: (reason: string, limit?: LimitName) => void;
  onTrouble: (error: unknown) => void;
}

export interface Projector {
  /**
   * Goes no further than these positions, or than it is, until it is told to go on. Resolves with its positions when
   * it has come there.
   */
  hold(at?: Positions): Promise<Positions>;
  goOn(): void;
  /** Finishes the step under way. */
  close(): Promise<void>;
}

/**
 * fetch → decode → project → apply → checkpoint, for a log that this process has to itself. What a step applies and
 * the positions after it are one commit, so a crash anywhere repeats the step or nothing. A fault of the store is
 * retried for ever.
 */
export const startProjector = (ports: ProjectorPorts): Projector => {
  const { log, store, topics, stepSize = STEP, pace } = ports;
  const step = makeStep(ports);
  let wake: (() => void) | undefined;
  let closing = false;
  let held: { at: Positions; reached: (positions: Positions) => void } | undefined;
  const stopListening = log.onAppend(() => wake?.());

  /** One step over one partition; true when there may be more. */
  const next = async (place: string, positions: Positions): Promise<boolean> => {
    const [topic, partition] = place.split('/') as [Topic, string];
    const from = positions[place] ?? 0;
    const most = held ? Math.min(stepSize, (held.at[place] ?? 0) - from) : stepSize;
    if (most <= 0) return false;
    const [first, ...rest] = await log.read(topic, Number(partition), from, most);
    if (!first) return false;
    const applied = await step([first, ...rest]);
    Object.assign(positions, applied.positions);
    ports.onApplied({ ...applied, positions: { ...positions } });
    await pace?.(applied.events);
    return applied.events === most;
  };

  const run = async (): Promise<void> => {
    const positions = await retried(() => store.positions());
    const places = Object.keys(await retried(() => log.ends()));
    while (!closing) {
      // Asked for before reading: an append during the pass must not be slept over.
      const appended = new Promise<void>(resolve => (wake = resolve));
      let more = false;
      for (const topic of topics) {
        for (const place of places.filter(each => each.startsWith(`${topic}/`))) {
          if (closing) return;
          more = (await retried(() => next(place, positions))) || more;
        }
        // A topic that others wait behind is finished first: what a caller waits for comes before what nobody does.
        if (more) break;
      }
      // Words of other threads are heard between two passes: nothing else here waits for the event loop.
      await new Promise<void>(resolve => setImmediate(resolve));
      if (more || closing) continue;
      held?.reached({ ...positions });
      await appended;
    }
  };

  const retried = async <T>(work: () => Promise<T>): Promise<T> => {
    for (let delay = 100; ; delay = Math.min(delay * 2, 5_000)) {
      try {
        return await work();
      } catch (error) {
        if (error instanceof PoisonLimit || closing) throw error;
        ports.onTrouble(error);
        await new Promise<void>(resolve => {
          const timer = setTimeout(resolve, delay);
          // Closing must not wait for a back-off.
          wakeOnClose = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
    }
  };
  let wakeOnClose: (() => void) | undefined;

  const running = run().catch(error => {
    if (closing) return;
    if (error instanceof PoisonLimit) ports.onStopped(error.message, error.limit);
    else ports.onStopped(error instanceof Error ? error.message : 'unknown fault');
  });

  return {
    hold: (at = {}) =>
      new Promise(reached => {
        held = { at, reached };
        wake?.();
      }),
    goOn: () => {
      held = undefined;
      wake?.();
    },
    close: async () => {
      closing = true;
      stopListening();
      wake?.();
      wakeOnClose?.();
      await running;
    },
  };
};
