import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Log } from '../../../../../core/watch/logger.ts';
import { createProjectionsDatabase } from '../../../../../infra/embedded/index/file/create-database.ts';
import { startFileSearcher } from '../../../../../services/embedded/threads/file-searcher.ts';
import type { Searcher } from '../../../../../services/use-cases/recall/searcher.ts';
import { temporaryFolder } from '../../../../support/processes/server.ts';
import { until } from '../../../../support/wait.ts';
import { tailTurn, turnRecorded } from '../../../../support/worlds/builders.ts';

const request = {
  scope: { org: 'acme' },
  q: 'tea',
  mode: 'active',
  tail: [],
  kinds: ['turn'],
  topK: 5,
  moment: 0,
} as const;
/** Takes a search a tenth of a second and more. */
const longTail = Array.from({ length: 1_500 }, (_, n) => tailTurn(turnRecorded(n)));
const opened: Searcher[] = [];
afterEach(async () => {
  for (const searcher of opened.splice(0)) await searcher.close();
});

const start = (table: SharedArrayBuffer, projections = '/nowhere/projections.db') => {
  const error = vi.fn();
  const log = { error } as unknown as Log;
  const searcher = startFileSearcher({
    serving: projections,
    table,
    clockOffset: 0,
    rerank: undefined,
    hasReader: false,
    log,
  });
  opened.push(searcher);
  return { searcher, error };
};

const realTable = (): SharedArrayBuffer => {
  const bytes = readFileSync(
    new URL('../../../../../domain/language/vectors/static-vectors.bin', import.meta.url),
  );
  const table = new SharedArrayBuffer(bytes.length);
  new Uint8Array(table).set(bytes);
  return table;
};

describe('the recall thread', () => {
  it('is replaced when it dies, and what was asked of it is unavailable', async () => {
    // A table that is none: the thread dies while it loads.
    const { searcher, error } = start(new SharedArrayBuffer(8));
    await expect(searcher.search(request)).rejects.toMatchObject({ code: 'unavailable' });
    await expect(searcher.probe()).rejects.toThrow('not a static table');
    await expect(searcher.search(request)).rejects.toMatchObject({ code: 'unavailable' });
    await vi.waitFor(() => expect(error.mock.calls.length).toBeGreaterThan(1), { timeout: 5_000 });
  });

  it('is replaced when the file is not there', async () => {
    const { searcher, error } = start(realTable());
    await expect(searcher.search(request)).rejects.toMatchObject({ code: 'unavailable' });
    await expect(searcher.probe()).rejects.toThrow('unable to open database file');
    expect(error).toHaveBeenCalledOnce();
  });

  it('says what is wrong with one search and lives on', async () => {
    const path = join(temporaryFolder(), 'projections.db');
    const database = createProjectionsDatabase(path);
    const { searcher, error } = start(realTable(), path);
    await expect(searcher.search(request)).resolves.toEqual({
      chosen: [],
      quoted: [],
      holding: [],
      confidence: 0,
      without: [],
    });
    // A fault of the code is none of the file's, and the other way round.
    const nothing = undefined as unknown as string;
    await expect(searcher.search({ ...request, q: nothing })).rejects.not.toHaveProperty(
      'code',
      'unavailable',
    );
    database.exec('ALTER TABLE scopes RENAME TO gone');
    await expect(searcher.search(request)).rejects.toMatchObject({ code: 'unavailable' });
    database.exec('ALTER TABLE gone RENAME TO scopes');
    await expect(searcher.search(request)).resolves.toEqual({
      chosen: [],
      quoted: [],
      holding: [],
      confidence: 0,
      without: [],
    });
    database.close();
    expect(await searcher.probe()).toBe('runs');
    expect(error).not.toHaveBeenCalled();
  });

  it('searches for another organization beside a long search', async () => {
    const path = join(temporaryFolder(), 'projections.db');
    createProjectionsDatabase(path).close();
    const { searcher } = start(realTable(), path);
    const short = { ...request, scope: { org: 'other' } };
    const long = { ...request, mode: 'deep', tail: longTail } as const;
    // The second thread starts when it is needed first.
    await until(
      'the short search ends before the long one',
      async () => {
        const answered: string[] = [];
        const ask = (name: string, one: typeof short | typeof long) =>
          searcher.search(one).then(() => answered.push(name));
        await Promise.all([ask('long', long), ask('short', short)]);
        return answered[0] === 'short';
      },
      10_000,
    );
  });

  it('ends when it is closed, also twice', async () => {
    const { searcher, error } = start(new SharedArrayBuffer(8));
    await searcher.close();
    await searcher.close();
    await expect(searcher.search(request)).rejects.toMatchObject({ code: 'unavailable' });
    expect(error).not.toHaveBeenCalled();
  });
});
