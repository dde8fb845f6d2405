import { resolve } from 'node:path';
import { EXIT, type ExitStatus } from '../client/exit.ts';
import { print, type Terminal } from '../client/terminal.ts';

/** `turnstone init-secrets DIRECTORY`: the two files that the mode `cluster` shares; what is there stays as it is. */
export const initSecrets = async (terminal: Terminal, directory: string): Promise<ExitStatus> => {
  const { installationKey, signingKeys } = await terminal.composition.makeSecrets(resolve(directory));
  print(terminal, `TURNSTONE_INSTALLATION_KEY=${installationKey}`);
  print(terminal, `TURNSTONE_SIGNING_KEYS=${signingKeys}`);
  return EXIT.ok;
};
