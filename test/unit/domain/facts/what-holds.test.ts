import { describe, expect, it } from 'vitest';
import type { Fact } from '../../../../domain/facts/dated-facts.ts';
import { standingOf } from '../../../../domain/facts/standing.ts';
import { holding, whatHeld } from '../../../../domain/facts/what-holds.ts';

let made = 0;
const fact = (
  attribute: string,
  value: string,
  from: number,
  more: { ended?: boolean; timestamp?: number; recordedAt?: number; id?: string } = {},
): Fact => ({
  id: more.id ?? `obs_${String(++made).padStart(3, '0')}`,
  timestamp: more.timestamp ?? from,
  recordedAt: more.recordedAt ?? 0,
  fact: { subjectId: 'ent_1', subject: 'Ada', attribute, value, validFrom: from, ended: more.ended ?? false },
});

const seen = (facts: readonly Fact[], moment = 1_000) =>
  whatHeld(facts, moment).map(({ said: [{ fact }], from, until }) => [fact.value, from, until]);
const now = (facts: readonly Fact[], moment = 1_000) =>
  holding(whatHeld(facts, moment)).map(({ said: [{ fact }] }) => fact.value);

/** Every order of a list. */
const orders = <T>(items: readonly T[]): T[][] =>
  items.length < 2
    ? [[...items]]
    : items.flatMap((item, i) => orders(items.toSpliced(i, 1)).map(rest => [item, ...rest]));

describe('one value at a time', () => {
  const lisbon = fact('home', 'Lisbon', 10);
  const porto = fact('home', 'Porto', 20);
  const again = fact('home', 'the  PORTO!', 30);
  const left = fact('home', 'Porto', 40, { ended: true });
  const rome = fact('home', 'Rome', 50);

  it('is replaced by what began later, whatever the order in which it was recorded', () => {
    for (const facts of orders([lisbon, porto, again, left, rome]))
      expect(seen(facts)).toEqual([
        ['Lisbon', 10, 20],
        ['the  PORTO!', 20, 40],
        ['Rome', 50, undefined],
      ]);
  });

  it('is one fact with all that say it, the latest first', () => {
    const [, period] = whatHeld([lisbon, porto, again], 1_000);
    expect(period!.said.map(({ id }) => id)).toEqual([again.id, porto.id]);
    expect(period!.endedBy).toBeUndefined();
  });

  it('is decided at a moment: what begins later is a plan', () => {
    expect(now([lisbon, porto], 15)).toEqual(['Lisbon']);
    expect(now([lisbon, porto], 20)).toEqual(['Porto']);
    expect(now([lisbon, porto], 5)).toEqual([]);
  });

  it('of one instant is what was said later, then recorded later, then of the greater id', () => {
    const at = (value: string, more: object) => fact('home', value, 10, more);
    expect(now([at('A', { timestamp: 2 }), at('B', { timestamp: 1 })])).toEqual(['A']);
    expect(now([at('A', { timestamp: 1, recordedAt: 2 }), at('B', { timestamp: 1, recordedAt: 1 })])).toEqual(
      ['A'],
    );
    expect(now([at('A', { id: 'obs_b' }), at('B', { id: 'obs_a' })])).toEqual(['A']);
  });

  it('is ended by a denial of it, or of whatever holds, and by no other', () => {
    expect(now([lisbon, fact('home', 'Paris', 30, { ended: true })])).toEqual(['Lisbon']);
    expect(now([lisbon, fact('home', '', 30, { ended: true })])).toEqual([]);
    expect(now([fact('home', 'Lisbon', 5, { ended: true }), lisbon])).toEqual(['Lisbon']);
  });

  it('holds again when what came after it is gone', () => {
    expect(now([lisbon, porto])).toEqual(['Porto']);
    expect(now([lisbon])).toEqual(['Lisbon']);
  });
});

describe('values side by side', () => {
  it('add up, and a denial ends the one that it names, or all', () => {
    const cats = fact('allergy', 'cats', 10);
    const nuts = fact('allergy', 'nuts', 20);
    expect(now([cats, nuts])).toEqual(['cats', 'nuts']);
    expect(now([cats, nuts, fact('allergy', 'Cats', 30, { ended: true })])).toEqual(['nuts']);
    expect(now([cats, nuts, fact('allergy', '', 30, { ended: true })])).toEqual([]);
  });

  it('of an attribute that nobody knows are kept all', () => {
    expect(now([fact('shoe_colour', 'red', 10), fact('shoe_colour', 'blue', 20)])).toEqual(['red', 'blue']);
  });
});

describe('what stands', () => {
  it('takes names of one person for one subject, and names of two for two', () => {
    const of = (subject: string, value: string, from: number) => {
      const one = fact('home', value, from);
      return { ...one, fact: { ...one.fact, subject, subjectId: `ent_${subject}` } };
    };
    const [mel, melanie] = [of('Melanie', 'Lisbon', 1), of('Mel', 'Porto', 2)];
    expect([...standingOf([mel, melanie], 1_000).superseded.keys()]).toEqual([mel.id]);
    const two = [of('Anna', 'Lisbon', 1), of('Anne', 'Porto', 2)];
    expect(standingOf(two, 1_000).superseded.size).toBe(0);
  });

  it('names what holds instead of every earlier value, not the one between', () => {
    const [a, b, c] = [fact('job', 'nurse', 1), fact('job', 'medic', 2), fact('job', 'pilot', 3)];
    const { superseded } = standingOf([a, b, c], 1_000);
    expect([...superseded].map(([id, { by, until }]) => [id, by.id, until])).toEqual([
      [a.id, c.id, 2],
      [b.id, c.id, 3],
    ]);
  });

  it('leaves a value alone that holds again', () => {
    const [a, b, c] = [fact('home', 'Lisbon', 1), fact('home', 'Porto', 2), fact('home', 'Lisbon', 3)];
    expect([...standingOf([a, b, c], 1_000).superseded.keys()]).toEqual([b.id]);
  });

  it('names the denial where nothing holds, and drops the denial once something does', () => {
    const [a, quit, c] = [
      fact('employer', 'Acme', 1),
      fact('employer', 'Acme', 2, { ended: true }),
      fact('employer', 'Globex', 3),
    ];
    expect([...standingOf([a, quit], 1_000).superseded].map(([id, { by }]) => [id, by.id])).toEqual([
      [a.id, quit.id],
    ]);
    expect([...standingOf([a, quit, c], 1_000).superseded].map(([id, { by }]) => [id, by.id])).toEqual([
      [a.id, c.id],
      [quit.id, c.id],
    ]);
  });
});
