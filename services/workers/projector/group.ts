import type { Consumer, LogRecord, SharedLog, Topic } from '../../core/ports.ts';
import { type Applied, makeStep, type StepPorts, type Stopped } from './step.ts';

export const PROJECTOR_GROUP = 'projector';

export interface ProjectorGroupPorts extends StepPorts {
  log: Pick<SharedLog, 'append' | 'consume'>;
  topics: readonly Topic[];
  /** After each applied step. */
  onApplied: (applied: Applied) => void;
  /** Too many dead letters: nobody skips this partition until an operator looks at it. */
  onStopped: (stopped: Stopped) => void;
  onTrouble: (error: unknown) => void;
}

/**
 * fetch → decode → project → apply → commit, as one of a group of projectors. Every write of `apply` may be repeated,
 * by this process or by another one at the same time, so a crash anywhere costs work and nothing else.
 */
export const joinProjectors = (ports: ProjectorGroupPorts): Promise<Consumer> => {
  const step = makeStep(ports);
  return ports.log.consume({
    group: PROJECTOR_GROUP,
    topics: ports.topics,
    onTrouble: ports.onTrouble,
    handle: async (records: LogRecord[]) => {
      const [first, ...rest] = records;
      if (!first) return;
      const outcome = await step([first, ...rest]);
      if (outcome.kind === 'applied') return ports.onApplied(outcome);
      ports.onStopped(outcome);
      // Not acknowledged: the same records come again.
      throw new Error(outcome.reason);
    },
  });
};
