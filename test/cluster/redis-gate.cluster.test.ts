import { afterEach, beforeEach, expect, it } from 'vitest';
import { unavailable } from '../../core/errors.ts';
import { FORMAT } from '../../core/format.ts';
import {
  advanceCheckpoint,
  EVERY_MS,
  readCheckpoint,
  startCheckpoint,
} from '../../infra/cluster/redis/admission/rebuild/checkpoint.ts';
import { openRedis, type RedisGate } from '../../infra/cluster/redis/gate/gate.ts';
import { gateKeys, type RebuildOptions } from '../../infra/cluster/redis/gate/gate-rebuild.ts';
import { runIdIn } from '../../infra/cluster/redis/gate/members.ts';
import { keysOf } from '../../infra/cluster/redis/key-names.ts';
import { connectRedis, type RedisClient } from '../../infra/cluster/redis/redis-client.ts';
import type { ClusterConfig } from '../../schemas/config.ts';
import { dropNamespace } from '../contracts/openers/cluster-admission.ts';
import { clusterConfig, describeOnEngines } from '../support/engines/engines.ts';

type Rebuild = (inside: RedisClient, epoch: string) => Promise<{ number: number }>;
type Repair = RebuildOptions<{ number: number }>['repair'];

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
    lock = keys.lockOf(runIdIn(await hand.info('server')));
    troubles = [];
  });
  afterEach(async () => {
    for (const gate of gates.splice(0)) gate.close();
    hand.disconnect();
    await dropNamespace(config);
  });

  const open = (rebuild: Rebuild, repair?: Repair) => {
    const options = { config, rebuild, onTrouble: (error: unknown) => void troubles.push(error) };
    const gate = openRedis({ ...options, ...(repair && { repair }) });
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

  /**
   * Switched off by hand: gate-rebuild.ts leaves the format out of the marker's name → what was left over is
   * there still.
   */
  it('takes what was written in another format for nothing, and drops it', async () => {
    let rebuilds = 0;
    for (const other of ['', `-${FORMAT - 1}`]) {
      const gate = open(async () => ({ number: ++rebuilds }));
      await gate.opened();
      gate.close();
      // At its end: a namespace may have the same characters.
      const name = marker.replace(new RegExp(`-${FORMAT}$`), other);
      await hand.rename(marker, name);
      await hand.set(key('left over'), '1');
      const next = open(async () => ({ number: ++rebuilds }));
      await next.opened();
      // While it is open, it would rebuild what the test removes.
      next.close();
      expect(await hand.exists(name, key('left over'))).toBe(0);
      await hand.del(marker);
    }
    expect(rebuilds).toBe(4);
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

  /**
   * Switched off by hand: gate-rebuild.ts doesn't tell outages from faults → another epoch, or it repairs for
   * ever.
   */
  it('repairs what came back, keeps its epoch, and rebuilds what can not be repaired', async () => {
    const calls: string[] = [];
    let outcome: () => Promise<boolean> = async () => true;
    const gate = open(
      async inside => {
        expect(await inside.exists(key('kept'))).toBe(0);
        calls.push('rebuild');
        return { number: calls.length };
      },
      async (inside, before) => {
        expect(await inside.exists(key('kept'))).toBe(1);
        expect(before).toMatchObject({ runId: 'another', facts: { number: 1 } });
        calls.push('repair');
        return outcome();
      },
    );
    await gate.opened();
    await hand.set(key('kept'), '1');
    const { epoch, runId, version } = gate.generation();
    const restarted = async (): Promise<void> => {
      const { length } = calls;
      await pretendRestart(gate);
      await expect.poll(() => calls.length > length && gate.isOpen(), { timeout: 10_000 }).toBe(true);
    };
    await restarted();
    expect(gate.generation()).toMatchObject({ epoch, runId, facts: { number: 1 } });
    expect(gate.generation().version).not.toBe(version);
    expect(await gate.redis.get(key('kept'))).toBe('1');
    // An outage is over some time: it is repaired then.
    let outages = 2;
    outcome = async () => {
      if (outages-- > 0) throw unavailable('Kafka is unreachable.');
      return true;
    };
    await restarted();
    expect(gate.generation().epoch).toBe(epoch);
    outcome = async () => {
      throw new Error('a fault of ours');
    };
    await restarted();
    expect(gate.generation().epoch).not.toBe(epoch);
    expect(calls).toEqual(['rebuild', 'repair', 'repair', 'repair', 'repair', 'repair', 'rebuild']);
    expect(troubles.at(-1)).toMatchObject({ message: 'a fault of ours' });
  });

  it('lets one of many repair, and rebuilds after a wipe without trying', async () => {
    const calls: string[] = [];
    const all = Array.from({ length: 3 }, () =>
      open(
        async () => ({ number: calls.push('rebuild') }),
        async () => calls.push('repair') > 0,
      ),
    );
    await Promise.all(all.map(gate => gate.opened()));
    const ids = await Promise.all(all.map(gate => gate.redis.client('ID')));
    const told = JSON.parse((await hand.get(marker))!);
    await hand.set(marker, JSON.stringify({ ...told, runId: 'another' }));
    await Promise.all(ids.map(id => hand.client('KILL', 'ID', String(id))));
    await expect
      .poll(() => calls.length === 2 && all.every(gate => gate.isOpen()), { timeout: 10_000 })
      .toBe(true);
    await hand.del(marker);
    await expect
      .poll(() => calls.length === 3 && all.every(gate => gate.isOpen()), { timeout: 10_000 })
      .toBe(true);
    expect(calls).toEqual(['rebuild', 'repair', 'rebuild']);
  });

  /**
   * Switched off by hand, in checkpoint.ts: the marker isn't compared → 8 instead of 6; positions go back → 3
   * instead of 6.
   */
  it('holds the last checkpoint of its own run alone, which never goes back', async () => {
    const { namespace } = config;
    const gate = open(async (inside, epoch) => {
      await startCheckpoint(inside, namespace, epoch, { 'turns/0': 5 });
      return { number: 1 };
    });
    await gate.opened();
    const generation = gate.generation();
    const held = async () => (await readCheckpoint(hand, namespace, generation.epoch))?.checkpoint;
    const { turn } = gateKeys(namespace);
    const advance = async (committed: number, of = generation): Promise<void> => {
      await advanceCheckpoint({
        redis: gate.redis,
        namespace,
        generation: of,
        committed: async () => ({ 'turns/0': committed, 'observations/0': 9, 'usage/0': 1 }),
      });
    };
    await advance(6);
    expect(await held()).toMatchObject({ applied: { 'turns/0': 6, 'usage/0': 1 } });
    expect((await held())!.applied).not.toHaveProperty('observations/0');
    // Another process did it a moment ago.
    expect(await hand.pttl(turn)).toBeLessThanOrEqual(EVERY_MS);
    await advance(7);
    expect((await held())!.applied['turns/0']).toBe(6);
    await hand.del(turn);
    await advance(3);
    expect((await held())!.applied['turns/0']).toBe(6);
    // Its Redis is no longer the one that it read the positions for.
    for (const other of [{ runId: 'another' }, { epoch: 'another' }]) {
      await hand.del(turn);
      await advance(8, { ...generation, ...other });
      expect((await held())?.applied['turns/0']).toBe(6);
    }
    await hand.del(turn);
    await advance(8);
    expect(await held()).toEqual({ applied: { 'turns/0': 8, 'usage/0': 1 } });
    expect(await readCheckpoint(hand, namespace, 'another')).toBeUndefined();
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
    // Commands that would be sent again come before this one.
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
