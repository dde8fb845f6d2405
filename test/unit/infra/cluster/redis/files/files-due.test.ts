/**
 * Switched off by hand, each fails a test here: the comparison of counters (any finished rewrite would do),
 * the run id, the state of the last rewrite, the wait while one is running, the pause between two, the bound
 * on how long quiet is waited for.
 */
import { describe, expect, it } from 'vitest';
import {
  type Asked,
  type Due,
  decide,
  type OwnFile,
  type OwnFiles,
  ownFilesIn,
  together,
} from '../../../../../../infra/cluster/redis/files/files-due.ts';

const MINUTE = 60_000;
const NOW = 100 * MINUTE;

const file = (changes: Partial<OwnFile> = {}): OwnFile => ({
  exists: [true],
  begun: [3],
  isBusy: false,
  isWell: true,
  ...changes,
});
const NONE = file({ exists: [false], begun: [0] });
const files = (aof: Partial<OwnFile> = {}, rdb: OwnFile = NONE): OwnFiles => ({
  run: 'one',
  aof: file(aof),
  rdb,
});
const due = (changes: Partial<Due> = {}): Due => ({
  now: NOW,
  since: NOW - 2 * MINUTE,
  noted: NOW - MINUTE,
  asked: undefined,
  ...changes,
});
const asked = (changes: Partial<Asked> = {}): Asked => ({
  at: NOW - 5_000,
  run: 'one',
  aof: [3],
  rdb: [0],
  covers: NOW - MINUTE,
  ...changes,
});

describe('asking', () => {
  it('waits until removals that were noted have happened, and for more of the same erasure', () => {
    expect(decide(due({ since: undefined, noted: undefined }), files())).toEqual({ kind: 'wait' });
    expect(decide(due({ since: NOW - 59_999, noted: NOW - 59_999 }), files())).toEqual({ kind: 'wait' });
    expect(decide(due({ since: NOW - MINUTE, noted: NOW - MINUTE }), files())).toMatchObject({
      kind: 'ask',
      files: ['aof'],
      asked: { at: NOW, run: 'one', aof: [3], covers: NOW - MINUTE },
    });
  });

  it('waits for quiet no longer than two minutes, and then covers what was removed a minute ago', () => {
    const lately = { noted: NOW - 1 };
    expect(decide(due({ ...lately, since: NOW - 2 * MINUTE + 1 }), files())).toEqual({ kind: 'wait' });
    const decision = decide(due(lately), files());
    expect(decision).toMatchObject({ kind: 'ask', asked: { covers: undefined } });
  });

  it('asks once a minute at most', () => {
    const askedAt = (at: number) => due({ asked: asked({ at, run: '' }) });
    expect(decide(askedAt(NOW - MINUTE + 1), files())).toEqual({ kind: 'wait' });
    expect(decide(askedAt(NOW - MINUTE), files()).kind).toBe('ask');
  });

  it('waits while a file is being written, and for nothing that does not exist', () => {
    expect(decide(due(), files({ isBusy: true }))).toEqual({ kind: 'wait' });
    expect(decide(due(), files({}, file({ isBusy: true })))).toEqual({ kind: 'wait' });
    expect(decide(due(), files({}, { ...NONE, isBusy: true })).kind).toBe('ask');
  });

  it('is not delayed by a clock that went back', () => {
    const ahead = NOW + 60 * MINUTE;
    const decision = decide(
      due({ since: ahead, noted: ahead, asked: asked({ at: ahead, run: '' }) }),
      files(),
    );
    expect(decision).toMatchObject({ kind: 'ask', asked: { at: NOW, covers: ahead } });
  });

  it('asks for every file that may hold what was removed', () => {
    expect(decide(due(), files({}, file()))).toMatchObject({ kind: 'ask', files: ['aof', 'rdb'] });
    expect(decide(due(), files({ exists: [false] }, file()))).toMatchObject({ kind: 'ask', files: ['rdb'] });
    // Memory alone; but a first snapshot may come before the removal.
    expect(decide(due(), files({ exists: [false] }))).toMatchObject({ kind: 'settle', covers: NOW - MINUTE });
    expect(decide(due({ noted: NOW - 1_000 }), files({ exists: [false] }))).toEqual({ kind: 'wait' });
  });
});

