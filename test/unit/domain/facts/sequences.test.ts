/** Everyday sequences, written by somebody who saw no code: what should hold after each line. */
import { describe, expect, it } from 'vitest';
import { readSequences, sequencesIn } from '../../../../tools/evaluation/facts/read-sequences.ts';
import { tellSequence } from '../../../../tools/evaluation/facts/tell-sequence.ts';

const sequence = (...rows: string[]) =>
  sequencesIn(
    ['## one', '| when | who | says | holds after |', '|---|---|---|---|', ...rows].join('\n'),
    'test.md',
  )[0]!;

describe('sequences', () => {
  it('come out right as often as they did when this was measured last', () => {
    const all = readSequences();
    expect(all).toHaveLength(300);
    const right = all.filter(each => tellSequence(each).length === 0).length;
    // Far from all: docs/internals/measurements/extraction.md says which kinds are missing.
    expect(right).toBeGreaterThanOrEqual(237);
  });

  it('are right only if all holds that should, and nothing else', () => {
    const row = (says: string, holds: string): string => `| 2025-03-03 | user | ${says} | ${holds} |`;
    expect(tellSequence(sequence(row('I live in Lyon.', 'home = Lyon')))).toEqual([]);
    expect(tellSequence(sequence(row('I live in Lyon.', 'home = Porto')))).toHaveLength(1);
    expect(tellSequence(sequence(row('I live in Lyon.', 'home = nothing')))).toHaveLength(1);
    expect(tellSequence(sequence(row("I'm allergic to nuts and cats.", 'allergy = nuts')))).toHaveLength(1);
    expect(
      tellSequence(sequence(row('My sister lives in Bonn.', 'home = nothing; sister: home = Bonn'))),
    ).toEqual([]);
  });

  it('know what a client sent, what was taken back, and what held earlier', () => {
    const told = sequence(
      '| 2025-03-03 | client | fact: home = Lyon | home = Lyon |',
      '| 2025-03-10 | user | I moved to Porto. | home = Porto |',
      '| 2025-03-11 | retract | I moved to Porto. | home = Lyon |',
      'as of 2025-03-05: home = Lyon',
    );
    expect(tellSequence(told)).toEqual([]);
    expect(told.asOf).toHaveLength(1);
  });
});
