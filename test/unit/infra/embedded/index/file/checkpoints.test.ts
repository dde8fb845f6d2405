import { closeSync, openSync, readSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openCheckpoints } from '../../../../../../infra/embedded/index/file/checkpoints.ts';
import { createProjectionsDatabase } from '../../../../../../infra/embedded/index/file/create-database.ts';
import { damagedPage } from '../../../../../../infra/embedded/index/file/page-sums.ts';
import { PAGE_BYTES } from '../../../../../../infra/embedded/index/file/projections-database.ts';
import { temporaryFolder } from '../../../../../support/processes/server.ts';
import { until } from '../../../../../support/wait.ts';

let path: string;
let database: DatabaseSync;
beforeEach(() => {
  path = join(temporaryFolder(), 'projections-1.db');
  database = createProjectionsDatabase(path);
});
afterEach(() => {
  if (database.isOpen) database.close();
});

const fill = (rows: number, first = 0): void => {
  const insert = database.prepare('INSERT OR REPLACE INTO meta VALUES (?, ?)');
  database.exec('BEGIN');
  for (let n = first; n < first + rows; n++) insert.run(`row ${n}`, 'x'.repeat(900));
  database.exec('COMMIT');
};

const flip = (at: number): void => {
  const file = openSync(path, 'r+');
  const byte = Buffer.alloc(1);
  readSync(file, byte, 0, 1, at);
  byte[0]! ^= 0x10;
  writeSync(file, byte, 0, 1, at);
  closeSync(file);
};

const pages = (): number => statSync(path).size / PAGE_BYTES;

describe('the sums of pages', () => {
  it('find every flipped bit, wherever it is, and none where there is none', () => {
    const checkpoints = openCheckpoints(database);
    fill(500);
    expect(checkpoints.now()).toBe(true);
    fill(500, 250);
    checkpoints.close();
    database.close();
    expect(pages()).toBeGreaterThan(50);
    expect(damagedPage(path)).toBeUndefined();
    for (let page = 1; page <= pages(); page++) {
      const at = (page - 1) * PAGE_BYTES + ((page * 977) % PAGE_BYTES);
      flip(at);
      expect(damagedPage(path)).toBe(page);
      flip(at);
    }
    expect(damagedPage(path)).toBeUndefined();
  });

  it('are right after a kill, a rewrite, and a checkpoint that a reader has cut short', () => {
    const checkpoints = openCheckpoints(database);
    fill(300);
    checkpoints.now();
    const reader = new DatabaseSync(path, { readOnly: true });
    reader.exec('BEGIN');
    reader.prepare('SELECT count(*) FROM meta').get();
    fill(300, 100);
    expect(checkpoints.now()).toBe(false);
    // As a kill leaves them: nobody has closed anything.
    expect(damagedPage(path)).toBeUndefined();
    reader.close();
    database.exec(`DELETE FROM meta WHERE name > 'row 2'; VACUUM`);
    expect(checkpoints.now()).toBe(true);
    expect(damagedPage(path)).toBeUndefined();
    flip(pages() * PAGE_BYTES - 7);
    expect(damagedPage(path)).toBe(pages());
    checkpoints.close();
  });

  it('are right when the last connection closes with a write-ahead log', () => {
    const checkpoints = openCheckpoints(database);
    fill(100);
    checkpoints.now();
    const reader = new DatabaseSync(path, { readOnly: true });
    reader.exec('BEGIN');
    reader.prepare('SELECT count(*) FROM meta').get();
    fill(200);
    checkpoints.close();
    reader.close();
    database.close();
    expect(damagedPage(path)).toBeUndefined();
  });

  it('are those of every page of a checkpoint that is read in many runs', () => {
    const checkpoints = openCheckpoints(database);
    fill(6_000);
    expect(checkpoints.now()).toBe(true);
    fill(1_500, 2_000);
    checkpoints.close();
    database.close();
    expect(pages()).toBeGreaterThan(500);
    expect(damagedPage(path)).toBeUndefined();
    for (const page of [2, 64, 65, 66, 128, 129, 300, pages()]) {
      const at = (page - 1) * PAGE_BYTES + 11;
      flip(at);
      expect(damagedPage(path)).toBe(page);
      flip(at);
    }
  });

  it('are forgotten, not guessed, when the head of the write-ahead log is damaged', () => {
    const checkpoints = openCheckpoints(database);
    fill(10);
    const file = openSync(`${path}-wal`, 'r+');
    writeSync(file, Buffer.from([0xff, 0xff, 0xff, 0xff]), 0, 4, 8);
    closeSync(file);
    expect(() => checkpoints.now()).not.toThrow();
    checkpoints.close();
  });

  it('are checked in the background', async () => {
    const found: number[] = [];
    const checkpoints = openCheckpoints(database, page => found.push(page));
    fill(300);
    checkpoints.now();
    flip(3 * PAGE_BYTES + 100);
    await until('the page is found', () => found.length > 0);
    expect(found).toEqual([4]);
    checkpoints.close();
  });
});

it('gives the write-ahead log back to the disk', () => {
  const checkpoints = openCheckpoints(database, undefined, 1024 * 1024);
  const wal = (): number => statSync(`${path}-wal`).size;
  fill(500);
  checkpoints.due();
  expect(wal()).toBeLessThan(1024 * 1024);
  fill(3_000);
  expect(wal()).toBeGreaterThan(2 * 1024 * 1024);
  checkpoints.due();
  expect(wal()).toBe(0);
  checkpoints.close();
});

/**
 * A projector that was behind filled a disk's last megabytes with a write-ahead log that nothing could move
 * any more.
 */
it('gives it back early on a disk that fills up', () => {
  let free = 1024 ** 3;
  const checkpoints = openCheckpoints(database, undefined, undefined, () => free);
  const wal = (): number => statSync(`${path}-wal`).size;
  fill(500);
  checkpoints.due();
  expect(wal()).toBeGreaterThan(300 * 1024);
  free = 1024 * 1024;
  checkpoints.due();
  expect(wal()).toBe(0);
  checkpoints.close();
});

/**
 * A step that filled the disk left a log behind it that held commits, whose pages had no room in the file:
 * for good.
 */
it('gives it back after each commit when there is little room', () => {
  const checkpoints = openCheckpoints(database, undefined, undefined, () => 8 * 1024 * 1024);
  fill(10);
  checkpoints.due();
  expect(statSync(`${path}-wal`).size).toBe(0);
  const reader = new DatabaseSync(path, { readOnly: true });
  reader.exec('BEGIN');
  reader.prepare('SELECT count(*) FROM meta').get();
  fill(10);
  expect(() => checkpoints.makeRoom()).toThrow(/nearly full/);
  reader.close();
  checkpoints.makeRoom();
  expect(statSync(`${path}-wal`).size).toBe(0);
  checkpoints.close();
});
