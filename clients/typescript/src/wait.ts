/** Waits for what is done with a write after it was acknowledged. */
import { TurnstoneError } from './error.ts';
import type { CallOptions } from './options.ts';
import { checkTime } from './transport/deadline.ts';
import { unusable } from './transport/requests.ts';
import type { Job, Remembered } from './types.ts';

/** The default of `withinMs`. */
export const WITHIN_MS = 60_000;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 2_000;

export interface WaitOptions extends CallOptions {
  /** The longest time to wait, in milliseconds. Default: 60,000. */
  withinMs?: number | undefined;
}

/** A write: what `remember` returned, or one of the job ids in it. */
export type Waited = string | Pick<Remembered, 'job_id' | 'passive_job_id'>;

export const jobIdOf = (write: Waited): string => {
  const id = typeof write === 'string' ? write : (write?.passive_job_id ?? write?.job_id);
  if (typeof id !== 'string') throw unusable('wait needs what remember returned, or the id of a job.');
  return id;
};

/** Asks for the job, less and less often, until it is no longer queued. */
export const waitForJob = async (
  ask: () => Promise<Job>,
  { withinMs, signal = new AbortController().signal }: Pick<WaitOptions, 'signal'> & { withinMs: number },
  sleep: (ms: number, signal: AbortSignal) => Promise<void>,
): Promise<Job> => {
  checkTime('withinMs', withinMs);
  const until = Date.now() + withinMs;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
    const job = await ask();
    if (job.status !== 'queued') return job;
    const left = until - Date.now();
    if (left <= 0)
      throw new TurnstoneError(`The job is still queued after ${withinMs} ms.`, { code: 'timeout' });
    await sleep(Math.min(pause, left), signal);
  }
};
