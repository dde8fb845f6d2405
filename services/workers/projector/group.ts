import type { Consumer, LogRecord, SharedLog, Topic } from '../../core/ports.ts';
import { type LimitName, PoisonLimit } from './poison-limits.ts';
import { type Applied, makeStep, type StepPorts } from './step.ts';

export const PROJECTOR_GROUP = 'projector';

export interface SharedProjectorPorts extends StepPorts {
  log: Pick<SharedLog, 'append' | 'consume'>;
  topics: readonly Topic[];
  /** After each applied step. */
  onApplied: (applied: Applied) => void;
  /** Poison without end: a partition is passed over by nobody until somebody looks at it. */
  onStopped: (reason: string, limit: LimitName) => void;
  onTrouble: (error: unknown) => void;
}

/**
 * fetch → decode → project → apply → commit, as one of a group of projectors. Every write of `apply` may be repeated,
 * by this process or by another one at the same time, so a crash anywhere costs work and nothing else.
 */
export const joinProjectors = (ports: SharedProjectorPorts): Promise<Consumer> => {
  const step = makeStep(ports);
  return ports.log.consume({
    group: PROJECTOR_GROUP,
    topics: ports.topics,
    onTrouble: ports.onTrouble,
    handle: async (records: LogRecord[]) => {
      const [first, ...rest] = records;
      if (!first) return;
      try {
        ports.onApplied(await step([first, ...rest]));
      } catch (error) {
        if (error instanceof PoisonLimit) ports.onStopped(error.message, error.limit);
        throw error;
      }
    },
  });
};
