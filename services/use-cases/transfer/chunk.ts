import { setTimeout as pause } from 'node:timers/promises';
import { makeYieldWhenDue } from '../../../core/fairness/yield-when-due.ts';
import type { Decode, Event, Prepare } from '../../../core/log/events.ts';
import { readPages } from '../../../core/log/read.ts';
import type { EventLog, ExportChunk, ExportChunks, ExportRange, LogRecord } from '../../../core/ports.ts';
import { type Condition, passes } from '../../../domain/filter/condition.ts';
import { type Metadata, termsOf } from '../../../domain/filter/terms.ts';
import { type Horizon, hasExpired } from '../../../domain/search/horizon.ts';
import { projectUsage } from '../../../projections/usage/usage-projection.ts';
import { hiddenBy } from '../../../schemas/events/curation/retraction.ts';
import { type EventHead, parseEnvelope } from '../../../schemas/events/envelope.ts';
import { type ExportedType, isExported } from '../../../schemas/events/event-types.ts';
import type { TurnRecorded } from '../../../schemas/events/turns.ts';
import type { BilledLine, ExportedEvent } from './export-format.ts';
import { withoutHidden } from './without-hidden.ts';
import { withoutReceipt } from './without-receipt.ts';

/** The topics that an export reads: turns come before the events extracted from them. */
export const EXPORTED = { topics: ['turns', 'observations', 'usage'] } as const;
/** The topics of the events that hide others. */
const HIDING = { topics: ['turns'] } as const;

/** Records per read: a record has up to 4 MiB. */
const PAGE = 32;
/**
 * A chunk ends when it has this many characters, or after this time, so that another organization's export
 * gets its turn.
 */
const LENGTH = 262_144;
const CHUNK_MS = 50;

const NOTHING = { lines: [], billed: [] };

interface Options {
  log: Pick<EventLog, 'read'>;
  decode: Decode;
  prepare?: Prepare;
  /**
   * Milliseconds to rest after each slice of work, where requests are answered on the same thread; default:
   * none.
   */
  restMs?: number;
}

/** The members read from an envelope or from a frame's head, as far as they are well formed. */
type Clear = { org_id?: unknown; id?: unknown; recorded_at?: string; events?: unknown };

/** Read from the envelope only: records of other organizations are not decrypted. */
const clearOf = (record: LogRecord): Clear => {
  try {
    return (parseEnvelope(record.value) as Clear | null) ?? {};
  } catch {
    return {};
  }
};
const organizationOf = (record: LogRecord): unknown => clearOf(record).org_id;

/**
 * The cleartext ids of data that isn't exported: the id that the record hides, or those of its turns that
 * have expired.
 */
const hiddenIn = (record: LogRecord, org: string, horizon: Horizon): string[] => {
  const clear = clearOf(record);
  if (clear.org_id !== org) return [];
  const hidden = typeof clear.id === 'string' ? hiddenBy(clear.id) : undefined;
  if (hidden !== undefined) return [hidden];
  const events = (Array.isArray(clear.events) ? clear.events : []) as (Partial<EventHead> | null)[];
  return events.flatMap(event => {
    const { id, recorded_at = clear.recorded_at, kept_from = recorded_at, expires_at } = event ?? {};
    if (typeof id !== 'string' || !id.startsWith('trn_')) return [];
    const kept = Date.parse(String(kept_from));
    const expiresAt = expires_at === undefined ? undefined : Date.parse(expires_at);
    return hasExpired(horizon, { kept, expiresAt }) ? [id] : [];
  });
};

/** Returns the lines of what the event bills, without its words. */
const billedOf = (event: Event): string[] =>
  projectUsage(event).map(({ eventId: id, day, tokensIn, tokensOut }) =>
    JSON.stringify({
      type: 'billed',
      id,
      day,
      tokens_in: tokensIn,
      tokens_out: tokensOut,
    } satisfies BilledLine),
  );

