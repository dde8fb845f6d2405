import { expect, it } from 'vitest';
import type { Document } from '../../../../../domain/search/document.ts';
import { numberTail } from '../../../../../projections/recall/tail/entries.ts';
import { withoutObservation } from '../../../../../projections/recall/tail/tail-turn.ts';
import { tailTurn, turnRecorded } from '../../../../support/worlds/builders.ts';

const analyse = (text: string): Document => ({
  stems: new Uint32Array(),
  counts: new Uint8Array(),
  length: text.length,
  words: new Uint32Array(),
  flags: 0,
  vector: new Int8Array(),
});

it('an observation keeps its own analysis when the one before it is retracted', () => {
  const turn = tailTurn(turnRecorded(1, { text: 'abc', observations: ['de', 'f'] }));
  const numbered = (one: typeof turn) =>
    numberTail([one], { session: () => 1, entry: (_, part) => part }, analyse);
  const lengths = (one: typeof turn): number[] =>
    numbered(one).entries.map(({ document }) => document.length);
  expect(lengths(turn)).toEqual([3, 2, 1]);
  const first = numbered(turn).fragment(1)!;
  expect(lengths(withoutObservation(turn, first.id))).toEqual([3, 1]);
});
