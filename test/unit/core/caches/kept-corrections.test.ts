import { expect, it } from 'vitest';
import { makeKeptCorrections, type StoredCorrection } from '../../../../core/caches/kept-corrections.ts';
import { MOST_CORRECTED_NAMES } from '../../../../domain/facts/bounds.ts';

interface Said {
  entity: string;
  label: string | null;
  names?: string[];
}

/** One user's corrections in a store, and what is read of it. */
const world = () => {
  const said = new Map<string, Said>();
  const gone = new Set<string>();
  const counts = { parsed: 0, lookedUp: 0, mostAtOnce: 0, yields: 0 };
  let sinceYield = 0;
  let now = 0;
  const work = (amount: number): void => {
    sinceYield += amount;
    counts.mostAtOnce = Math.max(counts.mostAtOnce, sinceYield);
  };
  const kept = makeKeptCorrections(
    () => async () => {
      sinceYield = 0;
      counts.yields++;
    },
    () => now,
  );
  return {
    said,
    gone,
    counts,
    pass: (ms: number) => {
      now += ms;
    },
    read: (of: { key: string | undefined } = { key: 'ada' }, most = 1_000) => {
      Object.assign(counts, { parsed: 0, lookedUp: 0, mostAtOnce: 0, yields: 0 });
      const stored: StoredCorrection[] = [...said.keys()]
        .map((id, at) => ({ id, recordedAt: at }))
        .slice(-most)
        .reverse();
      return kept.read({
        ...of,
        stored,
        said: ids => {
          counts.parsed += ids.length;
          work(ids.length);
          return new Map(
            ids.map(id => {
              const { entity, label, names = [] } = said.get(id)!;
              const rest = { merge_into: null, split: [], into_names: [] };
              return [id, JSON.stringify({ entity, label, names, ...rest })];
            }),
          );
        },
        named: async labels => {
          counts.lookedUp += labels.length;
          work(labels.length);
          return labels.filter(label => !gone.has(label));
        },
      });
    },
  };
};

it('folds of a user with 20,000 corrections the last thousand, in steps, and then what is new', async () => {
  const { said, counts, read } = world();
  for (let n = 0; n < 20_000; n++) said.set(`c${n}`, { entity: `Name ${n}`, label: `Called ${n}` });
  const first = await read();
  expect(first).toHaveLength(1_000);
  expect(first.at(-1)).toMatchObject({ entity: 'Name 19999', label: 'Called 19999', recordedAt: 19_999 });
  expect(counts).toMatchObject({ parsed: 1_000, lookedUp: 1_000 });
  expect(counts.mostAtOnce).toBeLessThanOrEqual(600);
  // Nothing is new: nothing is parsed, and who has folded this array has it folded.
  expect(await read()).toBe(first);
  expect(counts.parsed).toBe(0);
  said.set('c20000', { entity: 'Name 20000', label: 'Called 20000' });
  const second = await read();
  expect(counts.parsed).toBe(1);
  expect(second).toHaveLength(1_000);
  expect(second.slice(0, -1)).toEqual(first.slice(1));
});

it('leaves out what no turn says any more, from the next read on', async () => {
  const { said, gone, counts, read } = world();
  said.set('a', { entity: 'Mel', label: 'Melanie' });
  said.set('b', { entity: 'Alex', label: 'Lex' });
  const both = await read();
  expect(both).toHaveLength(2);
  gone.add('mel');
  expect(await read()).toEqual([both[1]]);
  expect(counts.parsed).toBe(0);
  gone.delete('mel');
  expect(await read()).toEqual(both);
});

it('counts no more names than its bound, of the last corrections', async () => {
  const { said, read } = world();
  const names = Array.from({ length: 999 }, (_, n) => `Name ${n}`);
  for (let n = 0; n < 30; n++) said.set(`c${n}`, { entity: `Name ${n}`, label: `Called ${n}`, names });
  const found = await read();
  expect(found).toHaveLength(MOST_CORRECTED_NAMES / 1_000);
  expect(found.at(-1)).toMatchObject({ label: 'Called 29' });
});

it('keeps nothing of a past instant, nor of a user whose corrections are gone', async () => {
  const { said, counts, read } = world();
  said.set('a', { entity: 'Mel', label: 'Melanie' });
  await read({ key: undefined });
  await read({ key: undefined });
  expect(counts.parsed).toBe(1);
  await read();
  said.clear();
  expect(await read()).toEqual([]);
  said.set('a', { entity: 'Mel', label: 'another' });
  expect(await read()).toMatchObject([{ label: 'another' }]);
});
