import { setTimeout as pause } from 'node:timers/promises';
import { ServiceError } from '../../../../core/errors.ts';
import type { InstallationKeyFile } from '../../client/composition.ts';
import { loadedConfig } from '../../client/connection.ts';
import { EXIT, type ExitStatus } from '../../client/exit.ts';
import { grouped, print, printJson, type Terminal, warn } from '../../client/terminal.ts';
import { table } from '../table.ts';
import { onKeyFile } from './key-file.ts';
import { withInterruptible } from './operator.ts';

/**
 * Longer than a server takes to wrap by the file's first key: what it wraps meanwhile is wrapped anew, too.
 */
const FOLLOWED_MS = 3_000;

/** Runs one step on the file of this environment's installation keys. */
const onFile = <T>(terminal: Terminal, act: (keys: InstallationKeyFile) => T | Promise<T>): Promise<T> =>
  onKeyFile('the file of the installation keys', async () =>
    act(await terminal.composition.installationKeys(loadedConfig(terminal))),
  );

/**
 * Wraps by the first key, which has this kid: a server that has another one refuses. Resolves with the number
 * of users whose keys were wrapped anew, or would be; undefined when it was stopped.
 */
const rewrap = async (
  terminal: Terminal,
  args: { first: string; dryRun: boolean },
): Promise<number | undefined> => {
  const last = await withInterruptible(terminal, async (call, signal) => {
    const steps = await Array.fromAsync(call('rewrapKeys', args, signal)).catch(error => {
      if (!signal.aborted) throw error;
      return [];
    });
    return steps.at(-1);
  });
  return last?.kind === 'done' ? last.rewrapped : undefined;
};

/** `turnstone installation-keys list`: in the order of the file; the first one wraps. */
export const listInstallationKeys = (terminal: Terminal, options: { json?: boolean }): Promise<ExitStatus> =>
  onFile(terminal, keys => {
    const listed = keys.list();
    if (options.json) printJson(terminal, listed, 2);
    else
      for (const line of table(
        ['KID', 'STATE'],
        listed.map(({ kid, state }) => [kid, state]),
      ))
        print(terminal, line);
    return EXIT.ok;
  });

/** `turnstone installation-keys add`: the new key wraps nothing yet. */
export const addInstallationKey = (terminal: Terminal): Promise<ExitStatus> =>
  onFile(terminal, keys => {
    print(terminal, keys.add());
    return EXIT.ok;
  });

/** `turnstone installation-keys use KID`: wraps by it from now on, and anew what another one has wrapped. */
export const useInstallationKey = (terminal: Terminal, kid: string): Promise<ExitStatus> =>
  onFile(terminal, async keys => {
    if (keys.use(kid)) await pause(FOLLOWED_MS);
    const users = await rewrap(terminal, { first: kid, dryRun: false });
    if (users === undefined) {
      warn(terminal, `stopped; \`turnstone installation-keys use ${kid}\` resumes it`);
      return EXIT.failure;
    }
    print(terminal, `${kid} wraps; the keys of ${grouped(users)} users were wrapped anew`);
    return EXIT.ok;
  });

/** `turnstone installation-keys retire KID`: refused while it wraps anybody's key. */
export const retireInstallationKey = (terminal: Terminal, kid: string, force: boolean): Promise<ExitStatus> =>
  onFile(terminal, async keys => {
    keys.assertUnused(kid, force);
    const first = keys.list()[0]!.kid;
    const users = await rewrap(terminal, { first, dryRun: true });
    if (users === undefined) return EXIT.failure;
    if (users > 0)
      throw new ServiceError(
        'conflict',
        `Another key than ${first} wraps the keys of ${grouped(users)} users: run \`turnstone installation-keys use ${first}\` first.`,
      );
    print(terminal, `moved to ${keys.retire(kid, force)}: keep it as long as backups from before`);
    return EXIT.ok;
  });
