import { makeYieldWhenDue } from '../../../core/fairness/yield-when-due.ts';
import { parsePartition } from '../../../core/log/positions.ts';
import { readPages } from '../../../core/log/read.ts';
import type { Removal } from '../../../core/operator/removals.ts';
import type { EventLog, LogRecord, Positions, Topic } from '../../../core/ports.ts';
import type { MemoryErased } from '../../../schemas/events/curation/erasure.ts';
import type { MemoryExpired } from '../../../schemas/events/curation/expiry.ts';
import { type Envelope, isFrame, parseEnvelope } from '../../../schemas/events/envelope.ts';
import { registry } from '../../../schemas/events/registry.ts';

/**
 * The events that take away what an older copy of the log still has. A title counts: one that may have had
 * the words of a hidden turn was taken back, or replaced, by the next. Expiry doesn't: a copy knows its
 * instants itself.
 */
const REMOVALS: ReadonlySet<string> = new Set([
  'memory.erased',
  'memory.retracted',
  'session.titled',
  'api_key.revoked',
  'refresh_family.revoked',
]);
const TOPICS: readonly Topic[] = ['turns', 'observations', 'accounts'];

const envelopeOf = ({ value }: LogRecord): Envelope | undefined => {
  // Frames have what is said, and are most of the log.
  if (isFrame(value)) return undefined;
  try {
    const checked = registry.checkEnvelope(parseEnvelope(value));
    return checked.ok ? checked.value : undefined;
  } catch {
    return undefined;
  }
};

const envelopesOf = async function* (
  log: Pick<EventLog, 'read' | 'ends'>,
  to: Positions,
): AsyncGenerator<Removal> {
  // A data folder's log is read without giving way, in the thread that answers calls.
  const yieldWhenDue = makeYieldWhenDue();
  for await (const { topic, partition, records } of readPages(log, { topics: TOPICS, to })) {
    for (const record of records) {
      await yieldWhenDue();
      const event = envelopeOf(record);
      if (event) yield { topic, partition, event };
    }
  }
};

/**
 * Yields the log's removals that were recorded at `since` or later, partition by partition, in its order. An
 * erasure of a session names the keys, too, that the session lost before by expiry: an older copy has them.
 */
export const removalsSince = async function* (
  log: Pick<EventLog, 'read' | 'ends'>,
  since: string,
): AsyncGenerator<Removal> {
  const lost = new Map<string, Set<string>>();
  for await (const removal of envelopesOf(log, await log.ends())) {
    const { event } = removal;
    if (event.recorded_at < since) continue;
    if (event.type === 'memory.expired') {
      const { session, key_ids } = event.data as MemoryExpired;
      const ids = lost.get(session) ?? new Set();
      for (const id of key_ids) ids.add(id);
      if (ids.size > 0) lost.set(session, ids);
    }
    if (!REMOVALS.has(event.type)) continue;
    yield event.type === 'memory.erased' ? { ...removal, event: withKeys(event, lost) } : removal;
  }
};

const withKeys = (event: Envelope, lost: ReadonlyMap<string, ReadonlySet<string>>): Envelope => {
  const data = event.data as MemoryErased;
  const before = lost.get(data.session ?? '');
  return before
    ? { ...event, data: { ...data, key_ids: [...new Set([...data.key_ids, ...before])] } }
    : event;
};

/** A removal's name: the log has it where a partition has an event of this id. */
export const nameOf = ({ topic, partition, event }: Removal): string => `${topic}/${partition} ${event.id}`;

/** Returns which of the named ones the log has. */
export const knownAmong = async (
  log: Pick<EventLog, 'read' | 'ends'>,
  names: ReadonlySet<string>,
): Promise<Set<string>> => {
  const known = new Set<string>();
  for await (const one of envelopesOf(log, await log.ends())) {
    const name = nameOf(one);
    if (names.has(name)) known.add(name);
  }
  return known;
};

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns a line's removal, or why it is none. `ends`: those of the log that it is for. */
export const readRemoval = (
  value: unknown,
  ends: Positions,
): { ok: true; value: Removal } | { ok: false; fault: string } => {
  if (!isObject(value)) return { ok: false, fault: 'is not an object' };
  const name = `${value.topic}/${value.partition}`;
  const { topic, partition } = parsePartition(name);
  if (!TOPICS.includes(topic) || !Object.hasOwn(ends, name))
    return { ok: false, fault: 'names a partition that this log lacks' };
  const checked = registry.checkEnvelope(value.event);
  if (!checked.ok) return { ok: false, fault: `is not an event of the log: ${checked.reason}` };
  const event = checked.value;
  if (!REMOVALS.has(event.type)) return { ok: false, fault: `takes nothing away: ${event.type}` };
  if (event.key_id === null) {
    const data = registry.checkData(event.type, event.version, event.data);
    if (!data.ok) return { ok: false, fault: `is not an event of the log: ${data.reason}` };
  }
  return { ok: true, value: { topic, partition, event } };
};
