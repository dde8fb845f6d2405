import { createHash } from 'node:crypto';
import { makeYieldWhenDue } from '../../../core/fairness/yield-when-due.ts';
import { idsIn } from '../../../core/log/events.ts';
import { readPages } from '../../../core/log/read.ts';
import type { Line } from '../../../core/operator/file-lines.ts';
import type {
  EventLog,
  KeyStore,
  NewRecord,
  Positions,
  RecordAddress,
  SessionKey,
} from '../../../core/ports.ts';
import { embeddingId, extractionId, turnId, writeId } from '../../../domain/identity/identity.ts';
import type { RecallJudged } from '../../../schemas/events/curation/judgement.ts';
import type { TurnEmbedded } from '../../../schemas/events/embeddings.ts';
import { parseEnvelope } from '../../../schemas/events/envelope.ts';
import { exportedAs } from '../../../schemas/events/event-types.ts';
import type { ExtractionFailed, ObservationsExtracted } from '../../../schemas/events/observations.ts';
import type { TurnRecorded, WriteAccepted } from '../../../schemas/events/turns.ts';
import { EXPORTED } from './chunk.ts';
import { type ExportedEvent, isTrailer, readBilled, readEvent } from './export-format.ts';
import { headersOfTurn, sessionOf } from './group-records.ts';
import { makeImportedRecords } from './imported-records.ts';
import { makeStatements, type Statements } from './statements.ts';
import { withoutReceipt } from './without-receipt.ts';

/** Events per append. */
const BATCH = 256;
const BATCH_BYTES = 2 * 1024 * 1024;

export interface ImportPorts {
  log: Pick<EventLog, 'append' | 'read' | 'ends'>;
  keys: Pick<KeyStore, 'forSession'>;
  /** Offsets below which the organization has no events. */
  beganAt: (org: string) => Promise<Positions>;
  /** Reports the records to admission, if it doesn't read the log itself; waits until there is room. */
  imported: (records: readonly NewRecord[], addresses: readonly RecordAddress[]) => Promise<void>;
}

export interface ImportProgress {
  /** Events of the file that were read. */
  events: number;
  written: number;
  known: number;
}

/** The events of a file without faults. */
async function* eventsOf(lines: AsyncIterable<Line>): AsyncGenerator<ExportedEvent> {
  let isFirst = true;
  for await (const line of lines) {
    // `billed` lines are skipped: what they count stays billed where it was.
    if (!isFirst && 'value' in line && !isTrailer(line.value) && !readBilled(line.value)) {
      const event = readEvent(line.value);
      if (!event.ok) throw new Error(`line ${line.number} of the file has changed since it was checked`);
      yield event.value;
    }
    isFirst = false;
  }
}

/** Ids of the organization's events in the log. */
const knownIds = async ({ log, beganAt }: ImportPorts, org: string): Promise<Set<string>> => {
  const known = new Set<string>();
  const yieldWhenDue = makeYieldWhenDue();
  for await (const { records } of readPages(log, {
    ...EXPORTED,
    from: await beganAt(org),
    to: await log.ends(),
  })) {
    for (const { value } of records) {
      try {
        const envelope = parseEnvelope(value) as Record<string, unknown>;
        if (envelope.org_id !== org) continue;
        for (const id of idsIn(envelope)) if (typeof id === 'string') known.add(id);
      } catch {
        // Ignored: the projector has written the record to the dead letters.
      }
    }
    await yieldWhenDue();
  }
  return known;
};

/**
 * Writes a checked file's events into an organization, under the keys and ids of this installation, with
 * their own `recorded_at`, tokens and observations. Events that the log already has are left out, so a
 * repeated import writes nothing, and one after a crash writes only the rest.
 */
