import { type Decode, makeDecode, openKeysOf } from '../../../core/log/events.ts';
import { loggedOf } from '../../../core/log/logged.ts';
import { ofAccounts } from '../../../core/log/positions.ts';
import { readPages } from '../../../core/log/read.ts';
import type { Logged, Positions, SharedLog } from '../../../core/ports.ts';
import { HOUR_MS } from '../../../core/time.ts';
import type { LogKeyStore } from '../../../infra/cluster/keys/key-store.ts';
import type { RedisAccountStore } from '../../../infra/cluster/redis/accounts/account-store.ts';
import type { CatchUpAdmission } from '../../../infra/cluster/redis/admission/rebuild/catch-up.ts';
import type { HeldCheckpoint } from '../../../infra/cluster/redis/admission/rebuild/checkpoint.ts';
import { PROJECTIONS } from '../../../projections/all.ts';
import { passedOver } from '../../workers/projector/fold-records.ts';
import { PROJECTOR_GROUP } from '../../workers/projector/group.ts';
import { restoreAccounts } from './restore-accounts.ts';

/**
 * The greatest age of a checkpoint to repair from. An hour of the log is still whole: a claim and the marker
 * of an account event stay for at least a day. An older snapshot is rebuilt, not caught up.
 */
const MOST_AGE_MS = HOUR_MS;

/**
 * The inputs of a repair: the checkpoint, the log, and the stores that it brings up to date, on one
 * connection to Redis.
 */
export interface RepairPorts {
  /** Undefined: Redis holds no checkpoint of its epoch. */
  held: HeldCheckpoint | undefined;
  log: Pick<SharedLog, 'read' | 'ends' | 'committed'>;
  /** Unix milliseconds. */
  clock: () => number;
  keys: Pick<LogKeyStore, 'beginAnew' | 'byId' | 'destroyKeys' | 'close'>;
  accounts: Pick<RedisAccountStore, 'apply'>;
  admission: {
    catchUp(
      from: Pick<CatchUpAdmission, 'from' | 'ends' | 'committed' | 'readLogged'>,
    ): Promise<{ events: number; settled: Positions }>;
  };
}

export type Repaired =
  /** `events`: read from the log. `applied`: up to where Redis holds it now. */
  { kind: 'repaired'; events: number; applied: Positions } | { kind: 'impossible'; reason: string };

/**
 * Brings the data that Redis came back with up to the log: accounts, then admission. First its cached keys
 * are voided, since it may have forgotten that some were destroyed; the erasures among the events destroy
 * their keys once more. Each step may be repeated. The stores' connection bypasses the gate.
 */
export const repairRedis = async (ports: RepairPorts): Promise<Repaired> => {
  const { held, log, clock, keys, accounts, admission } = ports;
  try {
    const ends = await log.ends();
    const reason = unusable(held, ends);
    if (reason !== undefined) return { kind: 'impossible', reason };
    const { applied } = held!.checkpoint;
    await keys.beginAnew();
    const decode = makeDecode(keys);
    const accountEvents = await restoreAccounts({ log, decode, accounts, clock, from: applied });
    const { events, settled } = await admission.catchUp({
      from: applied,
      ends,
      committed: () => log.committed(PROJECTOR_GROUP),
      readLogged: (from, to) => readLogged({ log, decode, keys }, from, to),
    });
    return {
      kind: 'repaired',
      events: accountEvents + events,
      applied: { ...settled, ...ofAccounts(ends) },
    };
  } finally {
    await keys.close();
  }
};

/** Why nothing can be repaired from the checkpoint. */
const unusable = (held: HeldCheckpoint | undefined, ends: Positions): string | undefined => {
  if (!held) return 'it has no checkpoint';
  const { checkpoint, age } = held;
  if (Math.abs(age) > MOST_AGE_MS) return 'its checkpoint is too old';
  // Another log, or one that lost records.
  if (Object.entries(checkpoint.applied).some(([name, offset]) => offset > (ends[name] ?? 0)))
    return 'its checkpoint is beyond the log';
  return undefined;
};

/**
 * Yields the events of turns and usage; a record that can't be decoded yields what takes it out of the tail.
 */
const readLogged = async function* (
  { log, decode, keys }: { log: Pick<SharedLog, 'read'>; decode: Decode; keys: RepairPorts['keys'] },
  from: Positions,
  to: Positions,
): AsyncGenerator<Logged[]> {
  for await (const { records } of readPages(log, { topics: PROJECTIONS.usage.topics, from, to })) {
    await openKeysOf(keys, records);
    const logged: Logged[] = [];
    for (const record of records) {
      const decoded = await decode(record);
      if (decoded.kind === 'poison') logged.push(...passedOver({ record }));
      else for (const event of decoded.events) logged.push(loggedOf(event));
    }
    yield logged;
  }
};
