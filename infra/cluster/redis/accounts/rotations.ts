import { randomUUID } from 'node:crypto';
import type { AccountStore } from '../../../../core/ports/accounts/account-store.ts';
import {
  type RotationDocument,
  type RotationEvent,
  rotationOf,
} from '../../../../projections/accounts/accounts-projection.ts';
import { type RedisClient, redisScript } from '../redis-client.ts';
import type { AccountKeys } from './account-keys.ts';

/**
 * Longer than the projection ever lags in normal operation. A later retry gets a successor with another time
 * of issue.
 */
const KEPT_MS = 60 * 60_000;

interface Decision {
  event: RotationEvent;
  attempt: string;
  /** Whether its append was acknowledged. */
  isLogged: boolean;
}

/** Sets KEYS[1] to ARGV[1] for ARGV[2] milliseconds if it has no value; otherwise returns its value. */
const claim = redisScript(`
  local known = redis.call('GET', KEYS[1])
  if known then return known end
  redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
  return false`);

/**
 * Puts rotations into force for all API processes as soon as they are appended: the first claim of a token
 * decides its successor. A claim whose append failed or was interrupted stays, and the next caller appends
 * the same event again; the first copy in the log counts.
 */
export const makeRotations = ({
  redis,
  keys,
  append,
  projected,
}: {
  redis: RedisClient;
  keys: Pick<AccountKeys, 'rotation'>;
  append: (event: RotationEvent, attempt: string) => Promise<void>;
  projected: (id: string) => Promise<RotationDocument | undefined>;
}): Pick<AccountStore, 'rotate'> & { get(id: string): Promise<RotationDocument | undefined> } => {
  const logged = async ({ event, attempt }: Decision): Promise<RotationDocument> => {
    await append(event, attempt);
    const decision: Decision = { event, attempt, isLogged: true };
    // If this fails, the next caller appends the event once more, which changes nothing.
    await redis
      .set(keys.rotation(event.data.token_id), JSON.stringify(decision), 'PX', KEPT_MS)
      .catch(() => undefined);
    return rotationOf(event);
  };

  return {
    get: async id => {
      const document = await projected(id);
      if (document) return document;
      const text = await redis.get(keys.rotation(id));
      const decision = text === null ? undefined : (JSON.parse(text) as Decision);
      return decision?.isLogged ? rotationOf(decision.event) : undefined;
    },

    rotate: async event => {
      const { token_id: id } = event.data;
      const own: Decision = { event, attempt: randomUUID(), isLogged: false };
      const text = await claim(redis, [keys.rotation(id)], [JSON.stringify(own), KEPT_MS]);
      if (text !== null) {
        const other = JSON.parse(String(text)) as Decision;
        return {
          outcome: 'conflict',
          rotation: other.isLogged ? rotationOf(other.event) : await logged(other),
        };
      }
      // A claim expires after a while; by then its decision is projected.
      const rotation = await projected(id);
      return rotation
        ? { outcome: 'conflict', rotation }
        : { outcome: 'recorded', rotation: await logged(own) };
    },
  };
};
