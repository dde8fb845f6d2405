/** The client as it would be published: packed, and installed in an empty folder. */
import { cpSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { spawnProgram } from '../support/processes/command-line.ts';
import { ROOT, temporaryFolder } from '../support/processes/server.ts';

const CLIENT = join(ROOT, 'clients/typescript');
export const PATH = [dirname(process.execPath), join(ROOT, 'node_modules/.bin'), process.env.PATH].join(
  delimiter,
);

export const npm = async (args: string[], cwd: string): Promise<void> => {
  const { status, stderr } = await spawnProgram('npm', args, { cwd, within: 180_000, environment: { PATH } });
  if (status !== 0) throw new Error(`npm ${args[0]} ended with ${status}\n${stderr}`);
};

export interface InstalledClient {
  /** Where it is a dependency. */
  folder: string;
  /** Its own. */
  installed: string;
}

export const installClient = async (): Promise<InstalledClient> => {
  const folder = temporaryFolder();
  // `npm pack` builds it first: in a copy, while others read what was built here.
  const copy = join(folder, 'copy');
  cpSync(CLIENT, copy, { recursive: true, filter: name => !/\/(dist|node_modules)$/.test(name) });
  await npm(['pack', '--pack-destination', folder], copy);
  rmSync(copy, { recursive: true });
  const tarball = readdirSync(folder).find(name => name.endsWith('.tgz'))!;
  writeFileSync(join(folder, 'package.json'), '{ "type": "module", "private": true }');
  await npm(['install', `./${tarball}`, '--offline', '--no-audit', '--no-fund'], folder);
  return { folder, installed: join(folder, 'node_modules/@turnstone/client') };
};
