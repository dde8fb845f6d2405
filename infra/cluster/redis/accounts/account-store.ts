import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { ServiceError, unavailable } from '../../../../core/errors.ts';
import type { AccountStore } from '../../../../core/ports/accounts/account-store.ts';
import { ALL_WRITTEN, type Written } from '../../../../core/ports/projection/projection-store.ts';
import type { EventLog } from '../../../../core/ports.ts';
import type { AccountEvent, AccountKind } from '../../../../projections/accounts/accounts-projection.ts';
import type { RedisClient } from '../redis-client.ts';
import { accountKeys } from './account-keys.ts';
import { makeAccountReads } from './account-reads.ts';
import { makeRestoreEntities, type RestoredEntities } from './account-restore.ts';
import { makeApplyAccounts } from './account-writes.ts';
import { makeRotations } from './rotations.ts';

/** The longest wait for the projection of a recorded event. */
const WAIT_MS = 5_000;
const FIRST_STEP_MS = 5;
const LONGEST_STEP_MS = 20;

export interface RedisAccountStoreOptions {
  redis: RedisClient;
  namespace: string;
  log: Pick<EventLog, 'append'>;
  encode: (event: AccountEvent) => Uint8Array;
  /** Unix milliseconds; decides whether a document has expired. */
  clock?: () => number;
}

export interface RedisAccountStore extends AccountStore {
  /**
   * Folds the log's events, in order within each organization, for the projector. The records must be
   * decoded: `record` recognises its own event by the record's `attempt` header. Idempotent, also under
   * concurrency.
   */
  apply(events: readonly AccountEvent[]): Promise<Written>;
  /** Writes documents and markers into an empty Redis, before its first call. */
  restore(entities: RestoredEntities): Promise<void>;
}

/**
 * Opens the account store in Redis, where only `apply` writes. A decision is appended to the log; the caller
 * then waits until the projector has folded an event with its id. The marker that the fold writes names the
 * attempt whose event came first.
 */
export const openRedisAccountStore = ({
  redis,
  namespace,
  log,
  encode,
  clock = Date.now,
}: RedisAccountStoreOptions): RedisAccountStore => {
  const keys = accountKeys(namespace);
  const { get, list, liveKeys, countOrganizations, unusedSince, erasing, forget } = makeAccountReads(
    redis,
    keys,
  );
  const applyAccounts = makeApplyAccounts(redis, keys, clock);
  const append = async (event: AccountEvent, attempt: string): Promise<void> => {
    await log.append([{ topic: 'accounts', key: event.org_id, value: encode(event), headers: { attempt } }]);
  };
  const rotations = makeRotations({ redis, keys, append, projected: id => get('rotation', id) });

  return {
    get: (async (kind: AccountKind, id: string) =>
      kind === 'rotation' ? rotations.get(id) : get(kind, id)) as AccountStore['get'],
    list,
    liveKeys,
    countOrganizations,
    unusedSince,
    erasing,
    rotate: rotations.rotate,
    note: async event => {
      if ((await redis.get(keys.event(event.org_id, event.id))) === null) await append(event, randomUUID());
    },
    record: async event => {
      const marker = keys.event(event.org_id, event.id);
      let isMine = false;
      if ((await redis.get(marker)) === null) {
        const attempt = randomUUID();
        await append(event, attempt);
        isMine = (await projectedFirst(redis, marker)) === attempt;
      }
      forget(event);
      return isMine ? 'recorded' : 'conflict';
    },
    apply: async events => {
      await applyAccounts(events);
      for (const event of events) forget(event);
      return ALL_WRITTEN;
    },
    restore: makeRestoreEntities(redis, keys, clock),
  };
};

/**
 * Returns the attempt whose event was projected first. Retries when Redis fails, since the event may be in
 * the log.
 */
const projectedFirst = async (redis: RedisClient, marker: string): Promise<string> => {
  const deadline = performance.now() + WAIT_MS;
  for (let step = FIRST_STEP_MS; ; step = Math.min(step * 1.5, LONGEST_STEP_MS)) {
    let fault: unknown;
    try {
      const winner = await redis.get(marker);
      if (winner !== null) return winner;
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      fault = error;
    }
    if (performance.now() >= deadline) {
      throw unavailable('The change is not in force yet; it may be in a moment.', fault);
    }
    await pause(step);
  }
};
