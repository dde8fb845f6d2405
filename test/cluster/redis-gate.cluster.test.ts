import { afterEach, beforeEach, expect, it } from 'vitest';
import { connectRedis, type RedisClient } from '../../infra/cluster/redis/client.ts';
import { openRedis, type RedisGate } from '../../infra/cluster/redis/gate.ts';
import { gateKeys, runIdOf } from '../../infra/cluster/redis/gate-rebuild.ts';
import { keysOf } from '../../infra/cluster/redis/names.ts';
import type { ClusterConfig } from '../../schemas/config.ts';
import { dropNamespace } from '../contracts/openers/cluster-admission.ts';
import { clusterConfig, describeOnEngines } from '../support/engines.ts';

type Rebuild = (inside: RedisClient, epoch: string) => Promise<{ number: number }>;

describeOnEngines('the gate before Redis', () => {
  let config: ClusterConfig;
  let key: (name: string) => string;
  let marker: string;
  let lock: string;
  let hand: RedisClient;
  let troubles: unknown[];
  const gates: RedisGate<{ number: number }>[] = [];
  beforeEach(async () => {
    config = clusterConfig();
    key = name => `${keysOf(config.namespace)}${name}`;
    hand = connectRedis(config);
    await new Promise<void>(resolve => hand.once('ready', resolve));
    const keys = gateKeys(config.namespace);
    marker = keys.marker;
    lock = keys.lockOf(await runIdOf(hand.info('server')));
    troubles = [];
  });
  afterEach(async () => {
    for (const gate of gates.splice(0)) gate.close();
    hand.disconnect();
    await dropNamespace(config);
  });

  const open = (rebuild: Rebuild) => {
    const gate = openRedis({ config, rebuild, onTrouble: error => troubles.push(error) });
    gates.push(gate);
    return gate;
  };
  /** As if the server had been another process when the marker was written. */
  const pretendRestart = async (gate: RedisGate<unknown>): Promise<void> => {
    const id = String(await gate.redis.client('ID'));
    const told = JSON.parse((await hand.get(marker))!);
    await hand.set(marker, JSON.stringify({ ...told, runId: 'another' }));
    await hand.client('KILL', 'ID', id);
  };

  it('lets one of many rebuild, and everybody through afterwards', async () => {
    let rebuilds = 0;
    await hand.set(key('left over'), '1');
    const all = Array.from({ length: 5 }, () =>
      open(async inside => {
        expect(await inside.exists(key('left over'))).toBe(0);
        await inside.set(key('rebuilt'), 'yes');
        return { number: ++rebuilds };
      }),
    );
    for (const gate of all)
      await expect(gate.redis.get(key('rebuilt'))).rejects.toMatchObject({
        code: 'unavailable',
        retryAfter: 2,
      });
    await Promise.all(all.map(gate => gate.opened()));
    expect(rebuilds).toBe(1);
    expect(new Set(all.map(gate => gate.generation().epoch)).size).toBe(1);
    for (const gate of all) expect(await gate.redis.get(key('rebuilt'))).toBe('yes');
    const later = open(async () => ({ number: ++rebuilds }));
    await later.opened();
    expect([rebuilds, later.generation().facts.number]).toEqual([1, 1]);
  });

  it('leaves the keys of other installations alone', async () => {
    const other = `${config.namespace}x:kept`;
    await hand.set(other, '1', 'EX', 60);
    await open(async () => ({ number: 1 })).opened();
    expect(await hand.getdel(other)).toBe('1');
  });

  it('rebuilds again when the server is another one, and only then', async () => {
    let rebuilds = 0;
    const gate = open(async () => ({ number: ++rebuilds }));
    await gate.opened();
    const lost = new Promise(resolve => gate.redis.once('close', resolve));
    await hand.client('KILL', 'ID', String(await gate.redis.client('ID')));
    await lost;
    expect(gate.isOpen()).toBe(false);
    await gate.opened();
    expect(rebuilds).toBe(1);
    const { epoch } = gate.generation();
    await pretendRestart(gate);
    await expect.poll(() => rebuilds, { timeout: 10_000 }).toBe(2);
    await gate.opened();
    expect(gate.generation().epoch).not.toBe(epoch);
  });

  it('never sends a command of the old connection on the new one', async () => {
    let rebuilds = 0;
    const gate = open(async () => ({ number: ++rebuilds }));
    await gate.opened();
    // Cut while commands are on their way: some were executed, the rest are lost with the connection.
    const id = String(await gate.redis.client('ID'));
    const cut = hand.client('KILL', 'ID', id);
    const sent = Array.from({ length: 50 }, (_, n) => gate.redis.rpush(key('list'), n).catch(error => error));
    await cut;
    const outcomes = await Promise.all(sent);
    await gate.opened();
    const stored = await gate.redis.llen(key('list'));
    expect(stored).toBeLessThanOrEqual(50);
    for (const outcome of outcomes)
      if (typeof outcome !== 'number') expect(outcome).toMatchObject({ code: 'unavailable' });
    expect(outcomes.filter(outcome => typeof outcome === 'number').length).toBeLessThanOrEqual(stored);
    // What would be sent again comes before this.
    await gate.redis.ping();
    expect(await gate.redis.llen(key('list'))).toBe(stored);
  });

  it('tries a rebuild again that failed, from the start', async () => {
    let rebuilds = 0;
    const gate = open(async inside => {
      expect(await inside.exists(key('half'))).toBe(0);
      await inside.set(key('half'), '1');
      if (++rebuilds < 3) throw new Error('no');
      return { number: rebuilds };
    });
    await gate.opened();
    expect([rebuilds, troubles.length]).toEqual([3, 2]);
  });

  it('waits no longer for a process that died in mid-rebuild than its lock lasts', async () => {
    await hand.set(lock, 'of the dead', 'PX', 1_500);
    const started = performance.now();
    await open(async () => ({ number: 1 })).opened();
    expect(performance.now() - started).toBeGreaterThan(1_400);
  });

  it('waits for no process that rebuilt a server which died', async () => {
    // Longer than a test may take.
    await hand.set(`${lock}0`, 'of another run', 'PX', 600_000);
    await open(async () => ({ number: 1 })).opened();
  });

  it('cuts off one that lost its lock and does not know', async () => {
    let stalled: RedisClient | undefined;
    let wake = () => {};
    const slow = open(async inside => {
      if (stalled) return { number: 3 };
      stalled = inside;
      await new Promise<void>(resolve => {
        wake = resolve;
      });
      await inside.set(key('zombie'), '1');
      return { number: 1 };
    });
    await expect.poll(() => stalled, { timeout: 10_000 }).toBeDefined();
    await hand.del(lock);
    const quick = open(async () => ({ number: 2 }));
    await quick.opened();
    wake();
    await slow.opened();
    expect([quick.generation().facts.number, slow.generation().facts.number]).toEqual([2, 2]);
    expect(await hand.exists(key('zombie'))).toBe(0);
  });

  it('closes when the marker vanishes while the connection stays', async () => {
    let rebuilds = 0;
    const gate = open(async () => ({ number: ++rebuilds }));
    await gate.opened();
    await hand.del(marker);
    await expect.poll(() => rebuilds, { timeout: 10_000 }).toBe(2);
    await gate.opened();
    expect(gate.generation().facts.number).toBe(2);
  });

  it('says what is out of reach, and never what was sent', async () => {
    const gate = open(async () => ({ number: 1 }));
    await gate.opened();
    const fault = await gate.redis.hset(marker, 'word', 'secret').catch((error: unknown) => error);
    expect(fault).toMatchObject({ message: expect.stringContaining('WRONGTYPE') });
    expect(JSON.stringify(fault, Object.getOwnPropertyNames(fault))).not.toContain('secret');
    const nowhere = connectRedis({ redisUrl: 'redis://127.0.0.1:1' });
    await expect(nowhere.set('a', 'secret')).rejects.toMatchObject({ code: 'unavailable', retryAfter: 2 });
    nowhere.disconnect();
  });
});
