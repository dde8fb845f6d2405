import { accessSync, constants, existsSync, type Stats, statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../../../schemas/config.ts';
import { grouped, type Terminal } from '../../client/terminal.ts';
import { makeChecks, type Report } from './check.ts';

const MIB = 1024 * 1024;
/** A small disk keeps this share of itself free instead of the reserve. */
const MOST_SHARE = 0.1;
/** Above the reserve by less than this times, somebody should look. */
const TIGHT = 2;

/** Files that nobody but their owner may read. */
const SECRETS = ['installation-key', 'signing-keys.json', 'api-key', 'keys.db', 'log.db'];

const isOpenToOthers = ({ mode }: Stats): boolean => (mode & 0o077) !== 0;

const checkDisk = ({ dataDir, diskReserveMb }: Config, report: Report): void => {
  const { ok, warn, fail } = makeChecks(report, 'disk');
  const { bavail, blocks, bsize } = statfsSync(dataDir);
  const free = bavail * bsize;
  const reserve = Math.min(diskReserveMb * MIB, blocks * bsize * MOST_SHARE);
  const left = `${grouped(Math.floor(free / MIB))} MiB free, of which ${grouped(Math.floor(reserve / MIB))} are the reserve`;
  if (free < reserve) fail(left, 'free some: new turns are refused with 503');
  else if (free < TIGHT * reserve) warn(left, 'free some before new turns are refused');
  else ok(left);
};

const checkAccess = (dataDir: string, report: Report): boolean => {
  const { ok, warn, fail } = makeChecks(report, 'permissions');
  const folder = statSync(dataDir);
  try {
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch {
    fail(
      `${dataDir} can not be read and written by this user`,
      `run this as the user with the id ${folder.uid}`,
    );
    return false;
  }
  const open = [dataDir, ...SECRETS.map(name => join(dataDir, name)).filter(existsSync)].filter(path =>
    isOpenToOthers(statSync(path)),
  );
  const foreign = folder.uid === process.getuid?.() ? [] : [folder.uid];
  for (const path of open) warn(`others can read ${path}`, `chmod go-rwx ${path}`);
  for (const uid of foreign)
    warn(`the folder belongs to the user with the id ${uid}`, 'run the server and its commands as that user');
  if (open.length + foreign.length === 0) ok('folder and secrets are of this user alone');
  return true;
};

/**
 * Checks the data folder of the mode `embedded` from outside; nothing in it is opened for writing.
 * `isServed`: whether its server answers on its socket.
 */
export const checkFolder = async (
  { composition }: Terminal,
  config: Config,
  isServed: boolean,
  report: Report,
): Promise<void> => {
  const { ok, warn, fail } = makeChecks(report, 'data folder');
  const { dataDir } = config;
  if (!existsSync(dataDir)) {
    warn(`there is none at ${dataDir}`, 'set TURNSTONE_DATA_DIR, if the server has another one');
    return;
  }
  if (!checkAccess(dataDir, report)) return;
  checkDisk(config, report);
  const { fault, isInUse } = await composition.inspectFolder(dataDir);
  if (fault !== undefined) fail(fault, 'start the release that wrote it, or restore a backup');
  else if (existsSync(join(dataDir, 'keys.db')) && !existsSync(join(dataDir, 'installation-key')))
    fail('installation-key is missing', 'put it back: without it nothing in the log can be read');
  else if (isServed) ok('a server runs on it, and answers on its socket');
  else if (isInUse)
    fail(
      `${dataDir}: a process holds it and does not answer on its socket`,
      'wait if it has just been started; otherwise end it, and start the server again',
    );
  else warn(`${dataDir}: no server runs on it`, 'turnstone serve starts one (in a clone: npm start)');
};
