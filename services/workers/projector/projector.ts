import { unavailable } from '../../../core/errors.ts';
import { type Follower, follow } from '../../../core/log/follow.ts';
import type { PolledLog, ProjectionStore, Topic } from '../../../core/ports.ts';
import type { StepGuard } from '../deadly-steps.ts';
import { type Applied, makeStep, type StepPorts, type Stopped } from './step.ts';

/**
 * Records per step, of one partition: writes enough to share a commit, few enough to be settled soon. More
 * than the limit of dead letters in a row: a step that reaches it passes over none.
 */
const STEP = 128;

export interface ProjectorPorts extends StepPorts {
  log: Pick<PolledLog, 'read' | 'ends' | 'append' | 'onAppend'>;
  store: ProjectionStore;
  /** In order of priority: earlier topics are projected first. */
  topics: readonly Topic[];
  /** Records per step, for projectors whose results no caller waits for. */
  stepSize?: number;
  /** Resolves when the next step may begin. */
  pace?: (events: number) => Promise<void>;
  /** Called after each applied step. */
  onApplied: (applied: Applied) => void;
  /** Called when too many dead letters have stopped the projector. */
  onStopped: (stopped: Stopped) => void;
  onTrouble: (error: unknown) => void;
  guard?: StepGuard;
}

/**
 * fetch → decode → project → apply → checkpoint, for a log of this process only. A step's writes and the
 * positions after it are one commit. An error of the store is retried without a limit.
 */
export const startProjector = (ports: ProjectorPorts): Follower => {
  const { log, store, topics, stepSize = STEP, pace, onApplied, onStopped, onTrouble, guard } = ports;
  const step = makeStep(ports);
  return follow({
    log,
    topics,
    pageSize: stepSize,
    ...(guard && { most: guard.most }),
    positions: () => store.positions(),
    step: async records => {
      const outcome = await step(records);
      if (outcome.kind === 'stopped') {
        onStopped(outcome);
        return 'stop';
      }
      // Its store is one file, which has its positions with its rows.
      if (outcome.kind !== 'applied') throw unavailable(outcome.reason);
      onApplied(outcome);
      await pace?.(outcome.events);
      return 'next';
    },
    onTrouble,
  });
};
