import { isDeepStrictEqual } from 'node:util';
import { encodeEvent } from '../../../core/log/events.ts';
import { jsonBytes } from '../../../core/log/json-bytes.ts';
import { usageKey } from '../../../core/log/usage-key.ts';
import type { NewRecord, SessionKey } from '../../../core/ports.ts';
import { NO_SESSION } from '../../../schemas/events/curation/correction.ts';
import type { TurnEmbedded } from '../../../schemas/events/embeddings.ts';
import type { ObservationsExtracted } from '../../../schemas/events/observations.ts';
import type { TurnRecorded, WriteAccepted } from '../../../schemas/events/turns.ts';
import { EMBEDDED } from '../../workers/embedder/embed.ts';
import { embeddedFrames } from '../../workers/embedder/embedded-frames.ts';
import { ENRICHED } from '../../workers/enricher/enrich.ts';
import { extractedFrames } from '../../workers/enricher/extracted-frames.ts';
import { writeRecords } from '../ingest/records.ts';
import type { ExportedEvent, ExportedType } from './format.ts';

/** An event of a file, with the ids that this installation derives from its content. */
export interface ImportedEvent
  extends Pick<
    ExportedEvent,
    'type' | 'id' | 'recorded_at' | 'correlation_id' | 'tokens' | 'expires_at' | 'kept_from'
  > {
  data: object;
  /** The key of its session; undefined for an event that isn't sealed. */
  key: SessionKey | undefined;
  /** Headers of its record that name the turn's other data in the file. */
  has: Readonly<Record<string, string>>;
  /** Whether the log has it already. */
  isKnown: boolean;
}

/**
 * Events that become one record: a write with its turns, or what was extracted from turns of one session, or
 * their vectors.
 */
interface Group {
  /** The write, or the first extraction. */
  first: ImportedEvent;
  /** The fresh turns, or the fresh extractions. */
  events: ImportedEvent[];
  bytes: number;
  /** Whether a record has the write already. */
  isStored: boolean;
}

const TOPIC_OF: Record<ExportedType, 'turns' | 'observations' | 'usage'> = {
  'write.accepted': 'turns',
  'turn.recorded': 'turns',
  'observations.extracted': 'observations',
  'extraction.failed': 'observations',
  'turn.embedded': 'observations',
  'entity.corrected': 'turns',
  'session.titled': 'turns',
  'recall.metered': 'usage',
};

/** The most bytes held until their record is made. */
const MOST_BYTES = 1024 * 1024;

/**
 * Makes the records of an organization's imported events, given in the order of the file. A write's turns
 * follow it there and become one record with it, as when they were said, and so does what was extracted from
 * them; other events are a record each, a turn that doesn't follow its write with a write of it alone.
 *
 * @param keyOf the key of an event's session when its record is made: the one that it came with may have been
 * replaced
 */
export const makeImportedRecords = (
  org: string,
  keyOf = async ({ key }: ImportedEvent): Promise<SessionKey> => key!,
) => {
  let group: Group | undefined;

  const recordOf = (event: ImportedEvent, value = encoded(org, event), headers = {}): NewRecord => {
    const { type, id, correlation_id, data } = event;
    const { user_id: user } = data as { user_id: string };
    const session = sessionOf(event);
    return {
      topic: TOPIC_OF[type],
      key: session === undefined ? usageKey(org, id) : JSON.stringify([org, user, session]),
      value,
      headers: { correlation_id, ...headers },
    };
  };

  const recordsOfTurns = async (first: ImportedEvent, turns: readonly ImportedEvent[], headers = {}) => {
    const write = first.data as WriteAccepted;
    const records = await writeRecords(
      {
        place: { org, user: write.user_id, session: write.session_id },
        write,
        fresh: turns.map(freshTurnOf),
        correlationId: first.correlation_id,
        recordedAt: Date.parse(first.recorded_at),
      },
      await keyOf(first),
    );
    return records.map(({ record }) => recordOf(first, record.value, headers));
  };

  const recordsOf = async ({ first, events, isStored }: Group): Promise<NewRecord[]> => {
    if (first.type === 'observations.extracted') {
      const { recorded_at, correlation_id } = first;
      const extracted = events as (ImportedEvent & { data: ObservationsExtracted })[];
      const common = { org_id: org, recorded_at, correlation_id };
      const frames = extractedFrames(common, extracted, await keyOf(first));
      return frames.map(value => recordOf(first, value));
    }
    if (first.type === 'turn.embedded') {
      const { recorded_at, correlation_id } = first;
      const embedded = events as (ImportedEvent & { data: TurnEmbedded })[];
      const frames = embeddedFrames(
        { org_id: org, recorded_at, correlation_id },
        embedded,
        await keyOf(first),
      );
      return frames.map(value => recordOf(first, value));
    }
    if (events.length === 0 && !isStored && !first.isKnown) return recordsOfTurns(first, []);
    const records: NewRecord[] = [];
    for (const turns of runsOf(events)) records.push(...(await recordsOfTurns(first, turns, turns[0]!.has)));
    return records;
  };

  /** The records of the group that is held. */
  const close = async (): Promise<NewRecord[]> => {
    if (!group) return [];
    const records = await recordsOf(group);
    group = { ...group, events: [], bytes: 0, isStored: true };
    return records;
  };

  const hold = async (event: ImportedEvent): Promise<NewRecord[]> => {
    if (event.isKnown) return [];
    group!.events.push(event);
    group!.bytes += jsonBytes(event.data);
    return group!.bytes < MOST_BYTES ? [] : close();
  };

  return {
    /** The records that are complete with this event. */
    take: async (event: ImportedEvent): Promise<NewRecord[]> => {
      if (group && belongs(event, group.first)) return hold(event);
      const records = await close();
      group = undefined;
      if (event.type === 'write.accepted' || isOfTurns(event))
        group = { first: event, events: [], bytes: 0, isStored: false };
      if (isOfTurns(event)) return [...records, ...(await hold(event))];
      if (group || event.isKnown) return records;
      if (event.type === 'turn.recorded')
        return [...records, ...(await recordsOfTurns(writeOf(event), [event], event.has))];
      return [...records, recordOf(event)];
    },
    /** The remaining records, at the end. */
    rest: close,
  };
};

