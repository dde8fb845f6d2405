import { describe, expect, it } from 'vitest';
import type { SaidOfNames } from '../../../../../domain/facts/names/names.ts';
import { namesOf } from '../../../../../domain/facts/names/names.ts';

/** "Melanie 9" is mentioned nine times. */
const labels = (...named: string[]) =>
  named.map(each => {
    const [, label = each, mentions = '1'] = /^(.*?)(?: (\d+))?$/.exec(each)!;
    return { label, mentions: Number(mentions), isPerson: true };
  });
const said = (entity: string, more: Partial<SaidOfNames>): SaidOfNames => ({
  entity,
  label: null,
  merge_into: null,
  split: [],
  names: [entity],
  into_names: more.merge_into ? [more.merge_into] : [],
  ...more,
});
const merge = (entity: string, merge_into: string, more: Partial<SaidOfNames> = {}) =>
  said(entity, { merge_into, ...more });
const split = (entity: string, ...names: string[]) => said(entity, { split: names });
const label = (entity: string, label: string) => said(entity, { label });

/** Whom each label stands for, where it is another one, and by what. */
const stands = (read: readonly string[], corrections: readonly SaidOfNames[], into?: 'any') =>
  Object.fromEntries(
    [...namesOf(labels(...read), corrections, into).standing]
      .filter(([key, one]) => one.key !== key)
      .map(([key, one]) => [key, [one.key, one.rule]]),
  );
const shown = (read: readonly string[], corrections: readonly SaidOfNames[], into?: 'any') =>
  Object.fromEntries(
    [...namesOf(labels(...read), corrections, into).standing].map(([key, one]) => [key, one.label]),
  );

