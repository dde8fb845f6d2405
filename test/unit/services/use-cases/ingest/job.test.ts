import { expect, it } from 'vitest';
import { unavailable } from '../../../../../core/errors.ts';
import { makeKnownJob } from '../../../../../services/use-cases/ingest/job.ts';

const SCOPE = { org: 'acme', user: 'ada', session: 's' };
const OWN = 'job_own';
const FIRST = 'trn_1';
const admission = { job: async () => undefined, waiting: async () => [] };
const JOB = { id: OWN, ...SCOPE, turnIds: [FIRST], passive: true };

const down = async (): Promise<never> => {
  throw unavailable('the index is down');
};
const index = {
  job: async (_: string, id: string) => ({ ...JOB, id }),
  jobOfTurn: async () => 'job_first',
  isQueued: async () => true,
};

it('finds the own job of a retry, and whether its enrichment is queued', async () => {
  expect(await makeKnownJob({ admission, details: index })(SCOPE, OWN, FIRST)).toEqual({
    id: OWN,
    isQueued: true,
  });
  const done = { ...index, isQueued: async () => false };
  expect(await makeKnownJob({ admission, details: done })(SCOPE, OWN, FIRST)).toEqual({
    id: OWN,
    isQueued: false,
  });
});

it('takes the job to be the own one while the index is unreachable', async () => {
  const unreachable = { job: down, jobOfTurn: down, isQueued: down };
  const known = makeKnownJob({ admission, details: unreachable });
  expect(await known(SCOPE, OWN, FIRST)).toEqual({ id: OWN, isQueued: undefined });
});

it('keeps the job that it found when only its enrichment is unknown', async () => {
  const half = {
    job: async (_: string, id: string) => (id === OWN ? undefined : { ...JOB, id }),
    jobOfTurn: async () => 'job_first',
    isQueued: down,
  };
  const known = makeKnownJob({ admission, details: half });
  expect(await known(SCOPE, OWN, FIRST)).toEqual({ id: 'job_first', isQueued: undefined });
});

it('hides no fault of the code', async () => {
  const broken = { ...index, job: async () => Promise.reject(new TypeError('a bug')) };
  await expect(makeKnownJob({ admission, details: broken })(SCOPE, OWN, FIRST)).rejects.toThrow('a bug');
});
