import { checkStatementQuery, checkUsageQuery } from '../../../../schemas/http/usage.ts';
import type { UseCases } from '../../../core/use-cases.ts';
import { type Endpoint, ok } from '../endpoint.ts';

export const usageEndpoints = (useCases: UseCases): Endpoint[] => [
  {
    method: 'get',
    path: '/usage/today',
    access: 'token',
    roles: ['usage:read'],
    reach: 'organization',
    handle: async ({ principal, context }) => ok(await useCases.usageToday(principal, context)),
  },
  {
    method: 'get',
    path: '/usage/summary',
    access: 'token',
    roles: ['usage:read'],
    reach: 'organization',
    handle: async ({ principal, query }) => {
      const { month } = query(checkUsageQuery);
      return ok(await useCases.usageMonth(principal, month));
    },
  },
  {
    method: 'get',
    path: '/usage/daily',
    access: 'token',
    roles: ['usage:read'],
    reach: 'organization',
    handle: async ({ principal, query }) => {
      const { month } = query(checkUsageQuery);
      return ok(await useCases.usageDaily(principal, month));
    },
  },
  {
    method: 'get',
    path: '/usage/statement',
    access: 'token',
    roles: ['usage:read'],
    reach: 'organization',
    handle: async ({ principal, query, context }) => {
      const { month } = query(checkStatementQuery);
      return ok(await useCases.usageStatement(principal, month!, context));
    },
  },
];
