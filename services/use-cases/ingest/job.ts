import { ServiceError } from '../../../core/errors.ts';
import type { Admission, Scope, TurnDetails } from '../../../core/ports.ts';
import { boundSession, seesAll } from '../../../core/scope.ts';
import type { Principal } from '../../../core/use-cases.ts';
import type { JobAnswer } from '../../../schemas/http/ingestion.ts';

export interface JobPorts {
  admission: Pick<Admission, 'job' | 'waiting'>;
  details: Pick<TurnDetails, 'job' | 'enrichment'>;
}

interface KnownJobPorts {
  admission: Pick<Admission, 'job' | 'waiting'>;
  details: Pick<TurnDetails, 'job' | 'jobOfTurn' | 'isQueued'>;
}

type JobState = Omit<JobAnswer, 'job_id'>;

/**
 * The job of a write that stored nothing, because all of its turns were known: its own, if it is a retry,
 * otherwise that of the write that stored its first turn. Neither is known any more of turns that are erased,
 * or in the dead letters.
 */
const makeFindJob =
  ({ admission, details }: KnownJobPorts) =>
  async ({ org, user }: { org: string; user: string }, ownId: string, firstTurn: string): Promise<string> => {
    if ((await admission.job(org, ownId)) ?? (await details.job(org, ownId))) return ownId;
    // The tail first: what leaves it is in the index.
    const [recent] = await admission.waiting(org, user, [firstTurn]);
    return recent?.jobId ?? (await details.jobOfTurn(org, user, firstTurn)) ?? ownId;
  };

/**
 * Whether turns of a job of this user wait for enrichment: less than its whole state costs, for writes that
 * store nothing.
 */
const makeIsQueued =
  ({ admission, details }: KnownJobPorts) =>
  async ({ org, user }: { org: string; user: string }, jobId: string): Promise<boolean> => {
    const job = (await admission.job(org, jobId)) ?? (await details.job(org, jobId));
    if (job?.user !== user) return false;
    const turnIds = [...new Set(job.turnIds)];
    const isInTail = (await admission.waiting(org, user, turnIds)).some(turn => turn.passive);
    return isInTail || details.isQueued(org, turnIds);
  };

/**
 * The job of a write that stored nothing, and whether its enrichment is queued. While the index is
 * unreachable, the job is taken to be the write's own and `isQueued` is undefined: a write that was
 * acknowledged can be repeated then too.
 */
export const makeKnownJob = (ports: KnownJobPorts) => {
  const findJob = makeFindJob(ports);
  const isQueued = makeIsQueued(ports);
  return async (
    scope: { org: string; user: string },
    ownId: string,
    firstTurn: string,
  ): Promise<{ id: string; isQueued: boolean | undefined }> => {
    let id = ownId;
    try {
      id = await findJob(scope, ownId, firstTurn);
      return { id, isQueued: await isQueued(scope, id) };
    } catch (error) {
      if (!(error instanceof ServiceError && error.code === 'unavailable')) throw error;
      return { id, isQueued: undefined };
    }
  };
};

/** The state of a write's enrichment; undefined for an id that was never issued within this scope. */
const makeJobState =
  ({ admission, details }: JobPorts) =>
  async (
    { org, user, session }: Pick<Scope, 'org' | 'user' | 'session'>,
    jobId: string,
  ): Promise<JobState | undefined> => {
    const recent = await admission.job(org, jobId);
    const job = recent ?? (await details.job(org, jobId));
    if (!job || (user ?? job.user) !== job.user || (session ?? job.session) !== job.session) return undefined;
    const turnIds = [...new Set(job.turnIds)];
    const tail = (await admission.waiting(org, job.user, turnIds)).filter(turn => turn.passive).length;
    const { queued, failed, observations, entities, reason } = await details.enrichment(org, turnIds);
    const status = queued + tail > 0 ? 'queued' : failed > 0 ? 'failed' : 'done';
    return { status, turns: turnIds.length, observations, entities, reason };
  };

interface WaitsFor {
  /** The reason why enrichment waits; undefined when it doesn't wait, or when this process doesn't know. */
  waitsFor: () => string | undefined;
}

/** `GET /ingestion/jobs/{id}`: both ids of a write give the same state. */
export const makeJob = ({ waitsFor, ...ports }: JobPorts & WaitsFor) => {
  const jobState = makeJobState(ports);
  return async (principal: Principal, id: string): Promise<JobAnswer> => {
    const seen = {
      org: principal.orgId,
      user: seesAll(principal) ? undefined : principal.userId,
      session: boundSession(principal),
    };
    const state = await jobState(seen, id.replace(/^enr_/, 'job_'));
    if (!state) throw new ServiceError('not_found', 'There is no such job.');
    const waits = state.status === 'queued' ? waitsFor() : undefined;
    const reason = state.reason ?? (waits === undefined ? null : `waits for the language model: ${waits}`);
    return { job_id: id, ...state, reason };
  };
};
