import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readConfig } from '../../core/config.ts';
import { unavailable } from '../../core/errors.ts';
import { encodeEvent } from '../../core/log/encode.ts';
import { NO_BUDGETS } from '../../core/payers/budgets.ts';
import type { EventLog, SharedLog } from '../../core/ports.ts';
import { openKafkaLog } from '../../infra/cluster/kafka/log.ts';
import { migrateTopics } from '../../infra/cluster/kafka/topics/topics.ts';
import {
  openRedisAccountStore,
  type RedisAccountStore,
} from '../../infra/cluster/redis/accounts/account-store.ts';
import type { RedisClient } from '../../infra/cluster/redis/redis-client.ts';
import type { AccountEvent } from '../../projections/accounts/accounts-projection.ts';
import { openEngines } from '../../services/embedded/open.ts';
import { accountEvent } from '../../services/use-cases/accounts/account-events.ts';
import { describeInBothModes } from '../support/engines/both-modes.ts';
import { clusterConfig } from '../support/engines/engines.ts';
import { deleteTopics } from '../support/engines/kafka.ts';
import { memoryLog } from '../support/engines/memory-log.ts';
import { makeNamespaces, mortal, openTestRedis, redisContents, redisKeys } from '../support/engines/redis.ts';
import { temporaryFolder } from '../support/processes/server.ts';
import { pause, until } from '../support/wait.ts';
import {
  about,
  keyCreated as created,
  describeAccountStore,
  type OpenAccounts,
  keyRevoked as revoked,
  rotated as rotation,
  signedUp,
} from './account-store.contract.ts';
import { startProjecting } from './openers/redis-accounts.ts';

