import { type Partition, partitionsOf } from '../../../core/log/positions.ts';
import type { EventLog, KeyStore, Positions, TurnDetails } from '../../../core/ports.ts';
import { PROJECTIONS } from '../../../projections/all.ts';

export interface ErasedScope {
  org: string;
  user: string;
  /** Undefined: all of the user's sessions. */
  session: string | undefined;
}

export interface OwnPartitionsPorts {
  log: Pick<EventLog, 'partitionOf'>;
  keys: Pick<KeyStore, 'sessionsOf'>;
  details: Pick<TurnDetails, 'sessionsOf'>;
}

/** The partitions of the topics whose events contain text. */
export interface OwnPartitions {
  /** All that may ever hold events of the scope: for a user all of them, for a session one of each topic. */
  all: readonly Partition[];
  /** Whether it has, or may have, an event of the scope from before the last look. */
  isOwn(partition: Pick<Partition, 'partition'>): boolean;
  /** Looks again. What was appended before that, of whatever session, is then in a partition that is own. */
  look(): Promise<void>;
}

const TOPICS = PROJECTIONS.recall.topics;

/**
 * Finds where words of a scope are. A session's records share a partition of each topic, and a session has a
 * key before it has a record. Without a living key nothing of it that was not projected yet can be opened, so
 * only what the index holds of it is left.
 *
 * @param ends of the log, which name its partitions
 */
export const ownPartitions = async (
  { log, keys, details }: OwnPartitionsPorts,
  { org, user, session }: ErasedScope,
  ends: Positions,
): Promise<OwnPartitions> => {
  // As its records have it (records.ts of ingest).
  const partitionOf = (name: string): number => log.partitionOf(JSON.stringify([org, user, name]));
  if (session !== undefined) {
    const partition = partitionOf(session);
    return {
      all: TOPICS.map(topic => ({ topic, partition })),
      isOwn: () => true,
      look: async () => {},
    };
  }
  const all = TOPICS.flatMap(topic => partitionsOf(ends, topic)).map(({ topic, partition }) => ({
    topic,
    partition,
  }));
  const many = new Set(all.map(({ partition }) => partition)).size;
  const own = new Set<number>();
  const add = async (pagesOf: () => AsyncIterable<readonly string[]>): Promise<void> => {
    // Thousands of sessions are in every partition.
    if (own.size === many) return;
    for await (const page of pagesOf()) {
      for (const name of page) own.add(partitionOf(name));
      if (own.size === many) return;
    }
  };
  const keyed = await keys.sessionsOf(org, user);
  await add(keyed.names);
  await add(() => details.sessionsOf(org, user));
  return { all, isOwn: ({ partition }) => own.has(partition), look: () => add(keyed.since) };
};
