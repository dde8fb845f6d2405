import type { UseCases } from '../../../core/use-cases.ts';
import { done, type Endpoint, type GuardedCall } from '../endpoint.ts';

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

export const curationEndpoints = ({ retractTurn, retractObservation }: UseCases): Endpoint[] => [
  writing('/memory/turns/:id', ({ principal, params, context }) =>
    retractTurn(principal, params.id!, context),
  ),
  writing('/memory/observations/:id', ({ principal, params, context }) =>
    retractObservation(principal, params.id!, context),
  ),
];
