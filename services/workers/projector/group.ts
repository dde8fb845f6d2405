import { unavailable } from '../../../core/errors.ts';
import { partitionName } from '../../../core/log/positions.ts';
import type { Consumer, LogRecord, SharedLog, Topic } from '../../../core/ports.ts';
import { type Applied, makeStep, type StepPorts, type Stopped } from './step.ts';

export const PROJECTOR_GROUP = 'projector';

export interface ProjectorGroupPorts extends StepPorts {
  log: Pick<SharedLog, 'append' | 'consume' | 'read'>;
  topics: readonly Topic[];
  /** Called after each applied step. */
  onApplied: (applied: Applied) => void;
  /** Called on too many dead letters: no projector skips these records until an operator acts. */
  onStopped: (stopped: Stopped) => void;
  /** Called with the reason for which this release may not write, at each attempt. */
  onWaits: (reason: string) => void;
  onTrouble: (error: unknown) => void;
  /** Awaited before records that this member has had come again, because a store lacks what it held. */
  onRewind: () => Promise<void>;
}

/**
 * fetch → decode → project → apply → commit, as one of a group of projectors. Every write of `apply` may be
 * repeated, even by another process at the same time, so a crash at any point only costs repeated work.
 */
export const joinProjectors = (ports: ProjectorGroupPorts): Promise<Consumer> => {
  const step = makeStep(ports);
  /** The next offset that this member expects, by partition. */
  const reached = new Map<string, number>();
  return ports.log.consume({
    group: PROJECTOR_GROUP,
    topics: ports.topics,
    onTrouble: ports.onTrouble,
    handle: async (records: LogRecord[]) => {
      const [first, ...rest] = records;
      if (!first) return undefined;
      const name = partitionName(first);
      // The group went back, through this process or another one. `reached` changes only after `onRewind`: if
      // that fails, it is called again.
      if (first.offset < (reached.get(name) ?? 0)) await ports.onRewind();
      reached.set(name, first.offset);
      let outcome = await step([first, ...rest]);
      if (outcome.kind === 'behind') {
        const { offset, reason } = outcome;
        const lacking = await firstFrom(ports.log, first, offset);
        if (lacking < first.offset) return { kind: 'rewind', offset: lacking, reason };
        // Offsets without a record: the store lacks nothing.
        outcome = await step([first, ...rest], offset);
      }
      switch (outcome.kind) {
        case 'applied':
          reached.set(name, (rest.at(-1) ?? first).offset + 1);
          ports.onApplied(outcome);
          return undefined;
        case 'stopped':
          ports.onStopped(outcome);
          return { kind: 'again' };
        case 'wrong version':
          ports.onWaits(outcome.reason);
          return { kind: 'again' };
        case 'behind':
          throw unavailable(outcome.reason);
      }
    },
  });
};

/** The offset of the first record of a partition from an offset on. */
export const firstFrom = async (
  log: Pick<SharedLog, 'read'>,
  { topic, partition }: Pick<LogRecord, 'topic' | 'partition'>,
  offset: number,
): Promise<number> => {
  const [found] = await log.read(topic, partition, offset, 1);
  return found?.offset ?? Number.POSITIVE_INFINITY;
};
