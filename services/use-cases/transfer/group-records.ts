/** The records that an import appends, of events that belong together. */
import { isDeepStrictEqual } from 'node:util';
import { encodeEvent } from '../../../core/log/encode.ts';
import { usageKey } from '../../../core/log/usage-key.ts';
import type { NewRecord, SessionKey } from '../../../core/ports.ts';
import { NO_SESSION } from '../../../schemas/events/curation/correction.ts';
import type { TurnEmbedded } from '../../../schemas/events/embeddings.ts';
import { exportedAs } from '../../../schemas/events/event-types.ts';
import type { ObservationsExtracted } from '../../../schemas/events/observations.ts';
import { extrasOf, type TurnRecorded, type WriteAccepted } from '../../../schemas/events/turns.ts';
import { EMBEDDED } from '../../workers/embedder/embed.ts';
import { embeddedFrames } from '../../workers/embedder/embedded-frames.ts';
import { ENRICHED } from '../../workers/enricher/enrich.ts';
import { extractedFrames } from '../../workers/enricher/extracted-frames.ts';
import { writeRecords } from '../ingest/records.ts';
import type { ExportedEvent } from './export-format.ts';

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
export interface Group {
  /** The write, or the first extraction. */
  first: ImportedEvent;
  /** The fresh turns, or the fresh extractions. */
  events: ImportedEvent[];
  bytes: number;
  /** Whether a record has the write already. */
  isStored: boolean;
}

/** @param keyOf the key of an event's session when its record is made */
export const makeGroupRecords = (org: string, keyOf: (event: ImportedEvent) => Promise<SessionKey>) => {
  const recordOf = (event: ImportedEvent, value = encoded(org, event), headers = {}): NewRecord => {
    const { type, id, correlation_id, data } = event;
    const { user_id: user } = data as { user_id: string };
    const session = sessionOf(event);
    return {
      topic: exportedAs(type).exported.topic,
      key: session === undefined ? usageKey(org, id) : JSON.stringify([org, user, session]),
      value,
      headers: { correlation_id, ...headers },
    };
  };

  const recordsOfTurns = async (first: ImportedEvent, turns: readonly ImportedEvent[], headers = {}) => {
    const write = first.data as WriteAccepted;
    const records = await writeRecords(
      {
        scope: { org, user: write.user_id, session: write.session_id },
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

  return { recordOf, recordsOfTurns, recordsOf };
};

/** Whose key seals an event; undefined for one that isn't sealed. */
export const sessionOf = ({ type, data }: Pick<ExportedEvent, 'type' | 'data'>): string | undefined =>
  exportedAs(type).stored === 'plain'
    ? undefined
    : ((data as { session_id?: string }).session_id ?? NO_SESSION);

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
  const { role, text, timestamp, active, passive, observations, ...turn } = data as TurnRecorded;
  return {
    id,
    role,
    text,
    timestamp: Date.parse(timestamp),
    observations,
    ...extrasOf(turn),
    active,
    passive,
    expiresAt: expires_at === undefined ? undefined : Date.parse(expires_at),
    tokens: tokens!,
    recordedAt: Date.parse(recorded_at),
  };
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
