/**
 * Measures a turn's bytes in Kafka: its share of the write's record, of the extracted events, and of its
 * session's key.
 */

import { eventsIn } from '../../../../core/log/events.ts';
import { offsetIn, partitionsOf } from '../../../../core/log/positions.ts';
import { readPages } from '../../../../core/log/read.ts';
import type { LogRecord, SharedLog, Topic } from '../../../../core/ports.ts';
import { openKafkaLog } from '../../../../infra/cluster/kafka/log.ts';
import { until } from '../../../../test/support/wait.ts';
import type { Installation } from '../installation.ts';

const TOPICS: readonly Topic[] = ['turns', 'observations', 'keys'];
const GROUP = 'enricher';
const ENRICHED_WITHIN_MS = 5 * 60_000;
/** Bytes of a record besides value, name and headers: lengths, offset and time. */
const FRAMING = 12;

export interface ClusterBytes {
  turns: number;
  /** Bytes of all records, by topic. */
  bytes: ReadonlyMap<Topic, number>;
}

const bytesOf = ({ value, name = '', headers }: LogRecord): number =>
  Object.entries(headers).reduce(
    (sum, [header, text]) => sum + header.length + text.length + 2,
    FRAMING + value.length + name.length,
  );

const isEnriched = async (log: SharedLog): Promise<boolean> => {
  const [ends, committed] = await Promise.all([log.ends(), log.committed(GROUP)]);
  return partitionsOf(ends, 'turns').every(one => offsetIn(committed, one) >= one.offset);
};

export const measureClusterBytes = async ({ cluster, config, say }: Installation): Promise<ClusterBytes> => {
  const log = await openKafkaLog(config, { clientId: 'bench' });
  try {
    say('enriching what the log has');
    const enricher = await cluster.start('enricher');
    await until('all turns are enriched', () => isEnriched(log), ENRICHED_WITHIN_MS);
    await enricher.stop();
    const bytes = new Map<Topic, number>(TOPICS.map(topic => [topic, 0]));
    let turns = 0;
    for await (const { topic, records } of readPages(log, { topics: TOPICS, to: await log.ends() })) {
      bytes.set(
        topic,
        records.reduce((sum, record) => sum + bytesOf(record), bytes.get(topic)!),
      );
      // The first event of a record of turns is the write.
      if (topic === 'turns') turns += records.reduce((sum, { value }) => sum + eventsIn(value) - 1, 0);
    }
    return { turns, bytes };
  } finally {
    await log.close();
  }
};
