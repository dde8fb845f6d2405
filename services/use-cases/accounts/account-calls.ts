import type { OperatorCalls } from '../../../core/operator/calls.ts';
import type { OwnLimits } from '../../../core/operator/organizations.ts';
import type { ScreenChoice } from '../../../schemas/screening.ts';
import type { Accounts } from './accounts.ts';

/** The calls about organizations and their keys. The use cases check the arguments. */
export const accountCalls = (
  accounts: Pick<
    Accounts,
    'organizations' | 'createOrganization' | 'setLimits' | 'setRetention' | 'setScreening' | 'recoverKey'
  >,
  ready?: Promise<void>,
): OperatorCalls<
  'keys.recover' | `orgs.${'list' | 'create' | 'setLimits' | 'setRetention' | 'setScreening'}`
> => ({
  'orgs.list': async function* () {
    await ready;
    yield* await accounts.organizations();
  },
  'orgs.create': async function* ({ org_id }) {
    await ready;
    yield await accounts.createOrganization(org_id as string);
  },
  'orgs.setLimits': async function* ({ org_id, ...limits }) {
    await ready;
    yield await accounts.setLimits(org_id as string, limits as OwnLimits);
  },
  'orgs.setRetention': async function* ({ org_id, days }) {
    await ready;
    yield await accounts.setRetention(org_id as string, days as number | null);
  },
  'orgs.setScreening': async function* ({ org_id, screen }) {
    await ready;
    yield await accounts.setScreening(org_id as string, screen as ScreenChoice);
  },
  'keys.recover': async function* ({ org_id }) {
    await ready;
    yield await accounts.recoverKey(org_id as string);
  },
});
