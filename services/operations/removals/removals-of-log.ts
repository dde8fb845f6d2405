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
  'api_key.retired',
  'refresh_family.revoked',
  'webhook.deleted',
  // A deletion counts where what it confirms is in the log. That all is erased is found out anew.
  'org.deletion_asked',
  'org.deletion_withdrawn',
  'org.deleted',
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

const envelopesOf = async function* (log: Pick<EventLog, 'read'>, to: Positions): AsyncGenerator<Removal> {
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

/** Keys of sessions by expiry that are held while the log is read; of more they are looked up again. */
const MOST_LOST = 50_000;
/** Removals that wait together for such a look. */
const AT_ONCE = 5_000;

/**
 * Yields the log's removals that were recorded at `since` or later, partition by partition, in its order. An
 * erasure of a session names the keys, too, that the session lost before by expiry: an older copy has them.
 * Reads the log once, and once more for each `atOnce` removals where more than `mostLost` keys were lost.
 */
export const removalsSince = async function* (
  log: Pick<EventLog, 'read' | 'ends'>,
  since: string,
  { mostLost = MOST_LOST, atOnce = AT_ONCE } = {},
): AsyncGenerator<Removal> {
  const to = await log.ends();
  const lost = makeLost();
  let isWhole = true;
  let waiting: Removal[] = [];
  for await (const removal of envelopesOf(log, to)) {
    const { event } = removal;
    if (event.recorded_at < since) continue;
    if (event.type === 'memory.expired' && isWhole) {
      lost.add(event.data as MemoryExpired);
      isWhole = lost.size() <= mostLost;
      if (!isWhole) lost.clear();
    }
    if (!REMOVALS.has(event.type)) continue;
    if (isWhole) yield lost.named(removal);
    else waiting.push(removal);
    if (waiting.length < atOnce) continue;
    yield* await lookedUp(log, { to, since }, waiting);
    waiting = [];
  }
  yield* await lookedUp(log, { to, since }, waiting);
};

/** Returns the removals with the keys that their sessions have lost, from another read of the log. */
const lookedUp = async (
  log: Pick<EventLog, 'read'>,
  { to, since }: { to: Positions; since: string },
  removals: readonly Removal[],
): Promise<Removal[]> => {
  const wanted = new Set(removals.map(sessionOf));
  wanted.delete(undefined);
  if (wanted.size === 0) return [...removals];
  const lost = makeLost();
  for await (const { event } of envelopesOf(log, to)) {
    if (event.type !== 'memory.expired' || event.recorded_at < since) continue;
    const expired = event.data as MemoryExpired;
    if (wanted.has(expired.session)) lost.add(expired);
  }
  return removals.map(lost.named);
};

/** The session that a removal erases; undefined for all others. */
const sessionOf = ({ event }: Removal): string | undefined =>
  event.type === 'memory.erased' ? ((event.data as MemoryErased).session ?? undefined) : undefined;

/** The keys that sessions lost by expiry. */
const makeLost = () => {
  const keys = new Map<string, Set<string>>();
  let size = 0;
  return {
    add: ({ session, key_ids }: MemoryExpired): void => {
      if (key_ids.length === 0) return;
      const known = keys.get(session) ?? new Set();
      size -= known.size;
      for (const id of key_ids) known.add(id);
      size += known.size;
      keys.set(session, known);
    },
    size: () => size,
    clear: () => keys.clear(),
    named: (removal: Removal): Removal => {
      const before = keys.get(sessionOf(removal) ?? '');
      if (!before) return removal;
      const { event } = removal;
      const data = event.data as MemoryErased;
      const key_ids = [...new Set([...data.key_ids, ...before])];
      return { ...removal, event: { ...event, data: { ...data, key_ids } } };
    },
  };
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
