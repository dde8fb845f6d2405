import { randomBytes } from 'node:crypto';
import type { Admission, KeyStore, SessionKey } from '../../../core/ports.ts';
import { quotaExceeded } from '../../../core/quota-exceeded.ts';
import type { CappedContext } from '../../../core/use-cases.ts';
import { assertLasting, type Expiry, expiryOf } from './expiry.ts';

export interface PaidKeyPorts {
  keys: Pick<KeyStore, 'forSession' | 'has'>;
  admission: Pick<Admission, 'admit' | 'release'>;
  /** Unix milliseconds. */
  clock: () => number;
}

/** The tokens of a write, all of which is new where its session is. */
export interface Price {
  /** A number that they can't exceed. */
  most: () => number;
  count: () => Promise<number>;
  /** When it expires by itself. */
  expiry?: Expiry | undefined;
}

/**
 * Returns the session's key. The ids of a write follow from it, so it is there before the write is admitted;
 * it is made only for a write that would be, since keys are kept whatever becomes of the write. Throws what
 * admission refuses.
 */
export const makePaidKey = ({ keys, admission, clock }: PaidKeyPorts) => {
  /** Returns the refusal of as many tokens; takes nothing. */
  const refusalOf = async (
    { org, user }: { org: string; user: string },
    tokens: number,
    { caps, deadline }: CappedContext,
  ): Promise<Error | undefined> => {
    const now = clock();
    const id = `trn_${randomBytes(16).toString('hex')}`;
    const admitted = await admission.admit({
      org,
      user,
      recordedAt: now,
      caps,
      claims: [{ id, tokens, timestamp: now }],
      tokensIn: 0,
      signal: deadline?.signal,
    });
    if (admitted.kind === 'refused') return quotaExceeded(admitted, now);
    await admission.release(admitted.attempt);
    return undefined;
  };

  return async (
    scope: { org: string; user: string; session: string },
    { most, count, expiry }: Price,
    context: CappedContext,
  ): Promise<SessionKey> => {
    const { org, user, session } = scope;
    if (!(await keys.has(org, user, session))) {
      const now = clock();
      assertLasting(expiryOf(expiry, now), now);
      const refusal =
        (await refusalOf(scope, most(), context)) && (await refusalOf(scope, await count(), context));
      if (refusal) throw refusal;
    }
    return keys.forSession(org, user, session);
  };
};
