import { checkCorrectEntity, checkNamesQuery, checkTitleSession } from '../../../../schemas/http/names.ts';
import type { UseCases } from '../../../core/use-cases.ts';
import { type Endpoint, type GuardedCall, ok } from '../endpoint.ts';

const correcting = (path: string, correct: (call: GuardedCall) => Promise<object>): Endpoint => ({
  method: 'patch',
  path,
  access: 'token',
  roles: ['memory:write'],
  reach: 'scope',
  handle: async call => ok(await correct(call)),
});

export const nameEndpoints = ({ correctEntity, titleSession }: UseCases): Endpoint[] => [
  correcting('/memory/entities/:id', async ({ principal, params, query, body, context }) =>
    correctEntity(
      principal,
      { id: params.id!, ...query(checkNamesQuery) },
      await body(checkCorrectEntity),
      context,
    ),
  ),
  correcting('/memory/sessions/:id', async ({ principal, params, query, body, context }) =>
    titleSession(
      principal,
      { id: params.id!, ...query(checkNamesQuery) },
      await body(checkTitleSession),
      context,
    ),
  ),
];
