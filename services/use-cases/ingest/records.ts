import { nextLargeStep } from '../../../core/fairness/large-steps.ts';
import { makeTimeSlice } from '../../../core/fairness/yield-when-due.ts';
import { encodeFrame } from '../../../core/log/encode.ts';
import { partsOf } from '../../../core/log/parts.ts';
import type { FreshTurn, NewRecord, SessionKey } from '../../../core/ports.ts';
import type { EventHead } from '../../../schemas/events/envelope.ts';
import {
  extrasOf,
  type TurnRecorded,
  turnsRecordedBody,
  type WriteAccepted,
} from '../../../schemas/events/turns.ts';
import type { IdentifiedTurn } from './identify.ts';

export interface Draft {
  scope: { org: string; user: string; session: string };
  write: WriteAccepted;
  fresh: (IdentifiedTurn & FreshTurn)[];
  /** The admission attempt; an import has none. */
  attempt?: string;
  /** The id of the caller's API key; an import has none. */
  apiKey?: string | undefined;
  correlationId: string;
  /** Unix milliseconds. */
  recordedAt: number;
}

/** A turn that a write stores, with its index in the records. */
export interface RecordedTurn {
  id: string;
  recorded_at: string;
  tokens: number;
  expires_at?: string;
  kept_from?: string;
  data: TurnRecorded;
}

/** A record to append, and the turns in it. The first of its events is the write itself. */
export interface WriteRecord {
  turns: readonly RecordedTurn[];
  record: NewRecord;
}

/**
 * A write's records: one, unless its turns are more than fit; that of a write without any has its job alone.
 * Throws the signal's reason when it is aborted.
 */
export const writeRecords = async (
  draft: Draft,
  key: SessionKey,
  signal?: AbortSignal,
): Promise<WriteRecord[]> => {
  const { metadata, turn_ids } = draft.write;
  const common = Buffer.byteLength(JSON.stringify([metadata, turn_ids]));
  const records: WriteRecord[] = [];
  const slice = makeTimeSlice(() => nextLargeStep(draft.scope.org, signal));
  for (const turns of draft.fresh.length === 0 ? [[]] : partsOf(recordedTurns(draft), common)) {
    const due = slice();
    if (due) await due;
    records.push({ turns: withMetadata(turns, metadata), record: recordOf(draft, turns, key) });
  }
  return records;
};

/** As readers see them: a record has the metadata once, for all of its turns. */
const withMetadata = (
  turns: readonly RecordedTurn[],
  metadata: WriteAccepted['metadata'],
): readonly RecordedTurn[] =>
  metadata ? turns.map(turn => ({ ...turn, data: { ...turn.data, metadata } })) : turns;

const recordedTurns = ({ scope, write, fresh, ...draft }: Draft): RecordedTurn[] => {
  const recorded_at = new Date(draft.recordedAt).toISOString();
  return fresh.map(
    ({
      id,
      role,
      text,
      timestamp,
      tokens,
      observations,
      active,
      passive,
      expiresAt,
      keptFrom,
      recordedAt,
      ...turn
    }) => ({
      id,
      recorded_at: recordedAt === draft.recordedAt ? recorded_at : new Date(recordedAt).toISOString(),
      tokens,
      ...(expiresAt !== undefined && { expires_at: new Date(expiresAt).toISOString() }),
      ...(keptFrom !== undefined && { kept_from: new Date(keptFrom).toISOString() }),
      data: {
        user_id: scope.user,
        session_id: scope.session,
        job_id: write.job_id,
        role,
        text,
        timestamp: new Date(timestamp).toISOString(),
        active,
        passive,
        observations,
        ...extrasOf(turn),
      },
    }),
  );
};

/** Returns a turn's counts that are read without its key. */
const countedIn = ({ facts = {}, stated }: TurnRecorded): Pick<EventHead, 'facts' | 'stated'> => {
  const said = Object.keys(facts).length;
  return { ...(said > 0 && { facts: said }), ...(stated && { stated: true }) };
};

const recordOf = (
  { scope, write, attempt, apiKey, correlationId, recordedAt }: Draft,
  turns: readonly RecordedTurn[],
  key: SessionKey,
): NewRecord => {
  const { org, user, session } = scope;
  const recorded_at = new Date(recordedAt).toISOString();
  const heads = turns.map(({ id, tokens, recorded_at: own, expires_at, kept_from, data }) => ({
    id,
    tokens,
    ...countedIn(data),
    ...(own !== recorded_at && { recorded_at: own }),
    ...(expires_at !== undefined && { expires_at }),
    ...(kept_from !== undefined && { kept_from }),
  }));
  const body = turnsRecordedBody(
    write,
    turns.map(({ id }) => id),
    turns.map(({ data }) => data),
  );
  const head = {
    id: write.job_id,
    type: 'turns.recorded',
    org_id: org,
    recorded_at,
    correlation_id: correlationId,
    ...(apiKey !== undefined && { api_key: apiKey }),
    events: [{ id: write.job_id }, ...heads],
  };
  return {
    topic: 'turns',
    key: JSON.stringify([org, user, session]),
    value: encodeFrame(head, body, key),
    headers: { correlation_id: correlationId, ...(attempt !== undefined && { attempt }) },
  };
};
