import { tailTurnOf } from '../../../projections/recall/tail/tail-turn.ts';
import type { TurnRecorded, WriteAccepted } from '../../../schemas/events/turns.ts';
import type { IngestAnswer, IngestBody } from '../../../schemas/http/ingestion.ts';
import { appendAdmitted } from '../../core/log/append-admitted.ts';
import { encodeEvent, type NewEvent } from '../../core/log/events.ts';
import type {
  Admission,
  Caps,
  EventLog,
  FreshTurn,
  KeyStore,
  NewRecord,
  RecallIndex,
  SessionKey,
} from '../../core/ports.ts';
import { quotaExceeded } from '../../core/quota-exceeded.ts';
import { writeScope } from '../../core/scope.ts';
import type { CountTokens } from '../../core/tokens/counter.ts';
import type { CallContext, Principal } from '../../core/use-cases.ts';
import { makeYieldWhenDue } from '../../core/yield-when-due.ts';
import { type IdentifiedTurn, type IdentifiedWrite, identify } from './identify.ts';
import { makeKnownJob } from './job.ts';

export interface IngestPorts {
  log: Pick<EventLog, 'append'>;
  keys: Pick<KeyStore, 'forSession'>;
  admission: Admission;
  index: Pick<RecallIndex, 'job' | 'jobOfTurn' | 'isQueued'>;
  capsOf: (org: string) => Promise<Caps>;
  countTokens: CountTokens;
  /** Unix milliseconds. */
  clock: () => number;
}

/**
 * identify → admit → seal → append → remember → 202. Before the append nothing is stored; after it everything is in the
 * log, and a retry of this call finds its turns known. The call can be cancelled until the append begins.
 */
export const makeIngest = ({ log, keys, admission, index, capsOf, countTokens, clock }: IngestPorts) => {
  const knownJob = makeKnownJob({ admission, index });

  return async (principal: Principal, body: IngestBody, context: CallContext): Promise<IngestAnswer> => {
    const place = writeScope(principal, body.scope);
    const options = {
      write_active: body.options?.write_active ?? true,
      write_passive: body.options?.write_passive ?? true,
    };
    const key = await keys.forSession(place.org, place.user, place.session);
    const count = (texts: readonly string[]) => countTokens(place.org, texts, context.deadline?.signal);
    const write = await identify(place, body.turns, key.identity, count);
    const [metadataTokens = 0] = body.metadata ? await count([JSON.stringify(body.metadata)]) : [];
    const jobId = `job_${write.id}`;

    const caps = await capsOf(place.org);
    const now = clock();
    const admitted = await admission.admit({
      org: place.org,
      user: place.user,
      recordedAt: now,
      caps,
      claims: [...write.turns.values()],
      tokensIn: 0,
      metadataTokens,
      options: { active: options.write_active, passive: options.write_passive },
      signal: context.deadline?.signal,
    });
    if (admitted.kind === 'refused') throw quotaExceeded(admitted, now);
    const { attempt } = admitted;
    const fresh = [...write.turns.values()].flatMap(turn => {
      const claimed = admitted.fresh.get(turn.id);
      return claimed ? [{ ...turn, ...claimed }] : [];
    });
    // The first write's options apply: a known turn has the fragment that it was written with, or none.
    const activeIds = write.turnIds.filter(
      id => admitted.fresh.get(id)?.active ?? !admitted.inactive.has(id),
    );

    if (fresh.length === 0) {
      await admission.release(attempt);
      const known = await knownJob(place, jobId, write.turnIds[0]!);
      return answerOf(known.id, activeIds, known.isQueued ?? options.write_passive, 0);
    }

    const metadata = body.metadata ?? null;
    const draft: Draft = { place, options, jobId, write, fresh, attempt, recordedAt: now, metadata };
    const { recorded, addresses } = await appendAdmitted(
      { log, admission },
      { attempt, deadline: context.deadline },
      async () => {
        const recorded = recordedEvents(draft, context);
        const events = [acceptedEvent(draft, context), ...recorded];
        const records: NewRecord[] = [];
        const yieldWhenDue = makeYieldWhenDue();
        for (const event of events) {
          records.push(sealedRecord(draft, event, key));
          await yieldWhenDue();
        }
        return { recorded, records };
      },
    );
    const [job, ...ofTurns] = addresses;
    const own = await admission.remember(attempt, {
      job: {
        id: jobId,
        ...place,
        turnIds: write.turnIds,
        passive: options.write_passive,
        keyId: key.keyId,
        ...job!,
      },
      turns: recorded.map((event, i) => tailTurnOf({ ...event, keyId: key.keyId, ...ofTurns[i]! })),
    });
    const billed = [...own.values()].reduce((sum, tokens) => sum + tokens, 0);
    const isQueued = fresh.some(({ passive }) => passive);
    return answerOf(jobId, activeIds, isQueued, billed);
  };
};

const answerOf = (jobId: string, activeIds: string[], isQueued: boolean, billed: number): IngestAnswer => ({
  job_id: jobId,
  active_fragment_ids: activeIds,
  passive_job_id: isQueued ? jobId.replace(/^job_/, 'enr_') : null,
  usage: { tokens_in: billed, tokens_out: 0 },
});

interface Draft {
  place: { org: string; user: string; session: string };
  options: { write_active: boolean; write_passive: boolean };
  jobId: string;
  write: IdentifiedWrite;
  fresh: (IdentifiedTurn & FreshTurn)[];
  attempt: string;
  /** Unix milliseconds. */
  recordedAt: number;
  metadata: Record<string, unknown> | null;
}

type TurnEvent<Data> = NewEvent & { data: Data };

const acceptedEvent = (
  { place, options, jobId, write, recordedAt, metadata }: Draft,
  { correlationId }: CallContext,
): TurnEvent<WriteAccepted> => ({
  id: jobId,
  type: 'write.accepted',
  org_id: place.org,
  recorded_at: new Date(recordedAt).toISOString(),
  correlation_id: correlationId,
  data: {
    user_id: place.user,
    session_id: place.session,
    job_id: jobId,
    turn_ids: write.turnIds,
    options,
    metadata,
  },
});

/** One event for each fresh turn, in the request's order. */
const recordedEvents = (
  { place, jobId, fresh }: Draft,
  { correlationId }: CallContext,
): TurnEvent<TurnRecorded>[] =>
  fresh.map(({ id, role, text, timestamp, tokens, observations, active, passive, recordedAt }) => ({
    id,
    type: 'turn.recorded',
    org_id: place.org,
    recorded_at: new Date(recordedAt).toISOString(),
    correlation_id: correlationId,
    tokens,
    data: {
      user_id: place.user,
      session_id: place.session,
      job_id: jobId,
      role,
      text,
      timestamp: new Date(timestamp).toISOString(),
      active,
      passive,
      observations,
    },
  }));

const sealedRecord = ({ place, attempt }: Draft, event: NewEvent, key: SessionKey): NewRecord => ({
  topic: 'turns',
  key: JSON.stringify([place.org, place.user, place.session]),
  value: encodeEvent(event, key),
  headers: { correlation_id: event.correlation_id, attempt },
});
