import { checkRecall } from '../../../../schemas/http/recall.ts';
import type { UseCases } from '../../../core/use-cases.ts';
import { type Endpoint, ok } from '../endpoint.ts';

export const recallEndpoints = (useCases: UseCases): Endpoint[] => [
  {
    method: 'post',
    path: '/recall',
    access: 'token',
    roles: ['memory:read'],
    reach: 'scope',
    handle: async ({ principal, body, context }) =>
      ok(await useCases.recall(principal, await body(checkRecall), context)),
  },
  {
    method: 'get',
    path: '/recalls/:id',
    access: 'token',
    roles: ['memory:read'],
    reach: 'scope',
    handle: async ({ principal, params }) => ok(await useCases.recallReceipt(principal, params.id!)),
  },
];