export const makeImport = (ports: ImportPorts) =>
  async function* (
    open: () => AsyncIterable<Line>,
    { from, org, ...has }: { from: string; org: string } & Parameters<typeof headersOfTurn>[1],
    signal: AbortSignal,
  ): AsyncGenerator<ImportProgress> {
    const { log, keys, imported } = ports;
    const progress: ImportProgress = { events: 0, written: 0, known: 0 };
    const yieldWhenDue = makeYieldWhenDue();
    // A write lists its turns before they appear in the file, so their new ids are computed first.
    const turnIds = new Map<string, string>();
    const statements = makeStatements(turnIds);
    for await (const event of eventsOf(open())) {
      if (event.type !== 'turn.recorded') continue;
      const {
        user_id: user,
        session_id: session,
        role,
        text,
        timestamp,
        stated,
      } = event.data as TurnRecorded;
      const { identity } = await keys.forSession(org, user, session);
      const turn = { org, user, session, role, text, timestamp: Date.parse(timestamp) };
      if (stated) statements.add(event, { org, identity });
      else turnIds.set(event.id, turnId(identity, turn));
      signal.throwIfAborted();
      await yieldWhenDue();
    }
    if (statements.name()) {
      for await (const event of eventsOf(open())) {
        statements.find(event);
        signal.throwIfAborted();
        await yieldWhenDue();
      }
      statements.name();
    }

    const known = await knownIds(ports, org);
    const rename = makeRename({ from, org, turnIds, statements });
    const keyOf = (event: Pick<ExportedEvent, 'type' | 'data'>) =>
      keys.forSession(org, (event.data as { user_id: string }).user_id, sessionOf(event)!);
    const made = makeImportedRecords(org, keyOf);
    let batch: NewRecord[] = [];
    let bytes = 0;
    /** Events since the last append; those of a write that isn't whole yet are appended with it. */
    let written = 0;
    const append = async (records: readonly NewRecord[], most: number): Promise<boolean> => {
      batch.push(...records);
      bytes += records.reduce((sum, { value }) => sum + value.length, 0);
      if (batch.length === 0 || (written < most && bytes < BATCH_BYTES)) return false;
      await imported(batch, await log.append(batch));
      [batch, bytes] = [[], 0];
      progress.written += written;
      written = 0;
      return true;
    };

    for await (const event of eventsOf(open())) {
      signal.throwIfAborted();
      progress.events++;
      const { user_id: user } = event.data as { user_id: string };
      const session = sessionOf(event);
      const key = session === undefined ? undefined : await keys.forSession(org, user, session);
      const renamed = rename(event, key);
      const isKnown = known.has(renamed.id);
      if (isKnown) progress.known++;
      else written++;
      known.add(renamed.id);
      const records = await made.take({ ...renamed, key, isKnown, has: headersOfTurn(event.id, has) });
      if (await append(records, BATCH)) yield { ...progress };
      await yieldWhenDue();
    }
    await append(await made.rest(), 0);
    yield { ...progress };
  };

type Renamed = Omit<ExportedEvent, 'version' | 'data'> & {
  data: object;
};

/** Rewrites the event with the ids that this installation derives from its content. */
const makeRename = ({
  from,
  org,
  turnIds,
  statements,
}: {
  from: string;
  org: string;
  turnIds: ReadonlyMap<string, string>;
  statements: Pick<Statements, 'renamed'>;
}) => {
  const jobs = new Map<string, string>();

  const jobOf = (key: SessionKey, { user_id, session_id }: WriteAccepted | TurnRecorded, turns: string[]) =>
    `job_${writeId(key.identity, org, user_id, session_id, turns)}`;

  /** The id of an event whose id says nothing of its content. */
  const randomIdOf = ({ type, id }: ExportedEvent): string =>
    org === from ? id : idIn(exportedAs(type).exported.id as `${string}_`, org, id);

  const renamed = (event: ExportedEvent, key: SessionKey | undefined): { id: string; data: object } => {
    switch (event.type) {
      case 'write.accepted': {
        const data = event.data as WriteAccepted;
        // A turn that could not be exported because it is unreadable is left out of its write.
        const turn_ids = data.turn_ids.flatMap(id => turnIds.get(id) ?? []);
        const id = jobOf(key!, data, turn_ids);
        jobs.set(data.job_id, id);
        return { id, data: { ...data, job_id: id, turn_ids } };
      }
      case 'turn.recorded': {
        const data = event.data as TurnRecorded;
        const id = turnIds.get(event.id)!;
        const job_id = jobs.get(data.job_id) ?? jobOf(key!, data, [id]);
        return {
          id,
          data: { ...data, job_id, ...(data.stated && { stated: statements.renamed(data.stated) }) },
        };
      }
      case 'observations.extracted':
      case 'extraction.failed': {
        const data = event.data as ObservationsExtracted | ExtractionFailed;
        const turn_id = turnIds.get(data.turn_id)!;
        return { id: extractionId(turn_id, data.extractor), data: { ...data, turn_id } };
      }
      case 'turn.embedded': {
        const data = event.data as TurnEmbedded;
        const turn_id = turnIds.get(data.turn_id)!;
        return { id: embeddingId(turn_id, data.model), data: { ...data, turn_id } };
      }
      case 'recall.judged': {
        const data = event.data as RecallJudged;
        const turn_id = data.turn_id === null ? null : (turnIds.get(data.turn_id) ?? null);
        // An observation's id follows from its turn's and its words, which this event doesn't have.
        const hit_id = turnIds.get(data.hit_id) ?? data.hit_id;
        const recall_id = org === from ? data.recall_id : idIn('rcl_', org, data.recall_id);
        return { id: randomIdOf(event), data: { ...data, recall_id, hit_id, turn_id } };
      }
      // Names are labels, from which ids of entities follow here.
      default:
        return { id: randomIdOf(event), data: withoutReceipt(event).data as object };
    }
  };

  return (event: ExportedEvent, key: SessionKey | undefined): Renamed => {
    const { version: _, data: __, ...envelope } = event;
    return { ...envelope, ...renamed(event, key) };
  };
};

/**
 * The id of another organization's event here: the same on every import. A recall is billed in addition to
 * the original.
 */
const idIn = (prefix: `${string}_`, org: string, id: string): string =>
  `${prefix}${createHash('sha256')
    .update(JSON.stringify([org, id]))
    .digest('hex')
    .slice(0, 32)}`;
