import { afterEach, describe, expect, it } from 'vitest';
import { encodeEvent } from '../../core/log/encode.ts';
import { makeDecode } from '../../core/log/events.ts';
import { offsetIn, partitionsOf } from '../../core/log/positions.ts';
import type { ExpiryCounts } from '../../core/ports/projection/expiry-counts.ts';
import type { EventLog, KeyStore, LogRecord, Positions } from '../../core/ports.ts';
import { turnId } from '../../domain/identity/identity.ts';
import type { OrganizationDocument } from '../../projections/accounts/accounts-projection.ts';
import { makeProjections } from '../../projections/all.ts';
import type { MemoryExpired } from '../../schemas/events/curation/expiry.ts';
import { parseEnvelope } from '../../schemas/events/envelope.ts';
import { makeVerify, reportOf } from '../../services/operations/verify/verify.ts';
import { writeRecords } from '../../services/use-cases/ingest/records.ts';
import { makeLists } from '../../services/use-cases/lists/lists.ts';
import { type ExpiredKeysPorts, makeDestroyExpired } from '../../services/workers/expired-keys.ts';
import { type ExpirySharePorts, makeExpiryShare } from '../../services/workers/expiry-share.ts';
import { deadLetter } from '../../services/workers/projector/poison.ts';
import { pause } from '../support/wait.ts';
import { memoryErased, minute, sessionTitled } from '../support/worlds/builders.ts';
import { fold, language } from './openers/embedded.ts';
import { findIn } from './openers/finding.ts';
import { principal } from './openers/listing.ts';
import type { OpenProjections } from './openers/projections.ts';

/** A log, and the key stores of two processes or threads over it. */
export interface ExpiredKeysWorld {
  log: EventLog;
  keys: KeyStore;
  other: KeyStore;
  /** Opens what counts the sessions that go a day: every call another process's. */
  counts(): ExpiryCounts;
  /** Empty read models. */
  open(clock: () => number): Promise<OpenProjections>;
  close(): Promise<void>;
}

const NEVER = new AbortController().signal;
const QUIET_MS = 600;
const TOPICS = ['turns', 'observations'] as const;
const CONTEXT = '6f1f64b1-58a6-4ef3-9a3b-8a0a5d6b3f11';
/** When what expires does. */
const THEN = minute(10_000);
const range = (length: number): number[] => Array.from({ length }, (_, n) => n);
const draw = (most: number): number => Math.floor(Math.random() * most);

interface Said {
  session: string;
  text: string;
  expires: boolean;
  /** Unix milliseconds. */
  expiresAt?: number;
  /** Runs when the process has the key, before the append. */
  meanwhile?: () => Promise<void>;
}

/**
 * The keys of sessions of which all has expired are destroyed, and no others, whoever writes meanwhile and
 * whoever dies.
 */
