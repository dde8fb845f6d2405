import type { ServiceError } from '../../../core/errors.ts';
import { appendOrRelease, releasing } from '../../../core/log/append-or-release.ts';
import type { PaidLog } from '../../../core/payers/paid-log.ts';
import type { Admission, NewRecord, SessionKey } from '../../../core/ports.ts';
import { quotaExceeded } from '../../../core/quota-exceeded.ts';
import { inSpan } from '../../../core/tracing/spans.ts';
import type { CappedContext } from '../../../core/use-cases.ts';
import { type TailTurn, tailTurnOf } from '../../../projections/recall/tail/tail-turn.ts';
import type { SessionTitled } from '../../../schemas/events/curation/correction.ts';
import { eventOffsetOf } from '../../../schemas/events/event-offset.ts';
import type { WriteAccepted } from '../../../schemas/events/turns.ts';
import { correctionRecord } from '../curation/names/correction-record.ts';
import { assertLasting, type Expiry, expiryOf } from './expiry.ts';
import type { IdentifiedWrite } from './identify.ts';
import { type WriteRecord, writeRecords } from './records.ts';

export interface KeepPorts {
  log: Pick<PaidLog, 'append'>;
  admission: Pick<Admission, 'admit' | 'remember' | 'release' | 'leave'>;
  /** Unix milliseconds. */
  clock: () => number;
}

/** The data that a call wants to store. */
export interface Wanted {
  scope: { org: string; user: string; session: string };
  /** The id of the caller's API key, by which usage is split. */
  apiKey: string;
  key: SessionKey;
  write: IdentifiedWrite;
  options: WriteAccepted['options'];
  /** When it expires by itself; undefined: it doesn't. */
  expiry?: Expiry | undefined;
  /** Makes the error to throw if the expiry is already in the past; default: `invalid`. */
  gone?: (() => ServiceError) | undefined;
  metadata: WriteAccepted['metadata'];
  /** The tokens of the metadata, and of the title. */
  metadataTokens: number;
  /** The title that its session gets with it; undefined: none. */
  title?: string | undefined;
}

export interface Kept {
  jobId: string;
  /** The turns that this call stored, in the order of the request; empty when all were known. */
  turns: TailTurn[];
  /** Known turns that were written without a fragment. */
  inactive: ReadonlySet<string>;
  /** The tokens that the answer reports. */
  billed: number;
}

/**
 * admit → seal → append → remember. Before the append nothing is stored; after it everything is in the log,
 * and a retry of this call finds it known. The call can be cancelled until the append begins.
 */
export const makeKeep =
  ({ log, admission, clock }: KeepPorts) =>
  async (
    { scope, apiKey, key, write, options, expiry, gone, metadata, metadataTokens, title }: Wanted,
    { correlationId, deadline, caps }: CappedContext,
  ): Promise<Kept> => {
    const jobId = `job_${write.id}`;
    const signal = deadline?.signal;
    const now = clock();
    const expiresAt = expiryOf(expiry, now);
    const admitted = await admission.admit({
      org: scope.org,
      user: scope.user,
      recordedAt: now,
      caps,
      claims: [...write.turns.values()],
      tokensIn: 0,
      metadataTokens,
      options: { active: options.write_active, passive: options.write_passive, expiresAt },
      signal,
    });
    if (admitted.kind === 'refused') throw quotaExceeded(admitted, now);
    const { attempt, inactive } = admitted;
    const fresh = [...write.turns.values()].flatMap(turn => {
      const claimed = admitted.fresh.get(turn.id);
      if (!claimed) return [];
      const timestamp = turn.stated?.undated ? claimed.recordedAt : turn.timestamp;
      return [{ ...turn, ...claimed, timestamp }];
    });
    if (fresh.length === 0) {
      await admission.release(attempt);
      return { jobId, turns: [], inactive, billed: 0 };
    }

    const accepted: WriteAccepted = {
      user_id: scope.user,
      session_id: scope.session,
      job_id: jobId,
      turn_ids: write.turnIds,
      options,
      metadata,
    };
    const draft = { scope, write: accepted, fresh, attempt, apiKey, correlationId, recordedAt: now };
    const seal = async (): Promise<WriteRecord[]> => {
      // Not before it is known that something is new: a write that is sent once more stays a no-op for ever.
      assertLasting(expiresAt, now, gone);
      return writeRecords(draft, key, signal);
    };
    const parts = await inSpan('seal', seal).catch(releasing(admission, attempt));
    // After the turns: whoever reads it has read that there is such a session.
    const records = [
      ...parts.map(({ record }) => record),
      ...(title === undefined ? [] : [titleRecord(scope, title, { recordedAt: now, correlationId }, key)]),
    ];
    const addresses = await appendOrRelease({ log, admission }, { attempt, deadline }, records);
    const { keyId } = key;
    const turns = parts.flatMap(({ turns }, part) => {
      const { partition, offset } = addresses[part]!;
      return turns.map((turn, i) =>
        // The write itself is the first event of each part.
        tailTurnOf({
          ...turn,
          org_id: scope.org,
          keyId,
          partition,
          offset: eventOffsetOf({ offset, index: i + 1 }),
        }),
      );
    });
    const own = await admission.remember(attempt, {
      job: {
        id: jobId,
        ...scope,
        turnIds: write.turnIds,
        passive: options.write_passive,
        keyId,
        ...addresses[0]!,
      },
      turns,
    });
    const billed = [...own.values()].reduce((sum, tokens) => sum + tokens, 0);
    return { jobId, turns, inactive, billed };
  };

const titleRecord = (
  scope: Wanted['scope'],
  title: string,
  about: { recordedAt: number; correlationId: string },
  key: SessionKey,
): NewRecord => {
  const data: SessionTitled = { user_id: scope.user, session_id: scope.session, title };
  return correctionRecord({ type: 'session.titled', scope, ...about, data }, key);
};
