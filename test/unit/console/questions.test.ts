import { beforeEach, describe, expect, test, vi } from 'vitest';

const store = new Map<string, string>();
const storage = {
  getItem: (name: string) => store.get(name) ?? null,
  setItem: (name: string, value: string) => void store.set(name, value),
  removeItem: (name: string) => void store.delete(name),
};

/** A page that was just loaded. */
const loaded = async () => {
  vi.resetModules();
  return import('../../../console/src/api/questions.ts');
};
const kept = () => JSON.parse(store.get('turnstone.questions.acme') ?? 'null');

beforeEach(() => {
  store.clear();
  vi.stubGlobal('localStorage', storage);
});

describe('questions', () => {
  test('are kept the latest first, each once, and not without end', async () => {
    const { noteAsked } = await loaded();
    for (let i = 0; i < 40; i++) noteAsked('acme', `q=${i}`);
    noteAsked('acme', 'q=20');
    expect(kept().asked.slice(0, 3)).toEqual(['q=20', 'q=39', 'q=38']);
    expect(kept().asked).toHaveLength(30);
  });

  test('that are saved outlive signing out, the others leave nothing behind', async () => {
    const first = await loaded();
    first.noteAsked('acme', 'q=a');
    first.toggleSaved('acme', 'q=b');
    const later = await loaded();
    later.forgetAsked('acme');
    expect(kept()).toEqual({ asked: [], saved: ['q=b'] });
    later.toggleSaved('acme', 'q=b');
    expect([...store]).toEqual([]);
  });

  test('of one organization are none of another', async () => {
    const { noteAsked } = await loaded();
    noteAsked('other', 'q=a');
    expect(kept()).toBeNull();
  });

  test('are none where what is stored is no list of them', async () => {
    store.set('turnstone.questions.acme', '{"asked": [1, "q=a"], "saved": "x"}');
    const { noteAsked } = await loaded();
    noteAsked('acme', 'q=b');
    expect(kept()).toEqual({ asked: ['q=b', 'q=a'], saved: [] });
  });
});
