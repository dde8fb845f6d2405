import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { FORMAT } from '../../core/format.ts';
import { runCommand } from '../support/processes/command-line.ts';
import { startServer, temporaryFolder } from '../support/processes/server.ts';

/** The unit tests of data-folder.ts have the other forms. */
it('a server and its commands refuse a folder of before in one sentence, and leave it as it was', async () => {
  const dataDir = temporaryFolder();
  const log = new DatabaseSync(join(dataDir, 'log.db'));
  log.exec('CREATE TABLE "turns/0" (offset INTEGER PRIMARY KEY, value BLOB NOT NULL, headers TEXT)');
  log.close();
  const refusal = `The data in ${dataDir} was written by a development version before 0.1.0 (no format number; this version reads format ${FORMAT}). Start with an empty folder.`;
  await expect(startServer({ dataDir })).rejects.toThrow(refusal);
  const verified = await runCommand(['verify'], { TURNSTONE_DATA_DIR: dataDir });
  expect(verified.status).not.toBe(0);
  expect(verified.stderr).toContain(refusal);
  expect(readdirSync(dataDir)).toEqual(['log.db']);
});
