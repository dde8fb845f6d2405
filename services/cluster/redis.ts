import type { Log } from '../../core/watch/logger.ts';
import { accountKeys } from '../../infra/cluster/redis/accounts/account-keys.ts';
import {
  type RepairAccountsOptions,
  repairAccounts,
} from '../../infra/cluster/redis/accounts/account-repair.ts';
import type { RebuiltFrom } from '../../infra/cluster/redis/admission/admission.ts';
import {
  type RepairAdmissionOptions,
  repairAdmission,
} from '../../infra/cluster/redis/admission/rebuild/admission-repair.ts';
import { catchUpAdmission } from '../../infra/cluster/redis/admission/rebuild/catch-up.ts';
import { readCheckpoint, startCheckpoint } from '../../infra/cluster/redis/admission/rebuild/checkpoint.ts';
import { rebuildAdmission } from '../../infra/cluster/redis/admission/rebuild/rebuild.ts';
import { makeSealedTail, type SealedTail } from '../../infra/cluster/redis/admission/sealed-tail.ts';
import { openRedis, type RedisGate } from '../../infra/cluster/redis/gate/gate.ts';
import type { RedisClient } from '../../infra/cluster/redis/redis-client.ts';
import type { ClusterConfig } from '../../schemas/config.ts';
import { type RebuildPorts, rebuildRedis } from './accounts/rebuild.ts';
import { type RepairPorts, repairRedis } from './accounts/repair.ts';
import { makeRebuildAccounts, type RebuildAccountsPorts } from './accounts/restore-accounts.ts';

/**
 * Opens Redis, which is repaired from the log when it came back with its data, and rebuilt when it has lost
 * them.
 */
export const openGate = (
  config: ClusterConfig,
  { namespace, clock, log, usage, recall, accountIndex, keysOn, accountsOn, onTrouble }: RebuiltOn,
  logger: Log,
) => {
  const rebuildAccounts = makeRebuildAccounts({
    log,
    index: accountIndex,
    clock,
    onUnusable: reason => logger.warn({ reason }, 'all of the accounts are read from the log'),
  });
  return openRedis<RebuiltFrom>({
    config,
    rebuild: async (redis, epoch) => {
      const started = performance.now();
      const keys = keysOn(redis);
      const inside = { inside: redis, epoch, namespace, tail: makeSealedTail(keys), clock };
      const { facts, accounts, applied } = await rebuildRedis({
        log,
        usage,
        recall,
        clock,
        keys,
        accounts: accountsOn(redis),
        rebuildAccounts,
        admission: { rebuild: from => rebuildAdmission({ ...inside, ...from }) },
      });
      await startCheckpoint(redis, namespace, epoch, applied);
      logger.info({ epoch, ms: msSince(started), accounts }, 'Redis was rebuilt from the log');
      return facts;
    },
    repair: async (redis, { epoch, facts: { floor } }) => {
      const started = performance.now();
      const keys = keysOn(redis);
      const inside = { inside: redis, epoch, namespace, tail: makeSealedTail(keys), clock };
      const repaired = await repairRedis({
        held: await readCheckpoint(redis, namespace, epoch),
        log,
        clock,
        keys,
        accounts: accountsOn(redis),
        admission: { catchUp: from => catchUpAdmission({ ...inside, floor, ...from }) },
      });
      if (repaired.kind === 'impossible') {
        logger.info({ epoch, reason: repaired.reason }, 'Redis is rebuilt');
        return false;
      }
      const { events, applied } = repaired;
      await startCheckpoint(redis, namespace, epoch, applied);
      logger.info({ epoch, events, ms: msSince(started) }, 'Redis was repaired from the log');
      return true;
    },
    onTrouble: onTrouble('redis'),
  });
};

const msSince = (started: number): number => Math.round(performance.now() - started);

interface RebuiltOn extends Pick<RebuildPorts, 'log' | 'usage' | 'recall' | 'clock'> {
  namespace: string;
  accountIndex: RebuildAccountsPorts['index'];
  keysOn(redis: RedisClient): RebuildPorts['keys'] & RepairPorts['keys'];
  accountsOn(redis: RedisClient): RebuildPorts['accounts'];
  onTrouble(engine: string): (error: unknown) => void;
}

/** The repairs of the data in Redis. */
export const openRepairs = (
  gate: Pick<RedisGate<RebuiltFrom>, 'redis' | 'generation'>,
  namespace: string,
  tail: SealedTail,
  clock: () => number,
) => ({
  organizations: () => gate.redis.smembers(accountKeys(namespace).organizations),
  accounts: (options: Pick<RepairAccountsOptions, 'readOn' | 'dryRun'>) =>
    repairAccounts({ redis: gate.redis, namespace, clock, ...options }),
  admission: (options: Omit<RepairAdmissionOptions, 'redis' | 'fence' | 'namespace' | 'tail' | 'clock'>) => {
    const { epoch, facts } = gate.generation();
    const fence = { epoch, floor: facts.floor };
    return repairAdmission({ redis: gate.redis, fence, namespace, tail, clock, ...options });
  },
});
