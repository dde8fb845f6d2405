import { tailTurnOf } from '../../../projections/recall/tail/tail-turn.ts';
import { placeOf } from '../../../schemas/events/place.ts';
import type { WriteAccepted } from '../../../schemas/events/turns.ts';
import type { IngestAnswer, IngestBody } from '../../../schemas/http/ingestion.ts';
import { appendAdmitted } from '../../core/log/append-admitted.ts';
import type { Admission, Caps, EventLog, KeyStore, RecallIndex } from '../../core/ports.ts';
import { quotaExceeded } from '../../core/quota-exceeded.ts';
import { writeScope } from '../../core/scope.ts';
import type { CountTokens } from '../../core/tokens/counter.ts';
import type { CallContext, Principal } from '../../core/use-cases.ts';
import { identify } from './identify.ts';
import { makeKnownJob } from './job.ts';
import { writeRecords } from './records.ts';

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
    const signal = context.deadline?.signal;
    const count = (texts: readonly string[]) => countTokens(place.org, texts, signal);
    const write = await identify(place, body.turns, key.identity, count, signal);
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
      signal,
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

    const accepted: WriteAccepted = {
      user_id: place.user,
      session_id: place.session,
      job_id: jobId,
      turn_ids: write.turnIds,
      options,
      metadata: body.metadata ?? null,
    };
    const { correlationId } = context;
    const { parts, addresses } = await appendAdmitted(
      { log, admission },
      { attempt, deadline: context.deadline },
      async () => {
        const draft = { place, write: accepted, fresh, attempt, correlationId, recordedAt: now };
        const parts = await writeRecords(draft, key, signal);
        return { parts, records: parts.map(({ record }) => record) };
      },
    );
    const { keyId } = key;
    const own = await admission.remember(attempt, {
      job: {
        id: jobId,
        ...place,
        turnIds: write.turnIds,
        passive: options.write_passive,
        keyId,
        ...addresses[0]!,
      },
      turns: parts.flatMap(({ turns }, part) => {
        const { partition, offset } = addresses[part]!;
        return turns.map((turn, i) =>
          // The write itself is the first event of each part.
          tailTurnOf({
            ...turn,
            org_id: place.org,
            keyId,
            partition,
            offset: placeOf({ offset, index: i + 1 }),
          }),
        );
      }),
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
