import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { EXIT, type ExitStatus } from '../client/exit.ts';
import { print, type Terminal } from '../client/terminal.ts';

/** `turnstone init-secrets DIRECTORY`: writes the two files that cluster mode shares; keeps existing ones. */
export const initSecrets = async (terminal: Terminal, directory: string): Promise<ExitStatus> => {
  const folder = resolve(directory);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const { makeInstallationKey } = await import('../../../infra/secrets/files.ts');
  const { loadSigningKeys } = await import('../../../infra/secrets/signing-keys.ts');
  const installationKey = join(folder, 'installation-key');
  makeInstallationKey(installationKey);
  await loadSigningKeys({ dataDir: folder });
  print(terminal, `TURNSTONE_INSTALLATION_KEY=${installationKey}`);
  print(terminal, `TURNSTONE_SIGNING_KEYS=${join(folder, 'signing-keys.json')}`);
  return EXIT.ok;
};
