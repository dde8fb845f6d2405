import type { KeyObject } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { KeyStore, SessionKey } from '../../core/ports.ts';
import { until } from '../support/wait.ts';

export interface OpenKeys {
  keys: KeyStore;
  /** A second store over the same data, as another thread or process has it. */
  other: KeyStore;
  /** How many wrapped keys are stored, of whomever. */
  stored(): Promise<number>;
  /** Closes, and opens the same data again. */
  reopen(): Promise<OpenKeys>;
  close(): Promise<void>;
}

const NEVER = new AbortController().signal;
const range = (length: number): number[] => Array.from({ length }, (_, n) => n);
const bytes = (key: KeyObject): string => key.export().toString('hex');
const shown = ({ keyId, sealing, identity }: SessionKey) => ({
  keyId,
  sealing: bytes(sealing),
  identity: bytes(identity),
});

export const describeKeyStore = (name: string, open: () => Promise<OpenKeys>): void => {
  describe(`key store: ${name}`, () => {
    let opened: OpenKeys;
    beforeEach(async () => {
      opened = await open();
    });
    afterEach(() => opened.close());

    it('has one sealing key and one identity key a session', async () => {
      const { keys } = opened;
      const one = shown(await keys.forSession('acme', 'ada', 's1'));
      expect(shown(await keys.forSession('acme', 'ada', 's1'))).toEqual(one);
      const session = shown(await keys.forSession('acme', 'ada', 's2'));
      expect(session.identity).not.toBe(one.identity);
      const others = [
        shown(await keys.forSession('acme', 'grace', 's1')),
        shown(await keys.forSession('other', 'ada', 's1')),
        // Names that read the same when they are joined without care.
        shown(await keys.forSession('acme', 'ada","s1', 's')),
        shown(await keys.forSession('acme","ada', 's1', 's')),
        shown(await keys.forSession('acme', 'ada\ns1', '')),
      ];
      const all = [one, session, ...others];
      expect(new Set(all.map(key => key.keyId)).size).toBe(all.length);
      expect(new Set(all.map(key => key.sealing)).size).toBe(all.length);
      expect(new Set([one, ...others].map(key => key.identity)).size).toBe(others.length + 1);
      expect(all.some(key => key.sealing === key.identity)).toBe(false);
    });

    it('lets the first to store win, of many makers at once in two stores', async () => {
      const { keys, other } = opened;
      for (let session = 0; session < 5; session++) {
        const made = await Promise.all(
          Array.from({ length: 40 }, (_, n) =>
            (n % 2 ? keys : other).forSession('acme', 'ada', `s${session}`),
          ),
        );
        expect(new Set(made.map(key => JSON.stringify(shown(key)))).size).toBe(1);
      }
    });

    it('finds a key by its id, in both stores, and none by another id', async () => {
      const { keys, other } = opened;
      const made = await keys.forSession('acme', 'ada', 's1');
      expect(bytes((await keys.byId(made.keyId))!)).toBe(bytes(made.sealing));
      expect(bytes((await other.byId(made.keyId))!)).toBe(bytes(made.sealing));
      expect(await keys.byId('00000000-0000-4000-8000-000000000000')).toBeUndefined();
    });

    it('destroys a session for good and leaves its partition', async () => {
      const { keys } = opened;
      const gone = await keys.forSession('acme', 'ada', 's1');
      const left = await keys.forSession('acme', 'ada', 's2');
      await keys.destroy('acme', 'ada', 's1');
      expect(await keys.byId(gone.keyId)).toBeUndefined();
      expect(bytes((await keys.byId(left.keyId))!)).toBe(bytes(left.sealing));
      const anew = await keys.forSession('acme', 'ada', 's1');
      expect(anew.keyId).not.toBe(gone.keyId);
      expect(bytes(anew.sealing)).not.toBe(bytes(gone.sealing));
      // A turn that is sent again is another one.
      expect(bytes(anew.identity)).not.toBe(bytes(gone.identity));
    });

    it('finds a user’s sessions by their keys, and those that got one since, even if it is gone', async () => {
      const { keys, other } = opened;
      const read = async (pages: AsyncIterable<readonly string[]>): Promise<string[]> => {
        const found: string[] = [];
        for await (const page of pages) found.push(...page);
        return [...new Set(found)].sort();
      };
      const names = range(3).map(n => `s${n}`);
      for (const name of [...names, '']) await keys.forSession('acme', 'ada', name);
      await keys.forSession('acme', 'grace', 'hers');
      await keys.forSession('other', 'ada', 'theirs');
      const found = await other.sessionsOf('acme', 'ada');
      expect(await read(found.names())).toEqual(['', ...names]);
      // As another process makes it, which has no erasure under way.
      await keys.forSession('acme', 'ada', 'later');
      expect(await read(found.since())).toContain('later');
      await keys.replace('acme', 'ada', 's1');
      expect(await read((await keys.sessionsOf('acme', 'ada')).names())).toEqual(['', 'later', ...names]);
      await keys.destroy('acme', 'ada');
      expect(await read((await keys.sessionsOf('acme', 'nobody')).names())).toEqual([]);
      expect(await read(found.since())).not.toContain('hers');
    });

    it('finds the users of an organization who have keys, and nobody of another one', async () => {
      const { keys, other } = opened;
      const found = async (org: string): Promise<string[]> =>
        (await Array.fromAsync(other.usersOf(org))).flat().sort();
      // Names that could be taken for one another where they are written down.
      const own = ['ada', 'b","x', 'ü', 'session"]'];
      for (const user of own) await keys.forSession('crowd', user, 's');
      await keys.forSession('crowd', 'ada', 'another');
      for (const org of ['crow', 'crowd2', 'crowd","ada', 'Crowd']) await keys.forSession(org, 'eve', 's');
      expect(await found('crowd')).toEqual([...own].sort());
      expect(await found('nobody')).toEqual([]);
      await keys.destroy('crowd', 'ada');
      expect(await found('crowd')).toEqual(own.slice(1).sort());
    });

    it('destroys keys by their ids, also in the caches of others', async () => {
      const { keys, other } = opened;
      const gone = await keys.forSession('acme', 'ada', 's1');
      const left = await keys.forSession('acme', 'ada', 's2');
      expect(await other.idsOf('acme', 'ada', 's1')).toEqual([gone.keyId]);
      const [own, ...others] = await other.idsOf('acme', 'ada');
      expect([gone.keyId, left.keyId]).not.toContain(own);
      expect(others).toEqual([]);
      expect(await other.byId(gone.keyId)).toBeDefined();
      expect((await other.forSession('acme', 'ada', 's1')).keyId).toBe(gone.keyId);

      await keys.destroyKeys([gone.keyId, 'one that never was']);
      expect(await keys.byId(gone.keyId)).toBeUndefined();
      await until('the other store knows too', async () => (await other.byId(gone.keyId)) === undefined);
      const anew = await other.forSession('acme', 'ada', 's1');
      expect(anew.keyId).not.toBe(gone.keyId);
      expect((await keys.forSession('acme', 'ada', 's1')).keyId).toBe(anew.keyId);
      expect((await keys.forSession('acme', 'ada', 's2')).keyId).toBe(left.keyId);
      // Once more, when the key is gone, touches nothing.
      await other.destroyKeys([gone.keyId]);
      expect(bytes((await keys.byId(anew.keyId))!)).toBe(bytes(anew.sealing));
    });

    it('opens nothing with a key that another store destroyed, once it is told to destroy it too', async () => {
      const { keys, other } = opened;
      const gone = await keys.forSession('acme', 'ada', 's1');
      expect(await other.byId(gone.keyId)).toBeDefined();
      await keys.destroyKeys([gone.keyId]);
      // As who reads the log behind an erasure: there is no time for the word of the other one to come.
      await other.destroyKeys([gone.keyId]);
      expect(await other.byId(gone.keyId)).toBeUndefined();
    });

    it('opens nothing with a former key that another store destroyed, once it is told to destroy it too', async () => {
      const { keys, other } = opened;
      const gone = await keys.forSession('acme', 'ada', 's1');
      expect(await keys.replace('acme', 'ada', 's1')).toEqual([gone.keyId]);
      expect(await other.byId(gone.keyId)).toBeDefined();
      await keys.destroyKeys([gone.keyId], 'former');
      for (let n = 0; n < 2; n++) {
        await other.destroyKeys([gone.keyId], 'former');
        for (const store of [keys, other]) expect(await store.byId(gone.keyId)).toBeUndefined();
      }
      const next = shown(await keys.forSession('acme', 'ada', 's1'));
      expect(shown(await other.forSession('acme', 'ada', 's1'))).toEqual(next);
    });

    it('opens nothing that a user’s key had wrapped, once it is told to destroy that one', async () => {
      const { keys, other } = opened;
      const gone = await keys.forSession('acme', 'ada', 's1');
      const named = await keys.idsOf('acme', 'ada');
      expect(await other.byId(gone.keyId)).toBeDefined();
      await keys.destroyKeys(named);
      await other.destroyKeys(named);
      expect(await other.byId(gone.keyId)).toBeUndefined();
    });

    it('destroys a user of many sessions by one key, everywhere', async () => {
      const { keys, other } = opened;
      const made = await Promise.all(range(60).map(n => keys.forSession('acme', 'ada', `s${n}`)));
      const left = await keys.forSession('acme', 'grace', 's1');
      for (const { keyId } of made) expect(await other.byId(keyId)).toBeDefined();
      expect(await keys.idsOf('acme', 'ada')).toHaveLength(1);
      expect(await keys.destroy('acme', 'ada')).toHaveLength(1);
      for (const { keyId } of made) expect(await keys.byId(keyId)).toBeUndefined();
      await until('the other store knows too', async () => {
        const found = await Promise.all(made.map(({ keyId }) => other.byId(keyId)));
        return found.every(key => key === undefined);
      });
      expect(await other.byId(left.keyId)).toBeDefined();
      // Each session that is written again gets one new key.
      for (const n of [7, 8]) {
        const anew = shown(await other.forSession('acme', 'ada', `s${n}`));
        expect(anew.keyId).not.toBe(made[n]!.keyId);
        expect(anew.identity).not.toBe(shown(made[n]!).identity);
        expect(shown(await keys.forSession('acme', 'ada', `s${n}`))).toEqual(anew);
        expect(bytes((await keys.byId(anew.keyId))!)).toBe(anew.sealing);
      }
    });

    it('sweeps what a destroyed user’s key has left, in two stores at once, and nothing else', async () => {
      const { keys, other } = opened;
      const before = await opened.stored();
      // More than a step of either mode.
      await Promise.all(range(1_200).map(n => keys.forSession('acme', 'ada', `s${n}`)));
      const session = await keys.forSession('acme', 'grace', 's1');
      const left = await keys.forSession('acme', 'grace', 's2');
      await keys.destroy('acme', 'ada');
      await keys.destroy('acme', 'grace', 's1');
      const anew = [
        await keys.forSession('acme', 'ada', 's7'),
        await keys.forSession('acme', 'ada', 'fresh'),
      ];
      const removed = await Promise.all([keys.sweep(NEVER), other.sweep(NEVER)]);
      expect(removed[0]! + removed[1]!).toBeGreaterThanOrEqual(1_199);
      // Two users' keys, and of sessions those that live.
      expect((await opened.stored()) - before).toBe(5);
      expect(await keys.byId(session.keyId)).toBeUndefined();
      for (const { keyId, sealing } of [left, ...anew])
        expect(bytes((await other.byId(keyId))!)).toBe(bytes(sealing));
      expect(shown(await other.forSession('acme', 'ada', 's7'))).toEqual(shown(anew[0]!));
      expect(await keys.sweep(NEVER)).toBe(0);
    });

    it('sweeps after a restart what was left of the user', async () => {
      const before = await opened.stored();
      for (const n of range(3)) await opened.keys.forSession('acme', 'ada', `s${n}`);
      // A process that ends as soon as the erasure's event was read.
      await opened.keys.destroyKeys(await opened.keys.idsOf('acme', 'ada'));
      expect((await opened.stored()) - before).toBe(3);
      const stopped = new AbortController();
      stopped.abort();
      expect(await opened.keys.sweep(stopped.signal)).toBe(0);
      opened = await opened.reopen();
      expect(await opened.keys.sweep(NEVER)).toBe(3);
      expect(await opened.stored()).toBe(before);
    });

    it('replaces a session’s key: the former one opens what it sealed, ids stay, and nobody takes it up any more', async () => {
      const { keys, other } = opened;
      expect(await keys.replace('acme', 'ada', 's1')).toEqual([]);
      const first = await keys.forSession('acme', 'ada', 's1');
      const left = shown(await other.forSession('acme', 'ada', 's2'));
      await other.forSession('acme', 'ada', 's1');
      expect(await keys.replace('acme', 'ada', 's1')).toEqual([first.keyId]);
      await until(
        'the other store seals with the next one',
        async () => (await other.forSession('acme', 'ada', 's1')).keyId !== first.keyId,
      );
      const next = shown(await keys.forSession('acme', 'ada', 's1'));
      expect(shown(await other.forSession('acme', 'ada', 's1'))).toEqual(next);
      expect(next.sealing).not.toBe(bytes(first.sealing));
      expect(next.identity).toBe(bytes(first.identity));
      for (const store of [keys, other]) {
        expect(bytes((await store.byId(first.keyId))!)).toBe(bytes(first.sealing));
        expect((await store.idsOf('acme', 'ada', 's1')).sort()).toEqual([first.keyId, next.keyId].sort());
      }
      opened = await opened.reopen();
      expect(shown(await opened.keys.forSession('acme', 'ada', 's1'))).toEqual(next);
      expect(bytes((await opened.other.byId(first.keyId))!)).toBe(bytes(first.sealing));
      // A process that died after the first replacement, or comes late, names all that are left.
      expect((await opened.other.replace('acme', 'ada', 's1')).sort()).toEqual(
        [first.keyId, next.keyId].sort(),
      );
      await opened.keys.destroyKeys([first.keyId, next.keyId]);
      const last = shown(await opened.keys.forSession('acme', 'ada', 's1'));
      expect([first.keyId, next.keyId]).not.toContain(last.keyId);
      expect(last.identity).toBe(next.identity);
      for (const { keyId } of [first, next]) expect(await opened.keys.byId(keyId)).toBeUndefined();
      expect(shown(await opened.keys.forSession('acme', 'ada', 's2'))).toEqual(left);
    });

    it('replaces a key in two stores at once while others seal: each of their keys opens what it sealed', async () => {
      const { keys, other } = opened;
      const first = await keys.forSession('acme', 'ada', 's1');
      const seen = new Map<string, string>();
      let isOver = false;
      const seal = async (store: KeyStore): Promise<void> => {
        while (!isOver) {
          const { keyId, sealing, identity } = shown(await store.forSession('acme', 'ada', 's1'));
          expect(seen.get(keyId) ?? sealing).toBe(sealing);
          expect(identity).toBe(bytes(first.identity));
          seen.set(keyId, sealing);
          await new Promise(resolve => setImmediate(resolve));
        }
      };
      const sealing = [keys, other, keys, other].map(seal);
      for (let n = 0; n < 5; n++)
        await Promise.all([keys, other].map(store => store.replace('acme', 'ada', 's1')));
      isOver = true;
      await Promise.all(sealing);
      for (const [keyId, sealed] of seen)
        for (const store of [keys, other]) expect(bytes((await store.byId(keyId))!)).toBe(sealed);
      const current = await keys.forSession('acme', 'ada', 's1');
      expect((await other.forSession('acme', 'ada', 's1')).keyId).toBe(current.keyId);
      const former = (await keys.idsOf('acme', 'ada', 's1')).filter(id => id !== current.keyId);
      expect(former).toContain(first.keyId);
      await keys.destroyKeys(former);
      expect((await other.forSession('acme', 'ada', 's1')).keyId).toBe(current.keyId);
    });

    it('destroys former keys with their session, and with what wraps them', async () => {
      const { keys } = opened;
      const before = await opened.stored();
      const [first, second] = [
        await keys.forSession('acme', 'ada', 's1'),
        await keys.forSession('acme', 'ada', 's2'),
      ];
      for (const session of ['s1', 's2']) await keys.replace('acme', 'ada', session);
      expect(await keys.destroy('acme', 'ada', 's1')).toHaveLength(2);
      expect(await keys.byId(first.keyId)).toBeUndefined();
      const anew = await keys.forSession('acme', 'ada', 's1');
      // A turn that is sent again is another one.
      expect(bytes(anew.identity)).not.toBe(bytes(first.identity));
      await keys.destroy('acme', 'ada');
      expect(await keys.byId(second.keyId)).toBeUndefined();
      expect(await keys.replace('acme', 'ada', 's2')).toEqual([]);
      await keys.sweep(NEVER);
      expect(await opened.stored()).toBe(before);
    });

    it('destroys with the key of a partition what was made under it since it was named', async () => {
      const { keys, other } = opened;
      await keys.forSession('acme', 'ada', 's1');
      const named = await keys.idsOf('acme', 'ada');
      const unnamed = await keys.forSession('acme', 'ada', 's2');
      await keys.destroyKeys(named);
      expect(await keys.byId(unnamed.keyId)).toBeUndefined();
      const anew = await other.forSession('acme', 'ada', 's2');
      expect(anew.keyId).not.toBe(unnamed.keyId);
      expect(bytes((await keys.byId(anew.keyId))!)).toBe(bytes(anew.sealing));
      expect(await keys.byId(unnamed.keyId)).toBeUndefined();
    });

    it('never leaves a scope without keys that work, however makers and destroyers meet', async () => {
      const { keys, other } = opened;
      const rounds = Array.from({ length: 30 }, (_, n) => n);
      await Promise.all(
        rounds.flatMap(n => [
          keys.forSession('acme', 'ada', `s${n % 3}`),
          other.forSession('acme', 'ada', `s${n % 3}`).catch(() => undefined),
          n % 5 === 0 ? other.destroy('acme', 'ada') : undefined,
        ]),
      ).catch(() => undefined);
      for (const session of ['s0', 's1', 's2']) {
        const made = await keys.forSession('acme', 'ada', session);
        expect(bytes((await other.byId(made.keyId))!)).toBe(bytes(made.sealing));
      }
    });

    it('destroys a partition for good and nobody else', async () => {
      const { keys } = opened;
      const gone = [await keys.forSession('acme', 'ada', 's1'), await keys.forSession('acme', 'ada', 's2')];
      const left = await keys.forSession('acme', 'grace', 's1');
      await keys.destroy('acme', 'ada');
      for (const { keyId } of gone) expect(await keys.byId(keyId)).toBeUndefined();
      expect(await keys.byId(left.keyId)).toBeDefined();
      const anew = await keys.forSession('acme', 'ada', 's1');
      expect(bytes(anew.identity)).not.toBe(bytes(gone[0]!.identity));
    });

    it('has the same keys after it was opened again', async () => {
      const made = await opened.keys.forSession('acme', 'ada', 's1');
      const destroyed = await opened.keys.forSession('acme', 'ada', 's2');
      await opened.keys.destroy('acme', 'ada', 's2');
      opened = await opened.reopen();
      expect(await opened.keys.byId(destroyed.keyId)).toBeUndefined();
      expect(shown(await opened.keys.forSession('acme', 'ada', 's1'))).toEqual(shown(made));
    });
  });
};
