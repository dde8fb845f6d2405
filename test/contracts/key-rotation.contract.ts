import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { InstallationKeys, RewrapProgress } from '../../core/log/keys/installation-keys.ts';
import type { KeyStore } from '../../core/ports.ts';
import { installationOf } from '../support/files/installation-keys.ts';

/** Stores over the same data, each as a process has it that knows these keys of the installation. */
export interface RotationBench {
  open(installation: InstallationKeys): Promise<KeyStore>;
  /** Whatever isn't the durable truth is lost. */
  forget(): Promise<void>;
  close(): Promise<void>;
}

const [OLD, FRESH] = [randomBytes(32), randomBytes(32)];
/** More than are wrapped in one step, in either mode. */
const USERS = 450;

const sealingOf = async (keys: KeyStore, user: number): Promise<string> =>
  (await keys.forSession('acme', `user-${user}`, 's1')).sealing.export().toString('hex');

const idOf = async (keys: KeyStore, user: number): Promise<string> =>
  (await keys.forSession('acme', `user-${user}`, 's1')).keyId;

const count = async (keys: KeyStore, dryRun: boolean): Promise<RewrapProgress> => {
  let last: RewrapProgress | undefined;
  for await (const each of keys.rewrap({ dryRun }, new AbortController().signal)) last = each;
  return last!;
};

/** The contract of every key store when the key of the installation is rotated. */
export const describeRotation = (name: string, openBench: () => Promise<RotationBench>): void => {
  describe(`rotation of the installation key: ${name}`, () => {
    it('goes on after an interruption, while keys are made, used and destroyed; then the old key is not needed', async () => {
      const bench = await openBench();
      const before = await bench.open(installationOf(OLD));
      const users = Array.from({ length: USERS }, (_, user) => user);
      const made = await Promise.all(users.map(user => sealingOf(before, user)));
      const gone = await idOf(before, 3);

      // Everybody knows the new key; some still wrap by the old one.
      const laggard = await bench.open(installationOf(OLD, FRESH));
      const keys = await bench.open(installationOf(FRESH, OLD));
      expect(await count(keys, true)).toMatchObject({ kind: 'done', rewrapped: USERS });
      const interrupted = new AbortController();
      for await (const { kind } of keys.rewrap({ dryRun: false }, interrupted.signal)) {
        expect(kind).toBe('progress');
        interrupted.abort();
      }
      const left = (await count(keys, true)).rewrapped;
      expect(left).toBeGreaterThan(0);
      expect(left).toBeLessThan(USERS);

      const serving = (async () => {
        for (let user = USERS; user < USERS + 20; user++) made.push(await sealingOf(laggard, user));
        await laggard.destroy('acme', 'user-3');
        for (const user of [0, 100, 449]) expect(await sealingOf(laggard, user)).toBe(made[user]);
      })();
      await count(keys, false);
      await serving;
      // Another pass takes what the old key wrapped behind the first one.
      await count(keys, false);
      expect(await count(keys, true)).toEqual({ kind: 'done', checked: USERS + 19, rewrapped: 0 });

      await bench.forget();
      const after = await bench.open(installationOf(FRESH));
      expect(await after.byId(gone)).toBeUndefined();
      for (let user = 0; user < USERS + 20; user++)
        if (user !== 3) expect(await sealingOf(after, user)).toBe(made[user]);
      const former = await bench.open(installationOf(OLD));
      await expect(sealingOf(former, 1)).rejects.toThrow('none of the keys');
      await bench.close();
    });
  });
};
