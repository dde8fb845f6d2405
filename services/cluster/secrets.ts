import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { installationKeysOf, makeInstallationKey } from '../../infra/secrets/files.ts';
import {
  type RotatingInstallationKeys,
  rotatingInstallationKeys,
} from '../../infra/secrets/rotate-installation-keys.ts';
import { type RotatingKeys, rotatingKeys } from '../../infra/secrets/rotate-signing-keys.ts';
import { loadSigningKeys, signingKeysFile } from '../../infra/secrets/signing-keys.ts';
import type { Config } from '../../schemas/config.ts';

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

/** The file of the installation's keys, in both modes, for an operator who rotates them. */
export const installationKeyFile = ({ dataDir, cluster }: Config): RotatingInstallationKeys =>
  rotatingInstallationKeys(cluster?.installationKey ?? installationKeysOf(dataDir), Date.now);

/** The file of the signing keys, in both modes, for an operator who rotates them. */
export const signingKeyFile = (location: { dataDir: string; file?: string | undefined }): RotatingKeys =>
  rotatingKeys(signingKeysFile(location), Date.now);
