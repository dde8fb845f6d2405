import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { createProjectionsDatabase } from '../../../../../../infra/embedded/index/file/create-database.ts';
import { openGenerationFiles } from '../../../../../../infra/embedded/index/file/open-generation-files.ts';
import { temporaryFolder } from '../../../../../support/processes/server.ts';

const NEW = { last: 1, serving: 1, standby: null, building: null };

const made = (folder: string, name: string, changes = ''): void => {
  const database = createProjectionsDatabase(join(folder, name));
  database.exec(`INSERT INTO positions VALUES ('turns/0', 7)`);
  if (changes) database.exec(changes);
  database.close();
};
const ofVersion = (version: string): string => `UPDATE meta SET value = '${version}' WHERE name = 'version'`;

it('begins with generation 1, and finds again what was written', () => {
  const folder = temporaryFolder();
  const files = openGenerationFiles(folder);
  expect(files.names()).toEqual(NEW);
  made(folder, 'projections-2.db');
  files.write({ last: 2, building: 2 });
  made(folder, 'projections-1.db');
  files.write({ serving: 2, standby: 1, building: null });
  const again = openGenerationFiles(folder);
  expect(again.names()).toEqual({ last: 2, serving: 2, standby: 1, building: null });
  expect(again.about(2)).toMatchObject({ version: files.version, positions: { 'turns/0': 7 } });
  again.remove(1);
  expect(existsSync(again.path(1))).toBe(false);
  expect(again.about(1)).toBeUndefined();
  expect(existsSync(join(folder, 'generations.json.new'))).toBe(false);
});

it('keeps what serves of another version, and nothing else of it', () => {
  const folder = temporaryFolder();
  openGenerationFiles(folder).write({ last: 3, standby: 2, building: 3 });
  for (const number of [1, 2, 3]) made(folder, `projections-${number}.db`, ofVersion('0'));
  const files = openGenerationFiles(folder);
  expect(files.names()).toEqual({ last: 3, serving: 1, standby: null, building: null });
  expect(files.about(1)).toMatchObject({ version: '0' });
  expect(existsSync(files.path(2))).toBe(false);
  expect(existsSync(files.path(3))).toBe(false);
});

it('keeps the number of a generation that has no file yet, and drops one whose file is half made', () => {
  const folder = temporaryFolder();
  made(folder, 'projections-1.db');
  openGenerationFiles(folder).write({ last: 2, building: 2 });
  expect(openGenerationFiles(folder).names()).toMatchObject({ last: 2, building: 2 });
  writeFileSync(join(folder, 'projections-2.db'), '');
  const files = openGenerationFiles(folder);
  expect(files.names()).toEqual({ last: 2, serving: 1, standby: null, building: null });
  expect(existsSync(files.path(2))).toBe(false);
});

it('removes what nobody names, and a serving file of another format or of none', () => {
  const folder = temporaryFolder();
  made(folder, 'projections-1.db', `UPDATE meta SET value = '0' WHERE name = 'format'`);
  made(folder, 'projections-4.db');
  const files = openGenerationFiles(folder);
  expect(existsSync(files.path(1))).toBe(false);
  expect(existsSync(files.path(4))).toBe(false);
  writeFileSync(files.path(1), 'no database');
  expect(existsSync(openGenerationFiles(folder).path(1))).toBe(false);
});

it('says so when the manifest is damaged', () => {
  const folder = temporaryFolder();
  openGenerationFiles(folder);
  const path = join(folder, 'generations.json');
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(NEW);
  for (const text of ['', '{}', '{"last":1,"serving":"1","standby":null,"building":null}']) {
    writeFileSync(path, text);
    expect(() => openGenerationFiles(folder)).toThrow(/generations\.json .* can't be read: delete it/);
  }
});

it('reads the same tables of either file', () => {
  const folder = temporaryFolder();
  made(folder, 'projections-1.db');
  const database = new DatabaseSync(join(folder, 'projections-1.db'), { readOnly: true });
  const names = database
    .prepare(`SELECT name FROM meta ORDER BY name`)
    .all()
    .map(({ name }) => name);
  database.close();
  expect(names).toEqual(['format', 'version']);
});