export const describeExpiredKeys = (name: string, open: () => Promise<ExpiredKeysWorld>): void => {
  describe(`keys of expired sessions: ${name}`, () => {
    const opened: { close(): Promise<void> }[] = [];
    afterEach(async () => {
      for (const one of opened.splice(0).reverse()) await one.close();
    });

    const start = async () => {
      const world = await open();
      opened.push(world);
      const { log, keys, other } = world;
      const say = async (store: KeyStore, { session, text, expires, expiresAt = THEN, meanwhile }: Said) => {
        const scope = { org: 'acme', user: 'ada', session };
        const key = await store.forSession(scope.org, scope.user, session);
        await meanwhile?.();
        const timestamp = minute(1);
        const id = turnId(key.identity, { ...scope, role: 'user', text, timestamp });
        const write = {
          user_id: scope.user,
          session_id: session,
          job_id: id.replace('trn_', 'job_'),
          turn_ids: [id],
          options: { write_active: true, write_passive: false },
          metadata: null,
        };
        const turn = {
          ...{ id, role: 'user', text, timestamp, tokens: 5, observations: [`${text} It was noted.`] },
          ...{ active: true, passive: false, recordedAt: minute(2) },
          ...(expires && { expiresAt }),
        };
        const draft = { scope, write, fresh: [turn], correlationId: CONTEXT, recordedAt: minute(2) };
        const records = await writeRecords(draft, key);
        await log.append(records.map(({ record }) => record));
        return { id, keyId: key.keyId };
      };
      const eachRecord = async function* (from: Positions = {}): AsyncGenerator<LogRecord[]> {
        const ends = await log.ends();
        for (const topic of TOPICS)
          for (const { partition, offset: end } of partitionsOf(ends, topic))
            for (let next = offsetIn(from, { topic, partition }); next < end; ) {
              const records = await log.read(topic, partition, next, 300);
              yield records;
              next = records.at(-1)!.offset + 1;
            }
      };
      /** Acts as a projector of one process. */
      const model = async (store: KeyStore, clock: () => number) => {
        const one = await world.open(clock);
        opened.push(one);
        const decode = makeDecode(store);
        const positions: Positions = {};
        return {
          ...one,
          positions: async () => ({ ...positions }),
          project: async () => {
            for await (const records of eachRecord(positions)) {
              const events = [];
              for (const record of records) {
                const decoded = await decode(record);
                if (decoded.kind === 'poison') throw new Error(decoded.reason);
                events.push(...decoded.events);
              }
              const { topic, partition, offset } = records.at(-1)!;
              const next = { [`${topic}/${partition}`]: offset + 1 };
              await one.store.apply({ ...fold(events), positions: next });
              Object.assign(positions, next);
            }
          },
        };
      };
      const texts = async (): Promise<string[]> => {
        const decode = makeDecode(other);
        const found: string[] = [];
        for await (const records of eachRecord())
          for (const record of records) {
            const decoded = await decode(record);
            if (decoded.kind !== 'events') continue;
            for (const { type, data } of decoded.events)
              if (type === 'turn.recorded') found.push((data as { text: string }).text);
          }
        return found;
      };
      /** The turns that ends of sessions list. */
      const named = async (): Promise<string[]> => {
        const ids: string[] = [];
        for await (const records of eachRecord())
          for (const { value } of records) {
            const { type, data } = parseEnvelope(value) as { type: string; data: MemoryExpired };
            if (type === 'memory.expired') ids.push(...data.turn_ids);
          }
        return ids;
      };
      const shareOf = (changes: Partial<ExpirySharePorts>) =>
        makeExpiryShare({
          ...{ counts: world.counts(), sessions: async () => 0, organization: async () => undefined },
          ...{ percent: 20, ...changes },
        });
      const destroyer = (
        { swept, positions }: Pick<ExpiredKeysPorts, 'swept' | 'positions'>,
        changes: Partial<ExpiredKeysPorts> = {},
      ) =>
        makeDestroyExpired({
          ...{
            swept,
            positions,
            keys,
            log,
            clock: () => THEN,
            upTo: async () => THEN + 1,
            share: shareOf({ percent: 0 }),
            quietMs: QUIET_MS,
          },
          ...changes,
        });
      /** Nothing that the read models hold differs from the log. */
      const verified = async ({ rows }: Pick<OpenProjections, 'rows'>, clock: () => number) => {
        const verify = makeVerify({
          log,
          decode: makeDecode(other),
          projections: makeProjections(language()),
          clock,
        });
        const { differences, named } = await reportOf(verify(rows, { projections: ['recall'] }));
        expect([differences, named]).toEqual([0, []]);
      };
      return { ...world, say, model, texts, named, shareOf, destroyer, verified };
    };

    const later = () => THEN + 1;
    const listsOf = ({ index, listing }: Pick<OpenProjections, 'index' | 'listing'>) =>
      makeLists({
        find: findIn(index),
        ...{ listing, details: index, admission: { tail: async () => [] } },
        ...{ settledUntil: async () => THEN, clock: later },
      });
    const listed = async ({ index, listing }: OpenProjections) => ({
      turns: (await listsOf({ index, listing }).turns(principal(), { limit: 200, user_id: 'ada' })).turns.map(
        ({ text }) => text,
      ),
      holdings: await index.holdings('acme', 'ada', 's1'),
    });

    it('destroys what opens a session of which all has expired, and nothing else', async () => {
      const { log, keys, other, say, model, texts, destroyer, verified } = await start();
      const gone = [
        await say(keys, { session: 's1', text: 'One.', expires: true }),
        await say(other, { session: 's1', text: 'Two.', expires: true }),
      ];
      const left = await say(keys, { session: 's2', text: 'Three.', expires: false });
      await say(keys, { session: 's2', text: 'Four.', expires: true });
      const title = sessionTitled(0, 'Numbers', { session: 's1' });
      await log.append([
        {
          topic: 'turns',
          key: JSON.stringify(['acme', 'ada', 's1']),
          value: encodeEvent(title, await keys.forSession('acme', 'ada', 's1')),
        },
      ]);
      const live = await model(keys, later);
      await live.project();
      const destroyExpired = destroyer(live);
      expect(await destroyExpired(NEVER)).toBe(0);
      await live.sweep(later());
      expect(await destroyExpired(NEVER)).toBe(1);
      expect(await other.byId(gone[0]!.keyId)).toBeUndefined();
      expect(await other.byId(left.keyId)).toBeDefined();
      expect(await texts()).toEqual(expect.arrayContaining(['Three.', 'Four.']));
      expect(await texts()).toHaveLength(2);
      // Nothing is left to do, however often somebody looks.
      await live.project();
      await live.sweep(later());
      expect(await destroyExpired(NEVER)).toBe(0);
      await verified(live, later);

      // A replay reads what can't be opened any more, and knows its turns all the same.
      const replayed = await model(other, later);
      await replayed.project();
      await replayed.sweep(later());
      await verified(replayed, later);
      const ids = gone.map(({ id }) => id);
      for (const one of [live, replayed]) {
        expect(await one.known('acme', 'ada', ids)).toEqual(new Map(ids.map(id => [id, false])));
        expect((await listed(one)).turns).toEqual(['Three.']);
      }

      // It goes on as the same session, and can be erased.
      const anew = await say(other, { session: 's1', text: 'Five.', expires: false });
      expect(anew.keyId).not.toBe(gone[0]!.keyId);
      for (const one of [live, replayed]) {
        await one.project();
        expect((await listed(one)).turns).toContain('Five.');
      }
      await verified(live, later);
      await verified(replayed, later);
      await keys.destroy('acme', 'ada', 's1');
      const partition = log.partitionOf(JSON.stringify(['acme', 'ada', 's1']));
      await log.append(
        TOPICS.map(topic => ({
          topic,
          partition,
          key: '',
          value: encodeEvent(memoryErased(1, { session: 's1', topic })),
        })),
      );
      for (const one of [live, replayed]) {
        await one.project();
        expect(await listed(one)).toMatchObject({
          turns: ['Three.'],
          holdings: { turns: 0, observations: 0 },
        });
        await verified(one, later);
      }
      expect(await live.swept.take(10, 0)).toEqual([]);
    });

    it('loses no word of those who write while keys are replaced, in many sessions at once', {
      timeout: 240_000,
    }, async () => {
      const { keys, other, say, model, texts, destroyer, verified } = await start();
      const live = await model(keys, later);
      const kept: string[] = [];
      let destroyed = 0;
      for (let round = 0; round < 3; round++) {
        const sessions = range(40).map(n => `${round}/${n}`);
        await Promise.all(
          sessions.map(session => say(keys, { session, text: `${session} is gone.`, expires: true })),
        );
        await live.project();
        await live.sweep(later());
        let isOver = false;
        const keepUp = (async () => {
          while (!isOver) {
            await live.project();
            await live.sweep(later());
            await pause(20);
          }
        })();
        const write = async (session: string, n: number): Promise<void> => {
          await pause(draw(2 * QUIET_MS));
          const text = `${session} says ${n}.`;
          const meanwhile = () => pause(draw(QUIET_MS / 3));
          // Some of it expires while the key is being replaced.
          const expires = draw(3) === 0;
          await say(n % 2 ? keys : other, { session, text, expires, meanwhile });
          if (!expires) kept.push(text);
        };
        // In every fourth session nobody says anything.
        const written = sessions.flatMap((session, i) =>
          range(i % 4 === 0 ? 0 : 1 + (i % 3)).map(n => write(session, n)),
        );
        const stores = [keys, other].map(store => destroyer(live, { keys: store })(NEVER));
        for (const count of await Promise.all(stores)) destroyed += count;
        await Promise.all(written);
        isOver = true;
        await keepUp;
      }
      expect(destroyed).toBeGreaterThanOrEqual(30);
      await live.project();
      const readable = new Set(await texts());
      expect(kept.filter(text => !readable.has(text))).toEqual([]);
      const replayed = await model(other, later);
      await replayed.project();
      for (const one of [live, replayed]) {
        await one.sweep(later());
        const { turns } = await listed(one);
        expect(turns.length).toBe(kept.length);
        await verified(one, later);
      }
      // In whatever is left to be done everything ends.
      for (let n = 0; n < 3; n++) {
        await destroyer(live)(NEVER);
        await live.project();
        await live.sweep(later());
      }
      const left = new Set(await texts());
      expect(kept.filter(text => !left.has(text))).toEqual([]);
      // A session in which something stays can be read as a whole; the others not at all.
      const staying = new Set(kept.map(text => text.split(' ')[0]));
      expect([...left].filter(text => !staying.has(text.split(' ')[0]))).toEqual([]);
    });

    it('goes on where another process has ended', async () => {
      const { keys, other, say, model, texts, destroyer, verified } = await start();
      const gone = await say(keys, { session: 's1', text: 'One.', expires: true });
      const live = await model(other, later);
      await live.project();
      await live.sweep(later());

      // It ends when the session has its new key: all is as before.
      const ends = new AbortController();
      setTimeout(() => ends.abort(), QUIET_MS / 2);
      await expect(destroyer(live)(ends.signal)).rejects.toThrow();
      expect(await other.byId(gone.keyId)).toBeDefined();
      const next = await say(other, { session: 's1', text: 'Two.', expires: true });
      expect(await texts()).toEqual(expect.arrayContaining(['One.', 'Two.']));

      // It ends when the event is in the log: whoever reads it destroys the keys.
      await live.project();
      await live.sweep(later());
      const dying = { ...keys, destroyKeys: () => Promise.reject(new Error('it has ended')) };
      const again = { ...live.swept, take: () => live.swept.take(10, 0) };
      await pause(2 * QUIET_MS);
      await expect(destroyer({ ...live, swept: again }, { keys: dying })(NEVER)).rejects.toThrow('ended');
      expect(await keys.byId(gone.keyId)).toBeDefined();
      await live.project();
      for (const keyId of [gone.keyId, next.keyId]) expect(await other.byId(keyId)).toBeUndefined();
      expect(await texts()).toEqual([]);
      await verified(live, later);
    });

    it('leaves what is said while the end of a session is written down', async () => {
      const { log, keys, other, say, model, texts, destroyer, verified } = await start();
      await say(keys, { session: 's1', text: 'One.', expires: true });
      const live = await model(other, later);
      await live.project();
      await live.sweep(later());
      const append: EventLog['append'] = async records => {
        await say(other, { session: 's1', text: 'Two.', expires: false });
        await live.project();
        return log.append(records);
      };
      expect(await destroyer(live, { log: { ...log, append } })(NEVER)).toBe(1);
      await live.project();
      expect(await texts()).toEqual(['Two.']);
      expect((await listed(live)).turns).toEqual(['Two.']);
      await verified(live, later);
    });

    it('keeps turns known that had expired and were not swept yet', async () => {
      const { keys, other, say, model, destroyer, verified } = await start();
      let now = THEN + 1;
      const clock = () => now;
      const one = await say(keys, { session: 's1', text: 'One.', expires: true });
      const two = await say(keys, { session: 's1', text: 'Two.', expires: true, expiresAt: THEN + 10 });
      const live = await model(keys, clock);
      await live.project();
      await live.sweep(now);
      now = THEN + 11;
      const upTo = async () => now;
      const first = await destroyer(live, { upTo })(NEVER);
      await live.project();
      await live.sweep(now);
      expect(first + (await destroyer(live, { upTo })(NEVER))).toBe(1);
      await live.project();
      const replayed = await model(other, clock);
      await replayed.project();
      for (const each of [live, replayed]) {
        expect(await each.known('acme', 'ada', [one.id, two.id])).toEqual(
          new Map([one, two].map(({ id }) => [id, false])),
        );
        await verified(each, clock);
      }
    });

    it('ends a fifth of an organization a day, whoever asks, and the rest when an operator says so', async () => {
      const { keys, say, model, texts, shareOf, destroyer } = await start();
      const sessions = range(60).map(n => `s${n}`);
      await Promise.all(
        sessions.map(session => say(keys, { session, text: `${session} is gone.`, expires: true })),
      );
      const live = await model(keys, later);
      await live.project();
      await live.sweep(later());
      expect(await live.swept.sessions('acme')).toBe(60);
      const swept = {
        ...live.swept,
        take: (most: number, _forMs: number, leftOut?: readonly string[]) =>
          live.swept.take(most, 0, leftOut),
      };
      const { sessions: count } = live.swept;
      const round = async (at: number, limits: OrganizationDocument['limits'] = null) => {
        const organization = async () => ({ limits }) as OrganizationDocument;
        const share = shareOf({ sessions: count, organization });
        const destroyed = await destroyer({ ...live, swept }, { share, upTo: async () => at })(NEVER);
        await live.project();
        return { destroyed, held: share.held().get('acme') };
      };
      expect(await round(later())).toEqual({ destroyed: 12, held: 48 });
      expect(await texts()).toHaveLength(48);
      // Another process, and one that was started anew, know of it for a day.
      expect(await round(later() + 23 * 3_600_000)).toEqual({ destroyed: 0, held: 48 });
      expect(await live.swept.sessions('acme')).toBe(48);
      expect(await round(later() + 26 * 3_600_000)).toEqual({ destroyed: 10, held: 38 });
      const limits = { expiries: 0 } as OrganizationDocument['limits'];
      expect(await round(later() + 26 * 3_600_000, limits)).toEqual({ destroyed: 38, held: undefined });
      expect(await texts()).toEqual([]);
    });

    it('names each turn of a session once, however often all of it expires', async () => {
      const { keys, other, say, model, destroyer, named, verified } = await start();
      const live = await model(keys, later);
      const ids: string[] = [];
      for (const text of ['One.', 'Two.', 'Three.']) {
        ids.push((await say(keys, { session: 's1', text, expires: true })).id);
        await live.project();
        await live.sweep(later());
        expect(await destroyer(live)(NEVER)).toBe(1);
        await live.project();
      }
      const all = await named();
      expect(all).toHaveLength(new Set(all).size);
      const replayed = await model(other, later);
      await replayed.project();
      for (const one of [live, replayed]) {
        expect(await one.known('acme', 'ada', ids)).toEqual(new Map(ids.map(id => [id, false])));
        await verified(one, later);
      }
    });

    it('keeps the key of what is in the dead letters, and of what was said before the last look', async () => {
      const { log, keys, say, model, texts, destroyer } = await start();
      const live = await model(keys, later);
      for (const session of ['s1', 's2', 's3'])
        await say(keys, { session, text: `${session} is gone.`, expires: true });
      await live.project();
      await live.sweep(later());
      const decode = makeDecode(keys);
      const partition = log.partitionOf(JSON.stringify(['acme', 'ada', 's2']));
      for (const record of await log.read('turns', partition, 0, 100)) {
        const decoded = await decode(record);
        const { data } = (decoded as { events: { data: { session_id?: string } }[] }).events[0]!;
        if (data.session_id === 's2')
          await log.append([deadLetter(record, { kind: 'poison', step: 'apply', reason: 'x' })]);
      }
      const late = say(keys, {
        session: 's3',
        text: 'I am late.',
        expires: false,
        meanwhile: () => pause(QUIET_MS / 2),
      });
      const destroying = destroyer(live)(NEVER);
      await late;
      // The read models lack what was said: they are not asked before they have it.
      await pause(2 * QUIET_MS);
      await live.project();
      expect(await destroying).toBe(1);
      expect((await texts()).sort()).toEqual(['I am late.', 's2 is gone.', 's3 is gone.']);
    });
  });
};
