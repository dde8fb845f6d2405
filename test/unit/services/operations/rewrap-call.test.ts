import { createSecretKey } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type InstallationKeys, kidOf } from '../../../../core/log/keys/installation-keys.ts';
import { followInstallationKeys } from '../../../../infra/secrets/installation-keys.ts';
import { makeRewrapCall } from '../../../../services/operations/rewrap-call.ts';
import { installationOf } from '../../../support/files/installation-keys.ts';
import { temporaryFolder } from '../../../support/processes/server.ts';

const [OLD, FRESH] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];

/** Returns what a server with these keys answers to a command whose file begins with the fresh one. */
const answer = async (installation: InstallationKeys): Promise<object[]> => {
  const call = makeRewrapCall(installation, {
    rewrap: async function* () {
      yield { kind: 'done', checked: 7, rewrapped: 0 };
    },
  });
  const args = { first: kidOf(FRESH), dryRun: true };
  return Array.fromAsync(call(args, new AbortController().signal));
};

describe('the call rewrapKeys', () => {
  it('answers when the server has the same first key', async () => {
    expect(await answer(installationOf(FRESH, OLD))).toEqual([{ kind: 'done', checked: 7, rewrapped: 0 }]);
  });

  it('is refused by a server that has another first key: it would find nothing to do', async () => {
    const outcome = answer(installationOf(OLD, FRESH));
    await expect(outcome).rejects.toMatchObject({ code: 'conflict' });
    await expect(outcome).rejects.toThrow(kidOf(OLD));
  });

  it('is refused by a server that can no longer read the file, which it reads for each call', async () => {
    const file = join(temporaryFolder(), 'installation-key');
    const write = (...keys: Buffer[]) =>
      writeFileSync(file, keys.map(key => `${key.toString('base64')}\n`).join(''));
    write(OLD, FRESH);
    const installation = followInstallationKeys(file);
    write(FRESH, OLD);
    expect(await answer(installation)).toHaveLength(1);
    rmSync(file);
    await expect(answer(installation)).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('ENOENT'),
    });
    // Its own work goes on.
    expect(installation.read(true)[0]).toEqual(createSecretKey(FRESH));
  });
});
