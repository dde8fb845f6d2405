import { PLACE_OF } from '../../core/log/events.ts';
import { addressName } from '../../core/log/positions.ts';
import { readPages } from '../../core/log/read.ts';
import type { EventLog, LogRecord, NewRecord, Topic } from '../../core/ports.ts';
import type { EnvelopeFacts, LetterState, ListedLetter } from '../operator/dead-letters.ts';
import { recordFacts } from './record-facts.ts';

export type Decision = Exclude<LetterState, 'open'>;

/** A record that was set aside, by the place that it has in its partition. */
export interface Letter extends Omit<ListedLetter, 'topic' | 'org' | 'type' | 'recorded_at'> {
  topic: Topic;
  envelope: EnvelopeFacts | null;
  /** Where the topic `dead-letters` holds it. */
  at: { partition: number; offset: number };
  /** The highest offset at which it, or a copy of it, was set aside. */
  setAsideAt: number;
}

/** Headers that say which record was set aside, and why; all others are the record's own. */
const ABOUT = new Set(['reason', 'step', 'topic', 'partition', 'offset']);
/** Headers of a decision: what was decided, and of which of the letter's copies. */
const DECISION = 'decision';
const THROUGH = 'through';

const PAGE = 200;

interface Decided {
  decision: Decision;
  through: number;
}

const letterOf = ({ headers, value, partition: at, offset: letterOffset }: LogRecord): Letter => {
  const topic = headers.topic as Topic;
  const partition = Number(headers.partition);
  const setAsideAt = Number(headers.offset);
  const offset = Number(headers[PLACE_OF] ?? setAsideAt);
  const { bytes, envelope } = recordFacts(value);
  return {
    position: addressName({ topic, partition, offset }),
    topic,
    partition,
    offset,
    step: headers.step ?? '',
    reason: headers.reason ?? '',
    state: 'open',
    bytes,
    envelope,
    at: { partition: at, offset: letterOffset },
    setAsideAt,
  };
};

/**
 * The fold of the topic `dead-letters`. A record that was set aside twice (a step that was repeated after a crash) is
 * one letter. A decision holds for what had been set aside when it was made: a copy that fails again, later in the log,
 * opens its letter again, and a repetition of what was decided on doesn't.
 */
export const readLetters = async (log: Pick<EventLog, 'read' | 'ends'>): Promise<Letter[]> => {
  const letters = new Map<string, Letter>();
  const decisions = new Map<string, Decided>();
  for await (const record of deadLetterRecords(log)) {
    const { headers } = record;
    const letter = letterOf(record);
    if (headers[DECISION] !== undefined) {
      decisions.set(letter.position, {
        decision: headers[DECISION] as Decision,
        through: Number(headers[THROUGH]),
      });
      continue;
    }
    const known = letters.get(letter.position);
    if (!known || known.setAsideAt < letter.setAsideAt) letters.set(letter.position, letter);
  }
  return [...letters.values()]
    .map(letter => {
      const decided = decisions.get(letter.position);
      return decided && decided.through >= letter.setAsideAt
        ? { ...letter, state: decided.decision }
        : letter;
    })
    .sort((a, b) => a.topic.localeCompare(b.topic) || a.partition - b.partition || a.offset - b.offset);
};

/** Places whose record was set aside: of a copy that was requeued its own, not the one that it should have taken. */
export const readSetAside = async (log: Pick<EventLog, 'read' | 'ends'>): Promise<ReadonlySet<string>> => {
  const places = new Set<string>();
  for await (const { headers } of deadLetterRecords(log)) {
    if (headers[DECISION] !== undefined) continue;
    const { topic = '', partition, offset } = headers;
    places.add(addressName({ topic, partition: Number(partition), offset: Number(offset) }));
  }
  return places;
};

/** All of the topic, letters and decisions. */
export async function* deadLetterRecords(log: Pick<EventLog, 'read' | 'ends'>): AsyncGenerator<LogRecord> {
  const range = { topics: ['dead-letters'], to: await log.ends(), pageSize: PAGE } as const;
  for await (const { records } of readPages(log, range)) yield* records;
}

/** The record as it was set aside, with the headers that it had. */
export const recordOf = async (
  log: Pick<EventLog, 'read'>,
  { at, topic, partition, offset }: Letter,
): Promise<LogRecord> => {
  const [record] = await log.read('dead-letters', at.partition, at.offset, 1);
  if (record?.offset !== at.offset) throw new Error('the log no longer holds a dead letter that it listed');
  const headers = Object.fromEntries(
    Object.entries(record.headers).filter(([name]) => !ABOUT.has(name) && name !== PLACE_OF),
  );
  return { topic, partition, offset, value: record.value, headers };
};

/** The record once more, at the end of its own partition; what is made of it has the place that it had. */
export const requeuedCopy = ({ topic, partition, offset, value, headers }: LogRecord): NewRecord => ({
  topic,
  key: topic,
  partition,
  value,
  headers: { ...headers, [PLACE_OF]: String(offset) },
});

/** Keyed as the letter is, so that decisions on one letter keep their order. */
export const decisionRecord = (letter: Letter, decision: Decision): NewRecord => ({
  topic: 'dead-letters',
  key: letter.topic,
  value: new Uint8Array(),
  headers: {
    [DECISION]: decision,
    [THROUGH]: String(letter.setAsideAt),
    topic: letter.topic,
    partition: String(letter.partition),
    offset: String(letter.offset),
  },
});
