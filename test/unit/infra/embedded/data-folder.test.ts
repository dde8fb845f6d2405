import { cpSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { FORMAT } from '../../../../core/format.ts';
import { openDataFolder } from '../../../../infra/embedded/data-folder.ts';
import { createKeyDatabase } from '../../../../infra/embedded/keys/key-database.ts';
import { createLogDatabase } from '../../../../infra/embedded/log/log-database.ts';
import { temporaryFolder } from '../../../support/processes/server.ts';

/** Everything that a start could have changed. */
const contentOf = (folder: string) =>
  readdirSync(folder)
    .sort()
    .map(name => [name, readFileSync(join(folder, name), 'hex'), statSync(join(folder, name)).mtimeMs]);

/** A file as former versions made it, in a folder that a SIGKILL left. */
const leftOver = (name: string, format: number): string => {
  const [made, left] = [temporaryFolder(), temporaryFolder()];
  const database = new DatabaseSync(join(made, name));
  if (format > 0) database.exec(`PRAGMA user_version = ${format}`);
  database.exec(`PRAGMA journal_mode = WAL; CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL);
    INSERT INTO meta VALUES ('format', '1')`);
  cpSync(made, left, { recursive: true });
  database.close();
  expect(existsSync(join(left, `${name}-wal`))).toBe(true);
  return left;
};

const refusal = (folder: string, by: string): string =>
  `The data in ${folder} was written by ${by}; this version reads format ${FORMAT}). Start with an empty folder.`;
const BEFORE = 'a development version before 0.1.0';

describe('a data folder', () => {
  /** Switched off by hand: data-folder.ts doesn't call `assertFormat` → nothing was thrown. */
  it.each([
    ['a log without a format', 'log.db', 0, `${BEFORE} (no format number`],
    ['a log of an older format', 'log.db', FORMAT - 1, `${BEFORE} (format ${FORMAT - 1}`],
    ['a log of a newer format', 'log.db', FORMAT + 1, `a newer version (format ${FORMAT + 1}`],
    ['keys without a format', 'keys.db', 0, `${BEFORE} (no format number`],
  ])('with %s is refused in one sentence, and stays as it is', (_, name, format, by) => {
    const folder = leftOver(name, format);
    const before = contentOf(folder);
    expect(() => openDataFolder(folder)).toThrow(refusal(folder, by));
    expect(contentOf(folder)).toEqual(before);
  });

  it('is refused by its keys alone, where the log is of this format', () => {
    const folder = leftOver('keys.db', 0);
    createLogDatabase(join(folder, 'log.db')).close();
    expect(() => openDataFolder(folder)).toThrow(refusal(folder, `${BEFORE} (no format number`));
  });

  it.each(['projections.db', 'projections-3.db'])(
    'with %s and no log is refused, since nothing would tell what it was built from',
    name => {
      const folder = leftOver(name, 0);
      const before = contentOf(folder);
      expect(() => openDataFolder(folder)).toThrow(
        `${folder} has projections and lacks log.db, from which they were built: put it back, or start with an empty folder.`,
      );
      expect(contentOf(folder)).toEqual(before);
    },
  );

  it('is opened again as this version has made it, also where it was killed before the first checkpoint', () => {
    const made = temporaryFolder();
    openDataFolder(made).release();
    const open = [createLogDatabase(join(made, 'log.db')), createKeyDatabase(join(made, 'keys.db'))];
    const left = temporaryFolder();
    cpSync(made, left, { recursive: true });
    for (const database of open) database.close();
    for (const folder of [made, left]) openDataFolder(folder).release();
  });

  /** As a process that ended between the creation of the file and its first page has left it. */
  it('is opened with a log of no bytes', () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'log.db'), '');
    openDataFolder(folder).release();
  });

  it('names its format in copies that SQLite makes', () => {
    const [folder, copy] = [temporaryFolder(), temporaryFolder()];
    const log = createLogDatabase(join(folder, 'log.db'));
    log.exec(`VACUUM INTO '${join(copy, 'log.db')}'`);
    log.close();
    openDataFolder(copy).release();
  });
});
