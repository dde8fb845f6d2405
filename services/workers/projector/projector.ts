import { type Follower, follow } from '../../core/log/follow.ts';
import type { PolledLog, ProjectionStore, Topic } from '../../core/ports.ts';
import { type Applied, makeStep, type StepPorts, type Stopped } from './step.ts';

/** Records a step reads of one partition: enough to share a commit, few enough to be settled soon. */
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
  /** Too many dead letters: the projector has stopped. */
  onStopped: (stopped: Stopped) => void;
  onTrouble: (error: unknown) => void;
}

/**
 * fetch → decode → project → apply → checkpoint, for a log that this process has to itself. What a step applies and
 * the positions after it are one commit. A fault of the store is retried for ever.
 */
export const startProjector = (ports: ProjectorPorts): Follower => {
  const { log, store, topics, stepSize = STEP, pace, onApplied, onStopped, onTrouble } = ports;
  const step = makeStep(ports);
  return follow({
    log,
    topics,
    pageSize: stepSize,
    positions: () => store.positions(),
    step: async records => {
      const outcome = await step(records);
      if (outcome.kind === 'stopped') {
        onStopped(outcome);
        return 'stop';
      }
      onApplied(outcome);
      await pace?.(outcome.events);
      return 'next';
    },
    onTrouble,
  });
};
