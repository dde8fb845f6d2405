import { checkIngest } from '../../../../schemas/http/ingestion.ts';
import type { UseCases } from '../../../core/use-cases.ts';
import { type Endpoint, ok } from '../endpoint.ts';

export const ingestionEndpoints = (useCases: UseCases): Endpoint[] => [
  {
    method: 'post',
    path: '/ingestion/memory',
    access: 'token',
    roles: ['memory:write'],
    reach: 'scope',
    handle: async ({ principal, body, context }) => ({
      status: 202,
      body: await useCases.ingest(principal, await body(checkIngest), context),
    }),
  },
  {
    method: 'get',
    path: '/ingestion/jobs/:id',
    access: 'token',
    roles: ['memory:write', 'memory:read'],
    reach: 'scope',
    handle: async ({ principal, params }) => ok(await useCases.job(principal, params.id!)),
  },
];
