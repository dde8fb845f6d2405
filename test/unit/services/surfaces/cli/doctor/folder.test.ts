import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { openDataFolder } from '../../../../../../infra/embedded/data-folder.ts';
import { mountSmallDisk } from '../../../../../support/files/small-disk.ts';
import { runCommand } from '../../../../../support/processes/command-line.ts';
import { temporaryFolder } from '../../../../../support/processes/server.ts';

/** The lines of a doctor that reaches no server, but the folder of one. */
const lines = async (dataDir: string): Promise<string[]> => {
  const { stdout } = await runCommand(['doctor'], {
    TURNSTONE_URL: 'http://127.0.0.1:9',
    TURNSTONE_DATA_DIR: dataDir,
  });
  return stdout.split('\n').map(one => one.replace(/ {2,}/g, ' '));
};

const folder = (): string => {
  const path = join(temporaryFolder(), 'data');
  mkdirSync(path, { mode: 0o700 });
  return path;
};

it('a folder that is missing is to be looked at', async () => {
  const path = join(temporaryFolder(), 'none');
  expect(await lines(path)).toContain(
    `warn data folder there is none at ${path}: set TURNSTONE_DATA_DIR, if the server has another one`,
  );
});

it('a folder without a server has its disk, its permissions and its format looked at', async () => {
  const path = folder();
  const said = await lines(path);
  expect(said).toContain('ok permissions folder and secrets are of this user alone');
  expect(said).toContainEqual(
    expect.stringMatching(/^(ok|warn) disk [\d,]+ MiB free, of which [\d,]+ are the reserve/),
  );
  expect(said).toContainEqual(expect.stringMatching(/^warn data folder .*: no server runs on it/));
});

it.each(['', 'installation-key'])('what others can read is to be looked at: the folder/%s', async name => {
  const path = folder();
  if (name) writeFileSync(join(path, name), 'secret', { mode: 0o600 });
  chmodSync(join(path, name), 0o755);
  const file = name ? join(path, name) : path;
  expect(await lines(path)).toContain(`warn permissions others can read ${file}: chmod go-rwx ${file}`);
});

it('a folder of another format fails', async () => {
  const path = folder();
  const database = new DatabaseSync(join(path, 'log.db'));
  database.exec('PRAGMA user_version = 99; CREATE TABLE t (a)');
  database.close();
  chmodSync(join(path, 'log.db'), 0o600);
  expect(await lines(path)).toContainEqual(
    expect.stringMatching(/^fail data folder The data in .* was written by a newer version \(format 99/),
  );
});

it('keys without the key that wraps them fail', async () => {
  const path = folder();
  writeFileSync(join(path, 'keys.db'), '', { mode: 0o600 });
  expect(await lines(path)).toContainEqual(
    expect.stringMatching(/^fail data folder installation-key is missing: put it back/),
  );
});

it('a folder that a process holds and nobody answers for fails', async () => {
  const path = folder();
  const { release } = openDataFolder(path);
  try {
    expect(await lines(path)).toContainEqual(
      expect.stringMatching(/^fail data folder .*: a process holds it and does not answer on its socket/),
    );
  } finally {
    release();
  }
  expect(await lines(path)).toContainEqual(
    expect.stringMatching(/^warn data folder .*: no server runs on it/),
  );
});

it('a disk below its reserve fails', async context => {
  const disk = mountSmallDisk(8);
  if (!disk) return context.skip('mounting a disk is not allowed here');
  try {
    writeFileSync(join(disk.folder, 'filler'), Buffer.alloc(disk.free() - 256 * 1024));
    expect(await lines(disk.folder)).toContainEqual(
      expect.stringMatching(
        /^fail disk 0 MiB free, of which 0 are the reserve: free some: new turns are refused/,
      ),
    );
  } finally {
    disk.unmount();
  }
});