describe('settling', () => {
  it('takes a rewrite that began after we asked, and ended well', () => {
    expect(decide(due({ asked: asked() }), files({ begun: [4] }))).toMatchObject({
      kind: 'settle',
      covers: NOW - MINUTE,
      since: NOW - 5_000 - MINUTE,
      asked: { at: NOW - 5_000, run: '' },
    });
    const decision = decide(due({ asked: asked({ covers: undefined }) }), files({ begun: [4] }));
    expect(decision).toMatchObject({ kind: 'settle', covers: undefined });
  });

  it('does not take one that was begun before, is running, failed, or is of another server', () => {
    const is = (changes: Partial<OwnFile>, mine = asked()) =>
      decide(due({ asked: mine }), files(changes)).kind;
    expect(is({ begun: [3] })).toBe('wait');
    expect(is({ begun: [4], isBusy: true })).toBe('wait');
    expect(is({ begun: [4], isWell: false })).toBe('wait');
    expect(is({ begun: [4] }, asked({ run: 'another' }))).toBe('wait');
  });

  it('waits for both files, also for a snapshot that was begun meanwhile', () => {
    const then = (rdb: OwnFile) => decide(due({ asked: asked() }), files({ begun: [4] }, rdb)).kind;
    expect(then(file({ begun: [1] }))).toBe('settle');
    expect(then(file({ begun: [1], isBusy: true }))).toBe('wait');
    expect(
      decide(due({ asked: asked({ rdb: [1] }) }), files({ begun: [4] }, file({ begun: [1] }))).kind,
    ).toBe('wait');
  });

  it('asks again a minute later, and says what failed', () => {
    const before = due({ asked: asked({ at: NOW - MINUTE }) });
    expect(decide(before, files({ begun: [3] }))).toMatchObject({ kind: 'ask', failed: [] });
    expect(decide(before, files({ begun: [4], isWell: false }))).toMatchObject({
      kind: 'ask',
      asked: { aof: [4] },
      failed: ['aof'],
    });
  });
});

describe('several servers', () => {
  const of = (run: string, aof: Partial<OwnFile>, rdb = NONE): OwnFiles => ({ run, aof: file(aof), rdb });
  const kindOf = (mine: Asked, ...servers: OwnFiles[]) =>
    decide(due({ asked: mine }), together(servers)).kind;

  it('are asked together, in any order', () => {
    const [one, two] = [of('one', { begun: [3] }), of('two', { begun: [8] })];
    expect(decide(due(), together([two, one]))).toMatchObject({
      kind: 'ask',
      asked: { run: 'one two', aof: [3, 8], rdb: [0, 0] },
    });
  });

  it('are free of what was removed when each has written its files anew, of those that it has', () => {
    const mine = asked({ run: 'one two', aof: [3, 8], rdb: [0, 0] });
    const one = of('one', { begun: [4] });
    expect(kindOf(mine, one, of('two', { begun: [8] }))).toBe('wait');
    expect(kindOf(mine, of('two', { begun: [9], isBusy: true }), one)).toBe('wait');
    expect(kindOf(mine, of('two', { begun: [9], isWell: false }), one)).toBe('wait');
    expect(kindOf(mine, of('two', { begun: [9] }), one)).toBe('settle');
    expect(kindOf(mine, of('two', { begun: [8], exists: [false] }), one)).toBe('settle');
    expect(kindOf(mine, of('three', { begun: [9] }), one)).toBe('wait');
  });
});

describe('what Redis reports', () => {
  const info = (changes: Record<string, string> = {}): string =>
    Object.entries({
      run_id: 'one',
      rdb_bgsave_in_progress: '0',
      rdb_last_bgsave_status: 'ok',
      rdb_saves: '0',
      rdb_last_load_keys_loaded: '7',
      aof_enabled: '1',
      aof_rewrite_in_progress: '0',
      aof_rewrite_scheduled: '0',
      aof_last_bgrewrite_status: 'ok',
      aof_rewrites: '3',
      ...changes,
    })
      .map(([name, value]) => `${name}:${value}\r\n`)
      .join('');

  it('is an append-only file, and a snapshot if one was written', () => {
    expect(ownFilesIn(info())).toEqual(files({}, NONE));
    expect(ownFilesIn(info({ rdb_saves: '2', rdb_bgsave_in_progress: '1' })).rdb).toEqual(
      file({ begun: [2], isBusy: true }),
    );
    expect(ownFilesIn(info({ aof_rewrite_scheduled: '1' })).aof.isBusy).toBe(true);
    expect(ownFilesIn(info({ aof_last_bgrewrite_status: 'err' })).aof.isWell).toBe(false);
  });

  it('is a snapshot without an append-only file when the data were loaded from it', () => {
    const without = { aof_enabled: '0' };
    expect(ownFilesIn(info(without)).rdb.exists).toEqual([true]);
    expect(ownFilesIn(info({ ...without, rdb_last_load_keys_loaded: '0' })).rdb.exists).toEqual([false]);
  });

  it('is refused without the counters', () => {
    expect(() => ownFilesIn('run_id:one\r\naof_enabled:1\r\n')).toThrow(
      'Redis does not report aof_rewrites.',
    );
  });
});
