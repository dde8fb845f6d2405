/** The deletion of an organization, in two steps that are a day apart. The log has their order. */
import { ServiceError, unavailable } from '../../../../core/errors.ts';
import type { AccountStore } from '../../../../core/ports/accounts/account-store.ts';
import { DAY_MS } from '../../../../core/time.ts';
import type { OrganizationDocument } from '../../../../projections/accounts/accounts-projection.ts';
import type { DeletionAnswer } from '../../../../schemas/http/deletion.ts';
import { type AccountContext, accountEvent } from '../account-events.ts';
import type { Random } from '../keys/api-key.ts';
import { isThere } from './unused.ts';

/** From when on it can be confirmed, and until when after that. */
const APART_MS = DAY_MS;
const OPEN_MS = 7 * DAY_MS;

interface Options {
  store: Pick<AccountStore, 'get' | 'record'>;
  /** Unix milliseconds. */
  clock: () => number;
  random: Random;
  /** Rejects while this process's clock is known to be wrong. */
  clockAgrees: () => Promise<unknown>;
  /** The instant that two sources of time agree on; undefined: none for now. */
  past: () => Promise<number | undefined>;
}

export interface Deletions {
  state(org: string): Promise<DeletionAnswer>;
  /** `named`: must be the organization's id. Throws `not_found`, `invalid`, `unavailable`. */
  ask(org: string, named: string, context: AccountContext): Promise<DeletionAnswer>;
  /** Throws `conflict` where it was not asked for, or where it is too early or too late. */
  confirm(org: string, named: string, context: AccountContext): Promise<DeletionAnswer>;
  withdraw(org: string, context: AccountContext): Promise<DeletionAnswer>;
}

const answerOf = (org: string, state: DeletionAnswer['state'], at?: number): DeletionAnswer => {
  const later = (ms: number): string | null => (at === undefined ? null : new Date(at + ms).toISOString());
  return {
    ...{ state, org_id: org, asked_at: later(0) },
    ...{ confirm_from: later(APART_MS), confirm_until: later(APART_MS + OPEN_MS) },
  };
};

const assertNamed = (org: string, named: string): void => {
  if (named !== org) throw new ServiceError('invalid', "org_id must be the id of the caller's organization.");
};

export const makeDeletions = (options: Options): Deletions => {
  const { store, clock, random, clockAgrees, past } = options;

  const known = async (org: string): Promise<OrganizationDocument> => {
    const found = await store.get('organization', org);
    if (!isThere(found)) throw new ServiceError('not_found', 'The organization is not known.');
    return found;
  };
  /** Returns the request that is still open; undefined once it was taken back or has lapsed. */
  const openIn = ({ deletion }: OrganizationDocument): { id: string; at: number } | undefined => {
    if (!deletion?.asked) return undefined;
    const { id } = deletion.asked;
    const at = Date.parse(deletion.asked.at);
    return clock() < at + APART_MS + OPEN_MS ? { id, at } : undefined;
  };
  const stateOf = (found: OrganizationDocument): DeletionAnswer => {
    const asked = openIn(found);
    return answerOf(found.org_id, asked ? 'asked' : 'none', asked?.at);
  };

  /**
   * A day has passed by this process's clock and by a second source of time: the hours that a data folder's
   * service has run or, in the cluster, Redis's clock.
   */
  const assertDue = async (at: number): Promise<void> => {
    const from = at + APART_MS;
    if (clock() < from)
      throw new ServiceError('conflict', `It can be confirmed from ${new Date(from).toISOString()} on.`);
    const agreed = await past();
    if (agreed === undefined || agreed < at)
      throw new ServiceError(
        'conflict',
        'It can be confirmed later: the service has not run for a day since it was asked for, or its clocks disagree.',
      );
  };

  return {
    state: async org => stateOf(await known(org)),

    ask: async (org, named, context) => {
      assertNamed(org, named);
      if (openIn(await known(org))) return stateOf(await known(org));
      await clockAgrees().catch(() => {
        throw unavailable("This machine's clock is wrong for now (GET /readyz says how).");
      });
      const change = Buffer.from(random(16)).toString('hex');
      const about = { org, now: clock(), context };
      await store.record(accountEvent('org.deletion_asked', `${org}:${change}`, about, {}));
      return stateOf(await known(org));
    },

    confirm: async (org, named, context) => {
      assertNamed(org, named);
      const asked = openIn(await known(org));
      if (!asked) throw new ServiceError('conflict', 'Nobody has asked for the deletion: ask for it first.');
      await assertDue(asked.at);
      const about = { org, now: clock(), context };
      await store.record(accountEvent('org.deleted', asked.id, about, { asked: asked.id }));
      // It may have been taken back meanwhile: the log has the order.
      if (isThere(await store.get('organization', org)))
        throw new ServiceError('conflict', 'The deletion was taken back meanwhile.');
      return answerOf(org, 'confirmed', asked.at);
    },

    withdraw: async (org, context) => {
      const asked = (await known(org)).deletion?.asked;
      if (asked) {
        const about = { org, now: clock(), context };
        await store.record(accountEvent('org.deletion_withdrawn', asked.id, about, { asked: asked.id }));
      }
      return stateOf(await known(org));
    },
  };
};
