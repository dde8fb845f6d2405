import { expect, it } from 'vitest';
import { byWhatHolds } from '../../../../domain/ranking/by-what-holds.ts';
import type { Ranked } from '../../../../domain/ranking/rank.ts';

const ranked = (id: string, score: number, kind: 'turn' | 'observation' = 'turn') =>
  ({ candidate: { id, kind }, score }) as unknown as Ranked;
const idsOf = (list: readonly Ranked[]) => list.map(({ candidate, score }) => [candidate.id, score]);

const LIST = [ranked('a', 0.9), ranked('b', 0.5), ranked('o', 0.4, 'observation'), ranked('c', 0.2)];
const now = (old: string, now: string) => ({ old: `trn_${old}`, now: `trn_${now}` });

it('leaves a ranking alone of which all holds', () => {
  expect(byWhatHolds(LIST, [])).toEqual(LIST);
});

it('puts what holds in the place of the first that only says what held, with its score, and the rest behind', () => {
  expect(idsOf(byWhatHolds(LIST, [now('b', 'c')]))).toEqual([
    ['a', 0.9],
    ['c', 0.5],
    ['b', 0.5],
    ['o', 0.4],
  ]);
});

it('leaves what holds where it stands before already', () => {
  expect(idsOf(byWhatHolds(LIST, [now('c', 'a')]))).toEqual(idsOf(LIST));
});

it('brings what the words did not find, and what was asked for first', () => {
  const added = [ranked('x', 0.01)];
  expect(idsOf(byWhatHolds(LIST, [now('a', 'x'), now('b', 'x')], added))[0]).toEqual(['x', 0.9]);
  expect(idsOf(byWhatHolds(LIST, [], added, 'trn_x')).map(([id]) => id)).toEqual(['x', 'a', 'b', 'o', 'c']);
});

it('says by how much a score is another than its words give', () => {
  const [first] = byWhatHolds(LIST, [], [], 'trn_c');
  expect(first!.factor).toBeCloseTo(4.5);
});
