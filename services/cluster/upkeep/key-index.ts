/** Consumes and cleans the index of the keys, in processes of the projector's role. */

import { positionAfter, type Records } from '../../../core/log/follow.ts';
import type { Consumer, SharedLog } from '../../../core/ports.ts';
import { repeat } from '../../../core/timing/repeat.ts';
import type { KeyIndexer } from '../../../infra/cluster/keys/index/indexer.ts';
import type { Progress } from '../../workers/progress.ts';
import { messageOf, troubleOf } from '../../workers/report.ts';

export const KEY_INDEX_GROUP = 'key-index';

/** How often a process asks whether to clean the index; one of them all does so, once an hour. */
const CLEAN_EVERY_MS = 10 * 60_000;

export interface KeyIndexingPorts {
  log: Pick<SharedLog, 'consume'>;
  keyIndexer: Pick<KeyIndexer, 'handle'>;
  progress: Pick<Progress, 'receive'>;
}

/**
 * Reads the topic `keys` into the index, as one of a group. Nothing becomes a dead letter here: at a record
 * that can't be read, its partition stops until an operator acts.
 */
export const joinKeyIndexing = ({ log, keyIndexer, progress }: KeyIndexingPorts): Promise<Consumer> =>
  log.consume({
    group: KEY_INDEX_GROUP,
    topics: ['keys'],
    onTrouble: error => progress.receive(troubleOf(error)),
    handle: async ([first, ...rest]) => {
      if (!first) return undefined;
      const records: Records = [first, ...rest];
      const outcome = await keyIndexer.handle(records).catch(error => {
        const isUnreadable = error instanceof Error && error.name === 'UnreadableKey';
        if (isUnreadable) progress.receive({ kind: 'stopped', reason: messageOf(error) });
        throw error;
      });
      if (!outcome)
        progress.receive({ kind: 'progress', positions: positionAfter(records), events: records.length });
      return outcome;
    },
  });

export interface KeyUpkeepPorts {
  cleanKeyIndex: () => Promise<boolean>;
  onTrouble: (engine: string) => (error: unknown) => void;
}

/** Removes what the index no longer needs, until it is closed. */
export const keepKeyIndex = ({ cleanKeyIndex, onTrouble }: KeyUpkeepPorts) =>
  repeat(async () => {
    await cleanKeyIndex().catch(onTrouble('elasticsearch'));
  }, CLEAN_EVERY_MS);
