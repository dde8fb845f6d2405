import { createSecretKey } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { followInstallationKeys } from '../../../../infra/secrets/installation-keys.ts';
import { temporaryFolder } from '../../../support/processes/server.ts';

const [OLD, FRESH] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];

it('a file that can no longer be read is reported once, and the keys stay as they were', () => {
  const file = join(temporaryFolder(), 'installation-key');
  const write = (key: Buffer): void => writeFileSync(file, key.toString('base64'));
  write(OLD);
  const faults: unknown[] = [];
  const followed = followInstallationKeys(file, error => faults.push(error));
  rmSync(file);
  for (let n = 0; n < 3; n++) expect(followed.read(true)[0]).toEqual(createSecretKey(OLD));
  expect(faults).toHaveLength(1);
  expect(followed.reread).toThrow('ENOENT');
  write(FRESH);
  expect(followed.read(true)[0]).toEqual(createSecretKey(FRESH));
  rmSync(file);
  followed.read(true);
  expect(faults).toHaveLength(2);
});
