import type { EventLog, LogRecord, Positions, Topic } from '../ports.ts';
import type { Decoded, Event } from './events.ts';

/** Records that are read at a time. */
const PAGE = 1_000;

/**
 * The events of some topics from positions (0 where there is none) to ends, partition by partition, in pages; those
 * whose key is gone without `data`. What can't be decoded is passed over: the projector has it in the dead letters.
 */
export const readEvents = async function* (
  { log, decode }: { log: Pick<EventLog, 'read'>; decode: (record: LogRecord) => Promise<Decoded> },
  topics: readonly Topic[],
  from: Positions,
  to: Positions,
): AsyncGenerator<Event[]> {
  for (const [place, end] of Object.entries(to)) {
    const [topic, partition] = place.split('/') as [Topic, string];
    if (!topics.includes(topic)) continue;
    for (let offset = from[place] ?? 0; offset < end; ) {
      const records = await log.read(topic, Number(partition), offset, PAGE);
      if (records.length === 0) break;
      const events: Event[] = [];
      for (const record of records) {
        if (record.offset >= end) break;
        const decoded = await decode(record);
        if (decoded.kind !== 'poison') events.push(decoded.event);
      }
      yield events;
      offset = records.at(-1)!.offset + 1;
    }
  }
};
