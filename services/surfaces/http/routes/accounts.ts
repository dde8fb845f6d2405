import { checkCreateKey, checkSetRetention, checkSignUp } from '../../../../schemas/http/accounts.ts';
import type { Accounts } from '../../../use-cases/accounts/accounts.ts';
import { created, type Endpoint, ok } from '../endpoint.ts';

export const accountEndpoints = (accounts: Accounts): Endpoint[] => [
  {
    method: 'post',
    path: '/signup',
    access: 'open',
    handle: async ({ body, context }) => {
      accounts.assertSignUpOpen();
      return created(await accounts.signUp(await body(checkSignUp), context));
    },
  },
  {
    method: 'get',
    path: '/me',
    access: 'token',
    roles: [],
    reach: 'scope',
    handle: async ({ principal }) => ok(await accounts.me(principal)),
  },
  {
    method: 'get',
    path: '/me/retention',
    access: 'token',
    roles: [],
    reach: 'scope',
    handle: async ({ principal }) => ok(await accounts.retention(principal.orgId)),
  },
  {
    method: 'put',
    path: '/me/retention',
    access: 'token',
    roles: ['*'],
    reach: 'organization',
    handle: async ({ principal, body, context }) => {
      const { days } = await body(checkSetRetention);
      return ok(await accounts.setRetention(principal.orgId, days, context));
    },
  },
  {
    method: 'get',
    path: '/me/api-keys',
    access: 'token',
    roles: ['keys:manage'],
    reach: 'organization',
    handle: async ({ principal }) => ok({ api_keys: await accounts.listKeys(principal) }),
  },
  {
    method: 'post',
    path: '/me/api-keys',
    access: 'token',
    roles: ['keys:manage'],
    reach: 'scope',
    handle: async ({ principal, body, context }) =>
      created(await accounts.createKey(principal, await body(checkCreateKey), context)),
  },
  {
    method: 'delete',
    path: '/me/api-keys/:id',
    access: 'token',
    roles: ['keys:manage'],
    reach: 'scope',
    handle: async ({ principal, params, context }) => {
      await accounts.revokeKey(principal, params.id!, context);
      return { status: 204 };
    },
  },
];
