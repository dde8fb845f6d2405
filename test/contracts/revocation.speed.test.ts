/** Tests that, within a second, the other processes stop using what one of them revokes or destroys. */
import { expect, it } from 'vitest';
import { encodeEvent } from '../../core/log/encode.ts';
import { openLogKeyStore } from '../../infra/cluster/keys/key-store.ts';
import { openRedisAccountStore } from '../../infra/cluster/redis/accounts/account-store.ts';
import type { RedisClient } from '../../infra/cluster/redis/redis-client.ts';
import { clusterConfig, describeOnEngines } from '../support/engines/engines.ts';
import { memoryKeyIndex } from '../support/engines/memory-key-index.ts';
import { memoryLog } from '../support/engines/memory-log.ts';
import { makeNamespaces } from '../support/engines/redis.ts';
import { installationOf } from '../support/files/installation-keys.ts';
import { until } from '../support/wait.ts';
import { keyRevoked, signedUp } from './account-store.contract.ts';
import { startProjecting } from './openers/redis-accounts.ts';

describeOnEngines('in another process', () => {
  let redis: RedisClient;
  const makeNamespace = makeNamespaces(clusterConfig(), connected => {
    redis = connected;
  });

  it('a revoked key is known in 0.6 s', async () => {
    const [namespace, log] = [makeNamespace(), memoryLog()];
    const open = () =>
      openRedisAccountStore({ redis, namespace, log, encode: event => encodeEvent(event), clock: Date.now });
    const stop = startProjecting(log, open());
    const [one, other] = [open(), open()];
    await one.record(signedUp('acme'));
    expect(await other.get('api_key', 'acme-1')).toMatchObject({ revoked_at: null });
    await one.record(keyRevoked('acme', 'acme-1'));
    const since = performance.now();
    await until('it is known', async () => (await other.get('api_key', 'acme-1'))!.revoked_at !== null);
    expect(performance.now() - since).toBeLessThan(600);
    await stop();
  });

  it('a destroyed sealing key is used no longer after 0.9 s', async () => {
    const [namespace, log, index] = [makeNamespace(), memoryLog(), memoryKeyIndex()];
    const open = () =>
      openLogKeyStore({ redis, namespace, log, index, installation: installationOf(Buffer.alloc(32, 7)) });
    const [one, other] = [open(), open()];
    const { keyId } = await one.forSession('acme', 'ada', 's1');
    await other.byId(keyId);
    let since = 0;
    log.after = () => {
      since = performance.now();
    };
    await one.destroy('acme', 'ada', 's1');
    await until(
      'it is used no longer',
      async () =>
        (await other.byId(keyId)) === undefined &&
        (await other.forSession('acme', 'ada', 's1')).keyId !== keyId,
    );
    expect(performance.now() - since).toBeLessThan(900);
  });
});
