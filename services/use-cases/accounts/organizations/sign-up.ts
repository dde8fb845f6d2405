import { ServiceError } from '../../../../core/errors.ts';
import type { AccountStore, Positions } from '../../../../core/ports.ts';
import type { SignUpAnswer, SignUpBody } from '../../../../schemas/http/accounts.ts';
import { type AccountContext, accountEvent } from '../account-events.ts';
import { makeApiKey, type Random } from '../keys/api-key.ts';
import { makeCap } from '../keys/cap.ts';
import { beganOf } from './began.ts';

interface Options {
  store: AccountStore;
  /** Unix milliseconds. */
  clock: () => number;
  random: Random;
  /** The cap of organizations for sign-ups; 0: none. */
  mostOrganizations: number;
  /** The log's end offsets. */
  ends: () => Promise<Positions>;
}

export const FIRST_USER = 'owner';
export const LOCAL = 'local';

const taken = (): ServiceError => new ServiceError('conflict', 'The organization id is taken.');

const full = (): ServiceError =>
  new ServiceError(
    'forbidden',
    'Sign-up is closed: the installation has as many organizations as it may have.',
  );

export const makeSignUp = ({ store, clock, random, ends, mostOrganizations }: Options) => {
  const withinCap = makeCap();

  /**
   * Creates an organization and its first key in one event. Throws `conflict` when the id is taken. `keep`
   * receives the key before the event is recorded: a key that is kept but not recorded is replaced by the
   * next attempt, whereas a recorded key that was lost could not be recovered.
   */
  const create = async (
    body: SignUpBody,
    context: AccountContext,
    {
      keep,
      isOpen = false,
    }: { keep?: ((apiKey: string) => Promise<void>) | undefined; isOpen?: boolean } = {},
  ): Promise<SignUpAnswer> => {
    const org = body.org_id;
    if (await store.get('organization', org)) throw taken();
    const { keyId, apiKey, prefix, secretHash } = makeApiKey(random);
    await keep?.(apiKey);
    const event = accountEvent(
      'org.signed_up',
      org,
      { org, now: clock(), context },
      {
        name: body.name ?? null,
        email: body.email ?? null,
        key: {
          key_id: keyId,
          name: 'first key',
          prefix,
          secret_hash: secretHash,
          roles: ['*'],
          user_id: FIRST_USER,
          session_id: null,
        },
        began: beganOf(await ends()),
        ...(isOpen && { open: true as const }),
      },
    );
    if ((await store.record(event)) === 'conflict') throw taken();
    return { org_id: org, user_id: FIRST_USER, api_key: apiKey };
  };

  return {
    signUp: (body: SignUpBody, context: AccountContext): Promise<SignUpAnswer> =>
      withinCap({ name: 'all', most: mostOrganizations, count: store.countOrganizations, full }, () =>
        create(body, context, { isOpen: true }),
      ),

    /** By an operator, whatever the cap. */
    createOrganization: (body: SignUpBody, context: AccountContext): Promise<SignUpAnswer> =>
      create(body, context),

    /** On the first start: the organization `local` with its key; undefined when it exists already. */
    ensureLocalOrganization: async (
      context: AccountContext,
      keep?: (apiKey: string) => Promise<void>,
    ): Promise<{ orgId: string; apiKey: string } | undefined> => {
      if (await store.get('organization', LOCAL)) return undefined;
      const made = await create({ org_id: LOCAL }, context, { keep }).catch(error => {
        // It was deleted so long ago that only its id is known.
        if (error instanceof ServiceError && error.code === 'conflict') return undefined;
        throw error;
      });
      return made && { orgId: made.org_id, apiKey: made.api_key };
    },
  };
};
