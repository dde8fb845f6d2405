import type { SigningKeyFile } from '../../client/composition.ts';
import { loadedConfig } from '../../client/connection.ts';
import { EXIT, type ExitStatus } from '../../client/exit.ts';
import { print, printJson, type Terminal } from '../../client/terminal.ts';
import { table } from '../table.ts';
import { onKeyFile } from './key-file.ts';

/** Runs one step on the file of this environment's signing keys. */
const onFile = <T>(terminal: Terminal, act: (keys: SigningKeyFile) => Promise<T>): Promise<T> =>
  onKeyFile('the file of the signing keys', async () => {
    const { dataDir, signingKeys } = loadedConfig(terminal);
    return act(await terminal.composition.signingKeys({ dataDir, file: signingKeys }));
  });

/** `turnstone signing-keys list`: in the order of the file; the first one signs. */
export const listSigningKeys = (terminal: Terminal, options: { json?: boolean }): Promise<ExitStatus> =>
  onFile(terminal, async keys => {
    const listed = await keys.list();
    if (options.json) printJson(terminal, listed, 2);
    else {
      const rows = listed.map(key => [key.kid, key.state, key.added_at ?? '–', key.signed_until ?? '–']);
      for (const line of table(['KID', 'STATE', 'ADDED', 'SIGNED UNTIL'], rows)) print(terminal, line);
    }
    return EXIT.ok;
  });

/** `turnstone signing-keys add`: the new key is published, and signs nothing yet. */
export const addSigningKey = (terminal: Terminal): Promise<ExitStatus> =>
  onFile(terminal, async keys => {
    print(terminal, await keys.add());
    return EXIT.ok;
  });

/** `turnstone signing-keys use KID`: signs from now on; the one that signed verifies. */
export const useSigningKey = (terminal: Terminal, kid: string, force: boolean): Promise<ExitStatus> =>
  onFile(terminal, async keys => {
    await keys.use(kid, force);
    print(terminal, `${kid} signs`);
    return EXIT.ok;
  });

/**
 * `turnstone signing-keys retire KID`: prints the public half, which verifies the receipts and statements
 * that the key signed.
 */
export const retireSigningKey = (terminal: Terminal, kid: string, force: boolean): Promise<ExitStatus> =>
  onFile(terminal, async keys => {
    printJson(terminal, await keys.retire(kid, force));
    return EXIT.ok;
  });
