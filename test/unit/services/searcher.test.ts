import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Log } from '../../../services/log.ts';
import { type Searcher, startSearcher } from '../../../services/threads/searcher.ts';

const request = {
  scope: { org: 'acme' },
  q: 'tea',
  mode: 'active',
  tail: [],
  kinds: ['turn'],
  topK: 5,
} as const;
const opened: Searcher[] = [];
afterEach(async () => {
  for (const searcher of opened.splice(0)) await searcher.close();
});

const start = (table: SharedArrayBuffer) => {
  const error = vi.fn();
  const searcher = startSearcher({ projections: '/nowhere/projections.db', table }, {
    error,
  } as unknown as Log);
  opened.push(searcher);
  return { searcher, error };
};

describe('the recall thread', () => {
  it('is replaced when it dies, and what was asked of it is unavailable', async () => {
    // A table that is none: the thread dies while it loads.
    const { searcher, error } = start(new SharedArrayBuffer(8));
    await expect(searcher.search(request)).rejects.toMatchObject({ code: 'unavailable' });
    expect(searcher.fault()).toBeTypeOf('string');
    await expect(searcher.search(request)).rejects.toMatchObject({ code: 'unavailable' });
    await vi.waitFor(() => expect(error.mock.calls.length).toBeGreaterThan(1), { timeout: 5_000 });
  });

  it('says a fault of one search and lives on', async () => {
    const bytes = readFileSync(new URL('../../../projections/language/static-vectors.bin', import.meta.url));
    const table = new SharedArrayBuffer(bytes.length);
    new Uint8Array(table).set(bytes);
    const { searcher, error } = start(table);
    for (const _ of [1, 2]) {
      await expect(searcher.search(request)).rejects.toMatchObject({ code: 'unavailable' });
    }
    expect(searcher.fault()).toBeUndefined();
    expect(error).not.toHaveBeenCalled();
  });

  it('ends when it is closed, also twice', async () => {
    const { searcher, error } = start(new SharedArrayBuffer(8));
    await searcher.close();
    await searcher.close();
    await expect(searcher.search(request)).rejects.toMatchObject({ code: 'unavailable' });
    expect(error).not.toHaveBeenCalled();
  });
});
