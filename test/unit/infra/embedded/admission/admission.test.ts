import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { AdmitRequest, Admitted } from '../../../../../core/ports.ts';
import { openAdmission } from '../../../../../infra/embedded/admission/admission.ts';
import { makeUnsettled } from '../../../../../infra/embedded/admission/unsettled.ts';
import { createProjectionsDatabase } from '../../../../../infra/embedded/index/file/create-database.ts';
import { temporaryFolder } from '../../../../support/processes/server.ts';

const TURN = `trn_${'0'.repeat(32)}`;

const request: AdmitRequest = {
  org: 'org_a',
  user: 'ada',
  recordedAt: Date.parse('2026-03-01T12:00:00Z'),
  caps: { tokensIn: 0, tokensOut: 0 },
  claims: [{ id: TURN, tokens: 5, timestamp: Date.parse('2026-03-01T11:59:00Z') }],
  tokensIn: 0,
};

const open = (shortage?: () => string | undefined) =>
  openAdmission(
    createProjectionsDatabase(join(temporaryFolder(), 'projections.db')),
    makeUnsettled(() => false),
    undefined,
    shortage,
  );

/** The calls that were answered by now: what is ready is decided at the end of a round. */
const answered = async (calls: readonly Promise<Admitted>[]): Promise<Admitted[]> => {
  const done: Admitted[] = [];
  for (const call of calls) void call.then(answer => done.push(answer));
  for (let round = 0; round < 3; round++) await new Promise(resolve => setImmediate(resolve));
  return done;
};

const claimsOf = (answer: Admitted | undefined): string[] =>
  answer?.kind === 'admitted' ? [...answer.fresh.keys()] : [];

const attemptOf = (answer: Admitted | undefined): string =>
  answer?.kind === 'admitted' ? answer.attempt : expect.fail('the call was not admitted');

it('gives a turn to one of two calls that ask for it at once', async () => {
  const admission = open();
  const calls = [admission.admit(request), admission.admit(request)];
  const first = await answered(calls);
  expect(first.map(claimsOf)).toEqual([[TURN]]);

  await admission.release(attemptOf(first[0]));
  expect((await Promise.all(calls)).map(claimsOf)).toEqual([[TURN], [TURN]]);
});

it('gives a released turn to one of the calls that waited for it', async () => {
  const admission = open();
  const holder = await admission.admit(request);
  const waiting = [admission.admit(request), admission.admit(request), admission.admit(request)];
  expect(await answered(waiting)).toEqual([]);

  await admission.release(attemptOf(holder));
  const [next, ...others] = await answered(waiting);
  expect(claimsOf(next)).toEqual([TURN]);
  expect(others).toEqual([]);

  await admission.release(attemptOf(next));
  const both = await answered(waiting);
  expect(both).toHaveLength(2);
  await admission.release(attemptOf(both[1]));
  expect(await Promise.all(waiting)).toHaveLength(3);
});

it('claims and reserves nothing for a new turn while the disk is nearly full, and lets recalls go on', async () => {
  let shortage: string | undefined = 'the disk has 1 MiB left';
  let isLast = false;
  const admission = open((share = 1) => (share === 1 || isLast ? shortage : undefined));
  const capped = { ...request, caps: { tokensIn: 5, tokensOut: 0 } };
  await expect(admission.admit(capped)).rejects.toMatchObject({
    code: 'unavailable',
    cause: shortage,
    retryAfter: 5,
  });
  const recall = await admission.admit({ ...capped, claims: [], recall: { org: 'org_a' } });
  expect(recall.kind).toBe('admitted');

  // The last quarter of the reserve is for erasures.
  isLast = true;
  await expect(admission.admit({ ...capped, claims: [], recall: { org: 'org_a' } })).rejects.toMatchObject({
    code: 'unavailable',
  });

  shortage = undefined;
  expect(claimsOf(await admission.admit(capped))).toEqual([TURN]);
});