describeInBothModes('account store', {
  embedded: () => {
    /** With the projector's thread: a decision is read from the projections' file. */
    const open = async (folder = temporaryFolder()): Promise<OpenAccounts> => {
      const read = readConfig({ TURNSTONE_DATA_DIR: folder });
      if (!read.ok) throw new Error(read.faults.join('\n'));
      const { accounts, watch, close } = await openEngines(read.config, pino({ level: 'silent' }), 0);
      await watch.caughtUp;
      return {
        accounts: accounts.store,
        close,
        reopen: async () => {
          await close();
          return open(folder);
        },
      };
    };

    describeAccountStore('embedded', () => open());
  },
  cluster: () => {
    const NOW = Date.UTC(2026, 2, 10, 8);
    const used = (org: string, id: string, second: number) =>
      accountEvent('api_key.used', `${id}:${second}`, about(org, second), { key_id: id });
    const limits = (org: string, id: string, tokens: number, second = 3) =>
      accountEvent('org.limits_changed', `${org}:${id}`, about(org, second), {
        tokens_in: tokens,
        tokens_out: tokens,
        ...NO_BUDGETS,
      });
    const rotated = (org: string, id: string, expiresAt: number) =>
      accountEvent('refresh_token.rotated', id, about(org, 4), {
        token_id: id,
        family_id: 'f1',
        key_id: `${org}-1`,
        successor_id: `${id}+`,
        issued_at: 1,
        expires_at: expiresAt,
        signing_key: 'k',
      });
    const familyRevoked = (org: string, id: string) =>
      accountEvent('refresh_family.revoked', id, about(org, 5), { family_id: id });
    /** As decoding leaves it: the record's attempt beside what the event says. */
    const appendedBy = (attempt: string, event: AccountEvent): AccountEvent =>
      ({ ...event, attempt }) as unknown as AccountEvent;

    const config = clusterConfig();
    let redis: RedisClient;
    const namespace = makeNamespaces(config, connected => {
      redis = connected;
    });
    const openStore = (name: string, log: EventLog, client = redis, clock = () => NOW): RedisAccountStore =>
      openRedisAccountStore({
        redis: client,
        namespace: name,
        log,
        encode: event => encodeEvent(event),
        clock,
      });

    const open = async (name: string, log: EventLog): Promise<OpenAccounts> => {
      const stopProjecting = startProjecting(log, openStore(name, log));
      return {
        accounts: openStore(name, log),
        close: stopProjecting,
        reopen: async () => {
          await stopProjecting();
          return open(name, log);
        },
      };
    };
    describeAccountStore('cluster', () => open(namespace(), memoryLog()));

    describe('on Kafka', () => {
      let log: SharedLog;
      beforeAll(async () => {
        await migrateTopics(config);
        log = await openKafkaLog(config);
      });
      afterAll(async () => {
        await log.close();
        await deleteTopics(config);
      });
      describeAccountStore('cluster, Kafka', () => open(namespace(), log));
    });

    describe('several instances', () => {
      it('records one event of an id, whoever asks, and all can read the winner', async () => {
        const [name, log] = [namespace(), memoryLog()];
        const stop = startProjecting(log, openStore(name, log));
        const instances = Array.from({ length: 3 }, () => openStore(name, log));
        for (let round = 0; round < 5; round++) {
          const org = `acme${round}`;
          const outcomes = await Promise.all(
            Array.from({ length: 12 }, async (_, n) => {
              const store = instances[n % 3]!;
              // The same event to the letter, too.
              const outcome = await store.record(signedUp(org, n < 6 ? `${org}-${n}` : `${org}-same`));
              expect(await store.get('organization', org)).toBeDefined();
              return { outcome, key: (await store.list('api_key', org)).map(({ key_id }) => key_id).join() };
            }),
          );
          expect(outcomes.filter(({ outcome }) => outcome === 'recorded')).toHaveLength(1);
          expect(new Set(outcomes.map(({ key }) => key)).size).toBe(1);
        }
        await stop();
      });

      it('knows a new key at once, and a revocation', async () => {
        const [name, log] = [namespace(), memoryLog()];
        const stop = startProjecting(log, openStore(name, log));
        const [one, other] = [openStore(name, log), openStore(name, log)];
        expect(await other.get('api_key', 'acme-1')).toBeUndefined();
        await one.record(signedUp('acme'));
        expect(await other.get('api_key', 'acme-1')).toMatchObject({ revoked_at: null });
        expect(await one.get('api_key', 'acme-1')).toMatchObject({ revoked_at: null });
        await one.record(revoked('acme', 'acme-1'));
        expect((await one.get('api_key', 'acme-1'))!.revoked_at).not.toBeNull();
        await until(
          'the other knows',
          async () => (await other.get('api_key', 'acme-1'))!.revoked_at !== null,
        );
        await stop();
      });

      it('is unavailable when no projector comes by, and tells the winner afterwards', async () => {
        const [name, log] = [namespace(), memoryLog()];
        const store = openStore(name, log);
        await expect(store.record(signedUp('acme'))).rejects.toMatchObject({ code: 'unavailable' });
        const stop = startProjecting(log, store);
        expect(await store.record(signedUp('acme', 'another'))).toBe('conflict');
        expect(await store.get('api_key', 'acme-1')).toBeDefined();
        expect(await store.get('api_key', 'another')).toBeUndefined();
        await stop();
      });

      it('rotates while no projector comes by, the same on all instances, and appends once more after an append that failed', async () => {
        const [name, log] = [namespace(), memoryLog()];
        const [one, other] = [openStore(name, log), openStore(name, log)];
        const append = log.append;
        log.append = async () => {
          throw unavailable('Kafka is unreachable.');
        };
        await expect(one.rotate(rotation('acme', 't1', 's1'))).rejects.toMatchObject({ code: 'unavailable' });
        expect(await other.get('rotation', 't1')).toBeUndefined();
        log.append = append;
        // The first one's decision counts, though it could not append it.
        expect(await other.rotate(rotation('acme', 't1', 's2'))).toMatchObject({
          outcome: 'conflict',
          rotation: { successor_id: 's1' },
        });
        expect(await one.get('rotation', 't1')).toMatchObject({ successor_id: 's1' });
        await one.rotate(rotation('acme', 't1', 's3'));
        const ends = await log.ends();
        expect(Object.values(ends).reduce((sum, end) => sum + end, 0)).toBe(1);

        // A claim that was forgotten meanwhile finds the projection.
        const stop = startProjecting(log, openStore(name, log));
        await one.record(signedUp('acme'));
        await redis.unlink(
          ...(await redisKeys(redis, name)).filter(key => key.includes('account:rotation:t1')),
        );
        expect(await other.rotate(rotation('acme', 't1', 's4'))).toMatchObject({
          outcome: 'conflict',
          rotation: { successor_id: 's1' },
        });
        await stop();
      });

      it('waits out a Redis that refuses for a moment', async () => {
        const [name, log] = [namespace(), memoryLog()];
        const stop = startProjecting(log, openStore(name, log));
        const client = await openTestRedis(config);
        const store = openStore(name, log, client);
        log.after = () => {
          client.disconnect();
          setTimeout(() => void client.connect(), 300);
        };
        expect(await store.record(signedUp('acme'))).toBe('recorded');
        client.disconnect();
        await expect(store.get('organization', 'other')).rejects.toMatchObject({ code: 'unavailable' });
        await expect(store.record(signedUp('third'))).rejects.toMatchObject({ code: 'unavailable' });
        await stop();
      });
    });

    describe('the fold', () => {
      const log = memoryLog();
      const far = NOW / 1_000 + 3_600;
      const life = [
        appendedBy('a', signedUp('acme')),
        appendedBy('b', signedUp('acme', 'loser')),
        appendedBy('c', created('acme', 'acme-2')),
        used('acme', 'acme-1', 61),
        used('acme', 'acme-1', 20),
        limits('acme', 'a', 5),
        // At the same instant: the later one of the log.
        limits('acme', 'b', 7),
        limits('acme', 'c', 6),
        appendedBy('d', revoked('acme', 'acme-2', 2)),
        appendedBy('e', revoked('acme', 'acme-2', 9)),
        rotated('acme', 't1', far),
        familyRevoked('acme', 'f1'),
        revoked('acme', 'nobody'),
        created('acme', 'nobody'),
      ];
      /** But for the versions, which are random. */
      const contents = async (name: string) =>
        Object.fromEntries(
          Object.entries(await redisContents(redis, name))
            .filter(([key]) => !key.endsWith(':version'))
            .map(([key, value]) => [key.replace(name, ''), value]),
        );
      let expected: Record<string, unknown>;
      beforeEach(async () => {
        if (expected) return;
        const name = namespace();
        const store = openStore(name, log);
        for (const event of life) await store.apply([event]);
        expect(await store.get('organization', 'acme')).toMatchObject({ limits: { tokens_in: 6 } });
        expect(await store.get('api_key', 'loser')).toBeUndefined();
        expect(await store.get('api_key', 'nobody')).toMatchObject({ revoked_at: null });
        expected = await contents(name);
        expect(Object.keys(expected)).toHaveLength(28);
      });

      it('ends at the same documents however the log is cut, delivered twice, or from the start again', async () => {
        for (const size of [1, 3, 5, life.length]) {
          const name = namespace();
          const store = openStore(name, log);
          for (let at = 0; at < life.length; at += size) {
            const batch = life.slice(at, at + size);
            await store.apply(batch);
            await store.apply(batch);
          }
          await store.apply(life);
          expect(await contents(name)).toEqual(expected);
        }
      });

      it('ends at the same documents when two or three projectors have the same batches at once', async () => {
        for (let round = 0; round < 10; round++) {
          const name = namespace();
          await Promise.all(
            [4, 4, 5].map(async size => {
              const store = openStore(name, log);
              for (let at = 0; at < life.length; at += size) await store.apply(life.slice(at, at + size));
            }),
          );
          expect(await contents(name)).toEqual(expected);
        }
      });

      it('changes nothing when a projector wakes late over a batch that others have long passed', async () => {
        // It stops before every one of its commands once.
        for (let stopAt = 1; ; stopAt++) {
          const name = namespace();
          let sent = 0;
          let wake = (): void => {};
          let stopped = false;
          const asleep = new Promise<void>(resolve => (wake = resolve));
          const slow = new Proxy(redis, {
            get: (target, property) => {
              const value = Reflect.get(target, property) as unknown;
              if (typeof value !== 'function') return value;
              return async (...values: unknown[]) => {
                sent += 1;
                if (sent === stopAt) {
                  stopped = true;
                  await asleep;
                }
                return value.apply(target, values);
              };
            },
          });
          const before = openStore(name, log);
          await before.apply(life.slice(0, 3));
          const zombie = openStore(name, log, slow).apply(life.slice(3, 6));
          await pause(5);
          for (let at = 3; at < life.length; at += 3) await before.apply(life.slice(at, at + 3));
          wake();
          await zombie;
          expect(await contents(name)).toEqual(expected);
          if (!stopped) break;
          expect(stopAt).toBeLessThan(100);
        }
      });

      it('can die at any command, and the batch that comes again mends all', async () => {
        let deaths = 0;
        for (let lives = 1; ; lives++) {
          const name = namespace();
          let left = lives;
          const dying = openStore(
            name,
            log,
            mortal(redis, () => left-- === 0),
          );
          const died = await dying.apply(life).then(
            () => false,
            () => true,
          );
          await openStore(name, log).apply(life);
          expect(await contents(name)).toEqual(expected);
          if (!died) break;
          deaths += 1;
        }
        expect(deaths).toBeGreaterThan(10);
      });

      it('writes many organizations of one batch', async () => {
        const name = namespace();
        const store = openStore(name, log);
        const orgs = Array.from({ length: 300 }, (_, n) => `org-${n}`);
        await store.apply([...orgs.map(org => signedUp(org)), ...orgs.map(org => revoked(org, `${org}-1`))]);
        const keys = await store.list('api_key');
        expect(keys).toHaveLength(300);
        expect(keys.every(({ revoked_at }) => revoked_at !== null)).toBe(true);
        expect(await store.list('organization')).toHaveLength(300);
      });
    });

    it('forgets what ended, with slack, and nothing else', async () => {
      const [name, log] = [namespace(), memoryLog()];
      const store = openStore(name, log);
      const DAY = 86_400;
      await store.apply([
        signedUp('acme'),
        used('acme', 'acme-1', 60),
        limits('acme', 'a', 5),
        created('acme', 'acme-2'),
        revoked('acme', 'acme-2'),
        rotated('acme', 'lives', NOW / 1_000 + 7 * DAY),
        rotated('acme', 'over', NOW / 1_000 - 30 * DAY),
        familyRevoked('acme', 'f1'),
      ]);
      const lives: Record<string, number> = {};
      for (const key of await redisKeys(redis, name)) {
        const ms = await redis.pttl(key);
        lives[key.slice(key.indexOf('account:') + 'account:'.length)] = ms < 0 ? ms : ms / 1_000 / DAY;
      }
      const forEver = Object.keys(lives).filter(key => lives[key] === -1);
      expect(forEver.sort()).toEqual(
        [
          'organizations',
          'version',
          'document:organization:acme',
          'document:api_key:acme-1',
          'org-of:api_key:acme-1',
          'ids:organization',
          'ids:api_key',
          'event:org.signed_up%3Aacme',
          'event:org.limits_changed%3Aacme%3Aa',
        ].sort(),
      );
      // Known as revoked for as long as a token of it could live; the list stays for the live one.
      expect(lives['document:api_key:acme-2']).toBeCloseTo(8, 1);
      expect(lives['org-of:api_key:acme-2']).toBeGreaterThan(lives['document:api_key:acme-2']!);
      expect(lives['event:api_key.created%3Aacme-2']).toBeCloseTo(1, 1);
      expect(lives['event:api_key.revoked%3Aacme-2']).toBeCloseTo(1, 1);
      expect(lives['document:rotation:lives']).toBeCloseTo(8, 1);
      expect(lives['event:refresh_token.rotated%3Alives']).toBeCloseTo(8, 1);
      expect(lives['org-of:rotation:lives']).toBeGreaterThan(lives['document:rotation:lives']!);
      expect(lives['ids:rotation']).toBeCloseTo(8, 1);
      expect(lives['document:family:f1']).toBeCloseTo(8, 1);
      expect(lives['event:api_key.used%3Aacme-1%3A60']).toBeCloseTo(1, 1);
      // Long enough for whoever waits for it.
      expect(lives['document:rotation:over']! * DAY).toBeGreaterThan(5);
      expect(lives['document:rotation:over']! * DAY).toBeLessThanOrEqual(10);

      const later = openStore(name, log, redis, () => NOW + 60_000);
      await later.apply([rotated('acme', 'next', NOW / 1_000 + DAY)]);
      const ids = (await redisKeys(redis, name)).find(key => key.endsWith('ids:rotation'))!;
      expect((await redis.zrange(ids, '0', '-1')).sort()).toEqual(['lives', 'next']);
      expect((await redis.pttl(ids)) / 1_000 / DAY).toBeCloseTo(8, 1);

      // The last live key: now the list of keys has an end, and a new one takes it away again.
      const keyIds = ids.replace('ids:rotation', 'ids:api_key');
      await later.apply([revoked('acme', 'acme-1')]);
      expect((await redis.pttl(keyIds)) / 1_000 / DAY).toBeCloseTo(8, 1);
      expect(await later.liveKeys('acme')).toEqual([]);
      await later.apply([created('acme', 'acme-3')]);
      expect(await redis.pttl(keyIds)).toBe(-1);
      const muchLater = openStore(name, log, redis, () => NOW + 9 * DAY * 1_000);
      await muchLater.apply([created('acme', 'acme-4'), revoked('acme', 'acme-4', 9 * DAY)]);
      expect((await redis.zrange(keyIds, '0', '-1')).sort()).toEqual(['acme-3', 'acme-4']);
      expect(await redis.pttl(keyIds)).toBe(-1);
    });
  },
});
