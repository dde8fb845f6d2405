import { resolve } from 'node:path';
import { ServiceError } from '../../../../core/errors.ts';
import type { Config } from '../../../../schemas/config.ts';
import { loadedConfig } from '../../client/connection.ts';
import { EXIT, type ExitStatus, failure } from '../../client/exit.ts';
import { grouped, note, print, type Terminal } from '../../client/terminal.ts';
import { version } from '../../client/version.ts';
import { repeatRemovals } from '../transfer/removals.ts';
import { replay } from './replay.ts';

/** The data folder's config. A cluster's log is copied by Kafka's own means. */
const folderConfig = (terminal: Terminal): Config => {
  const config = loadedConfig(terminal);
  if (config.cluster)
    throw failure(
      EXIT.config,
      'this is for data folders; a cluster is backed up by its engines: docs/operate/backup.md',
    );
  return config;
};

const forPeople = (error: unknown): never => {
  if (error instanceof ServiceError) throw failure(EXIT.failure, error.message, error);
  const { code } = error as NodeJS.ErrnoException;
  throw code === undefined ? error : failure(EXIT.failure, (error as Error).message, error);
};

const megabytes = (files: readonly { bytes: number }[]): string =>
  `${grouped(Math.ceil(files.reduce((sum, { bytes }) => sum + bytes, 0) / 1e6))} MB`;

/** `turnstone backup FOLDER`: copies the data folder, while a service runs on it or not. */
export const backup = async (
  terminal: Terminal,
  folder: string,
  { installationKey: withKey }: { installationKey: boolean },
): Promise<ExitStatus> => {
  const { dataDir } = folderConfig(terminal);
  const options = { withKey, version: version() };
  const { files } = await terminal.composition.backUp(dataDir, resolve(folder), options).catch(forPeople);
  print(terminal, `${dataDir} is copied to ${folder}: ${files.length} files, ${megabytes(files)}.`);
  note(
    terminal,
    withKey
      ? "It has the installation's key: who has the copy can read it. --no-installation-key leaves the key out."
      : `It can't be read without ${dataDir}/installation-key: keep that elsewhere.`,
  );
  return EXIT.ok;
};

export interface RestoreOptions {
  installationKey?: string;
  removals?: string;
  verify?: boolean;
}

/** `turnstone restore FOLDER`: puts a backup in place of an empty data folder. */
export const restore = async (
  terminal: Terminal,
  folder: string,
  { installationKey, removals, verify = false }: RestoreOptions,
): Promise<ExitStatus> => {
  const { dataDir } = folderConfig(terminal);
  const key = installationKey === undefined ? undefined : resolve(installationKey);
  const { made_at } = await terminal.composition.restore(resolve(folder), dataDir, key).catch(forPeople);
  print(terminal, `${dataDir} is as of ${made_at}: all files are as they were copied.`);
  if (removals !== undefined) {
    const status = await repeatRemovals(terminal, removals, {});
    if (status !== EXIT.ok) return status;
  } else {
    note(
      terminal,
      `What was erased, hidden or revoked since is back: before the service starts, repeat it with turnstone removals repeat.`,
    );
  }
  // Everything that answers is built from the log anew, and compared with it.
  return verify ? replay(terminal, 'all', {}) : EXIT.ok;
};
