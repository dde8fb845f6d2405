import type { KeyObject } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { KeyStore, SessionKey } from '../../services/core/ports.ts';
import { until } from '../support/wait.ts';

export interface OpenKeys {
  keys: KeyStore;
  /** A second store over the same data, as another thread or process has it. */
  other: KeyStore;
  /** Closes, and opens the same data again. */
  reopen(): Promise<OpenKeys>;
  close(): Promise<void>;
}

const bytes = (key: KeyObject): string => key.export().toString('hex');
const shown = ({ keyId, sealing, identity }: SessionKey) => ({
  keyId,
  sealing: bytes(sealing),
  identity: bytes(identity),
});

/** What every key store does. */
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
      // What is sent again is another turn.
      expect(bytes(anew.identity)).not.toBe(bytes(gone.identity));
    });

    it('destroys keys by their ids, also in the caches of others', async () => {
      const { keys, other } = opened;
      const gone = await keys.forSession('acme', 'ada', 's1');
      const left = await keys.forSession('acme', 'ada', 's2');
      expect(await other.idsOf('acme', 'ada', 's1')).toEqual([gone.keyId]);
      const all = await other.idsOf('acme', 'ada');
      expect(all).toEqual(expect.arrayContaining([gone.keyId, left.keyId]));
      expect(all).toHaveLength(3);
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