/** Whose key seals an event; undefined for one that isn't sealed. */
export const sessionOf = ({ type, data }: { type: ExportedType; data: unknown }): string | undefined =>
  type === 'entity.corrected' ? NO_SESSION : (data as { session_id?: string }).session_id;

/** Whether the event was derived from a turn, and is recorded together with others of its kind. */
const isOfTurns = ({ type }: ImportedEvent): boolean =>
  type === 'observations.extracted' || type === 'turn.embedded';

const encoded = (org: string, event: ImportedEvent): Uint8Array => {
  const { type, id, recorded_at, correlation_id, expires_at, kept_from, data, key } = event;
  return encodeEvent(
    {
      type,
      id,
      org_id: org,
      recorded_at,
      correlation_id,
      expires_at,
      kept_from,
      data,
    },
    key,
  );
};

/** The headers that keep an imported turn from being enriched or embedded again. */
export const headersOfTurn = (
  id: string,
  { enriched, embedded }: { enriched: ReadonlySet<string>; embedded: ReadonlyMap<string, readonly string[]> },
): Record<string, string> => {
  const models = embedded.get(id);
  return {
    ...(enriched.has(id) && { [ENRICHED]: 'imported' }),
    ...(models && { [EMBEDDED]: models.join(',') }),
  };
};

/**
 * The write of a turn that doesn't follow its own: a write of this turn alone, unless the log has its write
 * already.
 */
const writeOf = (turn: ImportedEvent): ImportedEvent => {
  const { user_id, session_id, job_id, active, passive, metadata = null } = turn.data as TurnRecorded;
  const options = { write_active: active, write_passive: passive };
  const data: WriteAccepted = { user_id, session_id, job_id, turn_ids: [turn.id], options, metadata };
  return { ...turn, type: 'write.accepted', id: job_id, data };
};

/** Splits turns into records by their headers, which belong to a record. The order stays. */
const runsOf = (turns: readonly ImportedEvent[]): ImportedEvent[][] => {
  const runs: ImportedEvent[][] = [];
  for (const turn of turns) {
    const run = runs.at(-1);
    if (run && isDeepStrictEqual(run[0]!.has, turn.has)) run.push(turn);
    else runs.push([turn]);
  }
  return runs;
};

const freshTurnOf = ({ id, recorded_at, tokens, expires_at, data }: ImportedEvent) => {
  const { role, text, timestamp, active, passive, observations, facts, stated } = data as TurnRecorded;
  return {
    id,
    role,
    text,
    timestamp: Date.parse(timestamp),
    observations,
    facts,
    stated,
    active,
    passive,
    expiresAt: expires_at === undefined ? undefined : Date.parse(expires_at),
    tokens: tokens!,
    recordedAt: Date.parse(recorded_at),
  };
};

type About = Partial<Omit<TurnRecorded, 'observations'> & ObservationsExtracted & TurnEmbedded>;

/** A file may be made by hand, so that a turn names the write of another session. */
const belongs = (event: ImportedEvent, first: ImportedEvent): boolean => {
  const own: About = event.data;
  const others: About = first.data;
  const isSame = (names: readonly (keyof About)[]): boolean =>
    event.correlation_id === first.correlation_id && names.every(name => own[name] === others[name]);
  if (event.type === 'turn.recorded' && first.type === 'write.accepted')
    return isSame(['user_id', 'session_id', 'job_id']);
  if (event.type === 'observations.extracted' && first.type === 'observations.extracted')
    return (
      isSame(['user_id', 'session_id', 'extractor', 'source']) &&
      isDeepStrictEqual(own.metadata, others.metadata)
    );
  if (event.type === 'turn.embedded' && first.type === 'turn.embedded')
    return isSame(['user_id', 'session_id', 'model', 'dimensions']);
  return false;
};