describe('names', () => {
  it('are one by the rules, until somebody says otherwise; the later one counts', () => {
    const read = ['Mel', 'Melanie'];
    const [apart, one] = [split('Melanie', 'Mel'), merge('Mel', 'Melanie')];
    expect(stands(read, [])).toEqual({ mel: ['melanie', 'short_form'] });
    expect(stands(read, [apart])).toEqual({});
    expect(stands(read, [apart, one])).toEqual({ mel: ['melanie', 'correction'] });
    expect(stands(read, [one, apart])).toEqual({});
    expect(stands(read, [apart, one, apart])).toEqual({});
  });

  it('merge whatever they look like, and what a rule merged goes along', () => {
    expect(
      stands(['Rex', 'Mel', 'Melanie'], [merge('Melanie', 'Rex', { names: ['Melanie', 'Mel'] })]),
    ).toEqual({
      melanie: ['rex', 'correction'],
      mel: ['rex', 'short_form'],
    });
    // Other kinds merge by corrections alone.
    const places = [
      { label: 'Ann', mentions: 1, isPerson: false },
      { label: 'Ann Arbor', mentions: 1, isPerson: false },
    ];
    expect(namesOf(places, []).standing.size).toBe(0);
    expect(namesOf(places, [merge('Ann', 'Ann Arbor')]).standing.get('ann')?.key).toBe('ann arbor');
  });

  it('that were set apart are not merged by a rule through a third one', () => {
    const read = ['Mel', 'Melanie', 'Melanie Price'];
    // Apart from all that the entity was called.
    expect(
      stands(read, [said('Melanie Price', { split: ['Mel'], names: ['Melanie Price', 'Melanie'] })]),
    ).toEqual({
      melanie: ['melanie price', 'first_name'],
    });
    // Melanei is a typo of Melanie, who is whom Mel is, too.
    expect(stands(['Melanei', 'Mel', 'Melanie 9', 'Melanie Price'], [])).toHaveProperty('melanei');
    expect(stands(['Melanei', 'Mel', 'Melanie 9', 'Melanie Price'], [split('Mel', 'Melanei')])).toEqual({
      mel: ['melanie price', 'short_form'],
      melanie: ['melanie price', 'first_name'],
    });
    // Mell is Mel's, and Mel may be Melanie, who isn't Mell.
    const corrections = [split('Melanie', 'Mell'), merge('Mell', 'Mel')];
    expect(stands(['Mell', 'Mel', 'Melanie'], corrections)).toEqual({ mell: ['mel', 'correction'] });
  });

  it('of a merge are one with all names of the other side, whoever was set apart before', () => {
    const before = said('Melanie', { split: ['Mel'], names: ['Melanie', 'Mell'] });
    const read = ['Mel', 'Mell', 'Melanie'];
    expect(
      stands(read, [before, merge('Mel', 'Melanie', { into_names: ['Melanie', 'Mell'] })]),
    ).toMatchObject({
      mel: ['melanie', 'correction'],
    });
    // Only one of three is taken out again.
    const all = [merge('A', 'B'), merge('B', 'C', { names: ['B', 'A'] })];
    expect(stands(['A', 'B', 'C'], all)).toEqual({ a: ['c', 'correction'], b: ['c', 'correction'] });
    expect(stands(['A', 'B', 'C'], [...all, said('C', { split: ['A'], names: ['C', 'B'] })])).toEqual({
      b: ['c', 'correction'],
    });
    expect(stands(['A', 'B', 'C'], [...all, said('C', { split: ['A', 'B'], names: ['C'] })])).toEqual({
      a: ['b', 'correction'],
    });
    // A merge through the one that is taken out stays.
    expect(stands(['A', 'B', 'C'], [...all, said('C', { split: ['B'], names: ['C', 'A'] })])).toEqual({
      a: ['c', 'correction'],
    });
  });

  it('are listed under the last target, and a circle of merges ends', () => {
    expect(stands(['A', 'B'], [merge('A', 'B'), merge('B', 'A')])).toEqual({ b: ['a', 'correction'] });
    expect(stands(['Mel', 'Melanie'], [merge('Melanie', 'Mel')])).toEqual({ melanie: ['mel', 'correction'] });
    const circle = [merge('A', 'B'), merge('B', 'C'), merge('C', 'A')];
    expect(stands(['A', 'B', 'C'], circle)).toEqual({ b: ['a', 'correction'], c: ['a', 'correction'] });
    expect(stands(['A', 'B'], [merge('A', 'A')])).toEqual({});
  });

  it('are the same whichever others were read, and in any order', () => {
    const corrections = [merge('A', 'B'), merge('C', 'B')];
    // Their target was erased, or is in another session.
    expect(stands(['A', 'C'], corrections)).toEqual({ c: ['a', 'correction'] });
    expect(stands(['A', 'C'], corrections, 'any')).toEqual({
      a: ['b', 'correction'],
      c: ['b', 'correction'],
    });
    expect(stands(['C', 'A'], corrections)).toEqual({ c: ['a', 'correction'] });
    expect(shown(['A', 'C'], [...corrections, label('B', 'Secret')])).toEqual({ c: 'A' });
    expect(shown(['A'], [...corrections, label('B', 'Bea')], 'any')).toEqual({ a: 'Bea' });
  });

  it('are shown as they were labelled last, and with a merge as the target is', () => {
    const read = ['Mel', 'Melanie'];
    expect(shown(read, [label('Melanie', 'Nell'), label('Melanie', 'Nelly')])).toEqual({
      mel: 'Nelly',
      melanie: 'Nelly',
    });
    // A label of what a rule came to merge later.
    expect(shown(read, [label('Mel', 'Nell')])).toEqual({ mel: 'Nell', melanie: 'Nell' });
    const apart = split('Melanie', 'Mel');
    expect(shown(read, [label('Mel', 'Nell'), apart])).toEqual({ mel: 'Nell' });
    const merged = [apart, label('Mel', 'Nell'), merge('Mel', 'Melanie')];
    expect(shown(read, merged)).toEqual({ mel: 'Melanie' });
    expect(shown(read, [apart, merge('Mel', 'Melanie', { label: 'Both' })])).toEqual({
      mel: 'Both',
      melanie: 'Both',
    });
  });
});

it('are folded once for an array of corrections, whoever asks', () => {
  let reads = 0;
  const counted = Array.from({ length: 1_000 }, (_, n) => {
    const one = merge(`Name-${n}`, `Name-${n + 1}`);
    return {
      ...one,
      get names() {
        reads++;
        return one.names;
      },
    };
  });
  const read = ['Name-1', 'Name-700', 'Name-1000'];
  const first = stands(read, counted);
  expect(first).toMatchObject({
    'name-1': ['name-1000', 'correction'],
    'name-700': ['name-1000', 'correction'],
  });
  expect(reads).toBeGreaterThan(0);
  reads = 0;
  expect(stands(read, counted)).toEqual(first);
  stands(['Name-5'], counted, 'any');
  expect(reads).toBe(0);
});
