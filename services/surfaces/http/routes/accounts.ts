import { accountOperations } from '../../../../schemas/http/accounts.ts';
import { apiKeyOperations } from '../../../../schemas/http/api-keys.ts';
import { deletionOperations } from '../../../../schemas/http/deletion.ts';
import type { Accounts } from '../../../use-cases/accounts/accounts.ts';
import { type Endpoint, route } from '../endpoint.ts';

const { signUp, me, retention, setRetention, screening, setScreening } = accountOperations;
const { deletion, askDeletion, confirmDeletion, withdrawDeletion } = deletionOperations;
const { listApiKeys, createApiKey, rotateApiKey, revokeApiKey } = apiKeyOperations;

export const accountEndpoints = (accounts: Accounts): Endpoint[] => [
  route(signUp, async ({ body, address, context }) => {
    accounts.assertSignUpOpen();
    return accounts.signUp(await body(), context, address);
  }),
  route(me, ({ principal }) => accounts.me(principal)),
  route(retention, ({ principal }) => accounts.retention(principal.orgId)),
  route(setRetention, async ({ principal, body, context }) => {
    const { days } = await body();
    return accounts.setRetention(principal.orgId, days, context);
  }),
  route(screening, ({ principal }) => accounts.screening(principal.orgId)),
  route(setScreening, async ({ principal, body, context }) => {
    const { screen } = await body();
    return accounts.setScreening(principal.orgId, screen, context);
  }),
  route(deletion, ({ principal }) => accounts.deletions.state(principal.orgId)),
  route(askDeletion, async ({ principal, body, context }) => {
    const { org_id } = await body();
    return accounts.deletions.ask(principal.orgId, org_id, context);
  }),
  route(confirmDeletion, async ({ principal, body, context }) => {
    const { org_id } = await body();
    return accounts.deletions.confirm(principal.orgId, org_id, context);
  }),
  route(withdrawDeletion, ({ principal, context }) => accounts.deletions.withdraw(principal.orgId, context)),
  route(listApiKeys, async ({ principal }) => ({ api_keys: await accounts.listKeys(principal) })),
  route(createApiKey, async ({ principal, body, context }) =>
    accounts.createKey(principal, await body(), context),
  ),
  route(rotateApiKey, async ({ principal, params, hasBody, body, context }) =>
    accounts.rotateKey(principal, params.id!, hasBody ? await body() : {}, context),
  ),
  route(revokeApiKey, ({ principal, params, context }) => accounts.revokeKey(principal, params.id!, context)),
];
