import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { availableParallelism, release, totalmem } from 'node:os';
import { join } from 'node:path';
import { describeConfig, readConfig, unknownVariables } from '../../../../core/config.ts';
import type { Config } from '../../../../schemas/config.ts';
import { serviceUrl } from '../../client/connection.ts';
import { EXIT, type ExitStatus, failure } from '../../client/exit.ts';
import { note, print, type Terminal } from '../../client/terminal.ts';
import { version } from '../../client/version.ts';
import type { Check } from './check.ts';
import { examine } from './doctor.ts';
import { metricsOf } from './server.ts';

const MIB = 1024 * 1024;

const machine = () => ({
  turnstone: version(),
  node: process.version,
  system: `${process.platform} ${release()} ${process.arch}`,
  cores: availableParallelism(),
  memory_mib: Math.round(totalmem() / MIB),
});

/** The variables that are set, without secrets, and their faults: that may be what is looked for. */
const settingsOf = ({ environment }: Terminal) => {
  const read = readConfig(environment);
  return {
    faults: read.ok ? [] : read.faults,
    set: read.ok
      ? Object.fromEntries(
          describeConfig(environment)
            .filter(({ isDefault }) => !isDefault)
            .map(({ name, text }) => [name, text]),
        )
      : {},
    unknown: unknownVariables(environment),
  };
};

/** The files of a folder by their paths; nothing of what is in them. */
const filesIn = (folder: string, within = ''): Record<string, number> =>
  Object.assign(
    {},
    ...readdirSync(join(folder, within), { withFileTypes: true }).map(entry => {
      const path = join(within, entry.name);
      if (entry.isDirectory()) return filesIn(folder, path);
      // One that a running service has just removed is none.
      const bytes = statSync(join(folder, path), { throwIfNoEntry: false })?.size;
      return bytes === undefined ? {} : { [path]: bytes };
    }),
  );

const folderOf = (config: Config | undefined): Record<string, number> | string | undefined => {
  if (!config || config.cluster) return undefined;
  try {
    return filesIn(config.dataDir);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? 'unreadable';
  }
};

const metricsBeside = async (
  terminal: Terminal,
  config: Config | undefined,
): Promise<string[] | undefined> => {
  if (!config) return undefined;
  let url: string;
  try {
    url = serviceUrl(terminal);
  } catch {
    // The checks have said why there is none.
    return undefined;
  }
  const text = await metricsOf(url, config);
  return text?.split('\n').filter(line => line !== '' && !line.startsWith('#'));
};

const checksOf = async (terminal: Terminal): Promise<Check[]> => {
  const checks: Check[] = [];
  await examine(terminal, false, check => checks.push(check));
  return checks;
};

/** Writes a file that only its owner may read; never over another one. */
const writeNew = (file: string, text: string): void => {
  try {
    writeFileSync(file, text, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw failure(EXIT.failure, code === 'EEXIST' ? `${file} exists; name a new file` : message, error);
  }
};

/** `turnstone support-bundle FILE`: one JSON document for somebody who helps; no words, no secrets. */
export const supportBundle = async (terminal: Terminal, file: string): Promise<ExitStatus> => {
  const read = readConfig(terminal.environment);
  const config = read.ok ? read.config : undefined;
  const bundle = {
    made_at: new Date().toISOString(),
    machine: machine(),
    settings: settingsOf(terminal),
    checks: await checksOf(terminal),
    files: folderOf(config),
    metrics: await metricsBeside(terminal, config),
  };
  writeNew(file, `${JSON.stringify(bundle, undefined, 2)}\n`);
  const failed = bundle.checks.filter(({ status }) => status === 'fail').length;
  print(terminal, `${file} has ${bundle.checks.length} checks, ${failed} of them failed.`);
  note(terminal, 'It has hosts, paths and the id of the organization: read it before you send it.');
  return EXIT.ok;
};
