import { resolve } from 'node:path';
import { EXIT, type ExitStatus } from '../../client/exit.ts';
import { print, type Terminal } from '../../client/terminal.ts';

/** `turnstone init-secrets DIRECTORY`: writes the two files that cluster mode shares; keeps existing ones. */
export const initSecrets = async (terminal: Terminal, directory: string): Promise<ExitStatus> => {
  const { installationKey, signingKeys } = await terminal.composition.makeSecrets(resolve(directory));
  print(terminal, `TURNSTONE_INSTALLATION_KEY=${installationKey}`);
  print(terminal, `TURNSTONE_SIGNING_KEYS=${signingKeys}`);
  return EXIT.ok;
};
