import { checkCorrect, checkSay } from '../../../../schemas/http/curation.ts';
import type { UseCases } from '../../../core/use-cases.ts';
import { done, type Endpoint, type GuardedCall, ok } from '../endpoint.ts';

const writing = (path: string, write: (call: GuardedCall) => Promise<void>): Endpoint => ({
  method: 'delete',
  path,
  access: 'token',
  roles: ['memory:write'],
  reach: 'scope',
  handle: async call => {
    await write(call);
    return done;
  },
});

export const curationEndpoints = ({
  say,
  correct,
  retractTurn,
  retractObservation,
}: UseCases): Endpoint[] => [
  {
    method: 'post',
    path: '/memory/observations',
    access: 'token',
    roles: ['memory:write'],
    reach: 'scope',
    handle: async ({ principal, body, context }) => ({
      status: 201,
      body: await say(principal, await body(checkSay), context),
    }),
  },
  {
    method: 'patch',
    path: '/memory/observations/:id',
    access: 'token',
    roles: ['memory:write'],
    reach: 'scope',
    handle: async ({ principal, params, body, context }) =>
      ok(await correct(principal, params.id!, await body(checkCorrect), context)),
  },
  writing('/memory/turns/:id', ({ principal, params, context }) =>
    retractTurn(principal, params.id!, context),
  ),
  writing('/memory/observations/:id', ({ principal, params, context }) =>
    retractObservation(principal, params.id!, context),
  ),
];
