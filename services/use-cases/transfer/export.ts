import { parseEnvelope } from '../../../schemas/events/envelope.ts';
import { ServiceError } from '../../core/errors.ts';
import type { Decode } from '../../core/log/events.ts';
import { readPages } from '../../core/log/read.ts';
import type { EventLog, LogRecord } from '../../core/ports.ts';
import { makeYieldWhenDue } from '../../core/yield-when-due.ts';
import {
  EXPORTED_TYPES,
  type ExportedEvent,
  type ExportedType,
  FORMAT,
  FORMAT_VERSION,
  type Header,
  type Trailer,
} from './format.ts';

/** The topics that an export reads: turns come before the events extracted from them. */
export const EXPORTED = { topics: ['turns', 'observations', 'usage'], pageSize: 500 } as const;

export interface ExportPorts {
  log: Pick<EventLog, 'read' | 'ends'>;
  decode: Decode;
  /** Unix milliseconds. */
  clock: () => number;
}

export type ExportedLine = Header | ExportedEvent | Trailer;

/** Read from the envelope only: records of other organizations are not decrypted. */
const organizationOf = (record: LogRecord): unknown => {
  try {
    return (parseEnvelope(record.value) as { org_id?: unknown } | null)?.org_id;
  } catch {
    return undefined;
  }
};

const isExported = (type: string): type is ExportedType => EXPORTED_TYPES.includes(type as ExportedType);

/**
 * An organization's events as recorded, decrypted, up to the current end of the log: topic by topic, partition by
 * partition, in the log's order, including second copies. Erased and unreadable events are left out.
 */
export const makeExport = ({ log, decode, clock }: ExportPorts) =>
  async function* (org: string, signal: AbortSignal): AsyncGenerator<ExportedLine> {
    const ends = await log.ends();
    yield {
      format: FORMAT,
      version: FORMAT_VERSION,
      org_id: org,
      exported_at: new Date(clock()).toISOString(),
    };
    let events = 0;
    const yieldWhenDue = makeYieldWhenDue();
    for await (const { records } of readPages(log, { ...EXPORTED, to: ends })) {
      for (const record of records) {
        if (organizationOf(record) !== org) continue;
        const decoded = await decode(record);
        if (decoded.kind !== 'event' || !isExported(decoded.event.type)) continue;
        const { type, version, id, recorded_at, correlation_id, tokens, data } = decoded.event;
        events++;
        yield { type: type as ExportedType, version, id, recorded_at, correlation_id, tokens, data };
      }
      // End with an error, so that a part can't be mistaken for the whole.
      if (signal.aborted) throw new ServiceError('unavailable', 'The export was broken off.');
      await yieldWhenDue();
    }
    yield { end: true, events };
  };
