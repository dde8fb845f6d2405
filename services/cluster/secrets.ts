import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { makeInstallationKey } from '../../infra/secrets/files.ts';
import { loadSigningKeys } from '../../infra/secrets/signing-keys.ts';

/** Makes the two files that every process of a cluster shares. Existing files are kept. */
export const makeSecrets = async (
  directory: string,
): Promise<{ installationKey: string; signingKeys: string }> => {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const installationKey = join(directory, 'installation-key');
  makeInstallationKey(installationKey);
  await loadSigningKeys({ dataDir: directory });
  return { installationKey, signingKeys: join(directory, 'signing-keys.json') };
};