/** The events that say of which write they are. Titles, names, vectors and recalls don't. */
const OF_WRITES: ReadonlySet<string> = new Set([
  'write.accepted',
  'turn.recorded',
  'observations.extracted',
  'extraction.failed',
] satisfies ExportedType[]);

/**
 * Whether the event belongs to a write whose metadata passes the filter: its turns, and the data extracted
 * from them. One whose write isn't known doesn't.
 */
const isOfPassing = ({ type, data }: Event, filter: Condition): boolean =>
  OF_WRITES.has(type) && passes(filter, termsOf((data as { metadata?: Metadata | null }).metadata));

/** A record's first line, which is its write, has the metadata of all of its turns. */
const withoutShared = ({ type, data }: Event): unknown => {
  if (type !== 'turn.recorded') return data;
  const { metadata: _, ...turn } = data as TurnRecorded;
  return turn;
};

const lineOf = (event: Event): string[] => {
  const { type, version, id, recorded_at, correlation_id, tokens } = event;
  return isExported(type)
    ? [
        JSON.stringify({
          type,
          version,
          id,
          recorded_at,
          correlation_id,
          tokens,
          expires_at: event.expires_at,
          kept_from: event.kept_from,
          data: withoutShared(event),
        } satisfies ExportedEvent),
      ]
    : [];
};

/**
 * The organization's events in the next part of the log. Unreadable ones are left out; of an erased or hidden
 * event only the billed tokens are exported.
 */
export const makeExportChunks = ({ log, decode, prepare, restMs }: Options): ExportChunks => {
  const linesOf = async (
    record: LogRecord,
    { org, filter }: Pick<ExportRange, 'org' | 'filter'>,
    hidden: ReadonlySet<string>,
  ): Promise<Pick<ExportChunk, 'lines' | 'billed'>> => {
    const of = { lines: [] as string[], billed: [] as string[] };
    if (organizationOf(record) !== org) return of;
    const decoded = await decode(record);
    if (decoded.kind === 'poison') return of;
    for (const event of decoded.events) {
      // With a filter no `billed` lines are written: part of the events gives no sum that anybody is billed.
      if (filter && (decoded.kind !== 'events' || !isOfPassing(event, filter))) continue;
      const shown = decoded.kind === 'events' ? withoutHidden(withoutReceipt(event), hidden) : undefined;
      const lines = shown ? lineOf(shown) : [];
      of.lines.push(...lines);
      if (lines.length === 0 && !filter) of.billed.push(...billedOf(event));
    }
    return of;
  };

  return async ({ org, from, to, hidden, filter, horizon }): Promise<ExportChunk> => {
    const chunk = {
      lines: [] as string[],
      billed: [] as string[],
      hidden: [] as string[],
      next: { ...from },
    };
    const yieldWhenDue = makeYieldWhenDue(restMs === undefined ? undefined : () => pause(restMs));
    const started = performance.now();
    let length = 0;
    const isEnough = (): boolean => length >= LENGTH || performance.now() - started >= CHUNK_MS;
    for await (const { topic, partition, records, next } of readPages(log, {
      ...(hidden ? EXPORTED : HIDING),
      from,
      to,
      pageSize: PAGE,
    })) {
      const name = `${topic}/${partition}`;
      if (hidden) await prepare?.(records.filter(record => organizationOf(record) === org));
      for (const record of records) {
        const { lines, billed } = hidden ? await linesOf(record, { org, filter }, hidden) : NOTHING;
        if (!hidden) chunk.hidden.push(...hiddenIn(record, org, horizon));
        chunk.next[name] = record.offset + 1;
        chunk.lines.push(...lines);
        chunk.billed.push(...billed);
        for (const line of [...lines, ...billed]) length += line.length;
        if (isEnough()) return { ...chunk, isLast: false };
        await yieldWhenDue();
      }
      chunk.next[name] = next;
    }
    return { ...chunk, isLast: true };
  };
};
