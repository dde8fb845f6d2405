import { ORIGINAL_OFFSET } from '../../../core/log/events.ts';
import { addressName } from '../../../core/log/positions.ts';
import { readPages } from '../../../core/log/read.ts';
import type { EnvelopeFacts, LetterState, ListedLetter } from '../../../core/operator/dead-letters.ts';
import type { EventLog, LogRecord, NewRecord, Topic } from '../../../core/ports.ts';
import { eventOffsetOf } from '../../../schemas/events/event-offset.ts';
import { INDEX } from '../../workers/projector/poison.ts';
import { recordFacts } from './record-facts.ts';

export type Decision = Exclude<LetterState, 'open'>;

/** A record that was set aside, identified by its address in its partition. */
export interface Letter extends Omit<ListedLetter, 'topic' | 'org' | 'type' | 'recorded_at'> {
  topic: Topic;
  envelope: EnvelopeFacts | null;
  /** Its address in the topic `dead-letters`. */
  at: { partition: number; offset: number };
  /** The highest offset at which the record or a copy of it was set aside. */
  setAsideAt: number;
}

/** Headers that describe which record was set aside, and why; all others are the record's own. */
const ABOUT = new Set(['reason', 'step', 'topic', 'partition', 'offset', INDEX]);
/** Headers of a decision: what was decided, and up to which of the letter's copies it holds. */
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
  // A requeued copy of one event has its index in the header already.
  const [offset, index = headers[INDEX]] = (headers[ORIGINAL_OFFSET] ?? String(setAsideAt)).split('/');
  const address = { offset: Number(offset), ...(index !== undefined && { index: Number(index) }) };
  const { bytes, envelope } = recordFacts(value);
  return {
    position: addressName({ topic, partition, ...address }),
    topic,
    partition,
    ...address,
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
 * The fold of the topic `dead-letters`. A record that was set aside twice (by a step repeated after a crash)
 * is one letter. A decision holds for what had been set aside when it was made: a copy that fails again,
 * later in the log, reopens its letter; setting aside the same record again doesn't.
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
    .sort(
      (a, b) =>
        a.topic.localeCompare(b.topic) || a.partition - b.partition || eventOffsetOf(a) - eventOffsetOf(b),
    );
};

/**
 * The addresses of records that were set aside, with the last reason. A requeued copy has its own address
 * here, not its original's.
 */
export const readSetAside = async (
  log: Pick<EventLog, 'read' | 'ends'>,
): Promise<ReadonlyMap<string, string>> => {
  const addresses = new Map<string, string>();
  for await (const { headers } of deadLetterRecords(log)) {
    if (headers[DECISION] !== undefined) continue;
    const { topic = '', partition, offset, [INDEX]: index, reason = '' } = headers;
    const address = { offset: Number(offset), index: index === undefined ? undefined : Number(index) };
    addresses.set(addressName({ topic, partition: Number(partition), ...address }), reason);
  }
  return addresses;
};

/** Reads the whole topic: letters and decisions. */
export async function* deadLetterRecords(log: Pick<EventLog, 'read' | 'ends'>): AsyncGenerator<LogRecord> {
  const range = { topics: ['dead-letters'], to: await log.ends(), pageSize: PAGE } as const;
  for await (const { records } of readPages(log, range)) yield* records;
}

/** The record as it was before it was set aside, with its own headers. */
export const recordOf = async (
  log: Pick<EventLog, 'read'>,
  { at, topic, partition, offset }: Letter,
): Promise<LogRecord> => {
  const [record] = await log.read('dead-letters', at.partition, at.offset, 1);
  if (record?.offset !== at.offset) throw new Error('the log no longer holds a dead letter that it listed');
  const headers = Object.fromEntries(
    Object.entries(record.headers).filter(([name]) => !ABOUT.has(name) && name !== ORIGINAL_OFFSET),
  );
  return { topic, partition, offset, value: record.value, headers };
};

/**
 * A copy for the end of the record's own partition; what is derived from it keeps the original's address.
 * `index`: the only one of its events that is read.
 */
export const requeuedCopy = (
  { topic, partition, offset, value, headers }: LogRecord,
  index: number | undefined,
): NewRecord => ({
  topic,
  key: topic,
  partition,
  value,
  headers: { ...headers, [ORIGINAL_OFFSET]: index === undefined ? String(offset) : `${offset}/${index}` },
});

/** The decision has the letter's key, so that decisions on one letter keep their order. */
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
    ...(letter.index !== undefined && { [INDEX]: String(letter.index) }),
  },
});
