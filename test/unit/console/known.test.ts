import { describe, expect, it } from 'vitest';
import type { EntityItem, FactItem } from '../../../console/src/api/types.ts';
import { inWords, makeNamed, subjectsOf, withoutFacts } from '../../../console/src/pages/facts/known.ts';

const fact = (label: string, attribute: string, value: string, from = 1, until?: number): FactItem => ({
  id: `obs_${label}${attribute}${value}`,
  user_id: 'ada',
  session_id: 'monday',
  subject: { id: `ent_${label}`, label },
  attribute,
  about: null,
  value,
  value_id: `ent_${value}`,
  text: '',
  valid_from: `2026-0${from}-01T00:00:00.000Z`,
  valid_until: until === undefined ? null : `2026-0${until}-01T00:00:00.000Z`,
  stance: 'holds',
  certainty: 1,
  superseded_by: null,
  disputed_by: [],
  source_turn_ids: ['trn_1'],
  source: 'client',
  recorded_at: null,
});
const entity = (label: string, turns = 1, ...others: string[]): EntityItem => ({
  id: `ent_${label}`,
  user_id: 'ada',
  label,
  kind: 'person',
  turns,
  aliases: others.map(other => ({
    id: `ent_${other}`,
    label: other,
    turns: 1,
    rule: 'short_form',
    matched: label,
  })),
});

const NOW = Date.parse('2026-06-15T00:00:00Z');
/** As the service orders them: by attribute, then subject. */
const FACTS = [
  fact('Ada', 'home', 'Lyon', 1, 3),
  fact('Ada', 'home', 'Paris', 3, 6),
  fact('Ada', 'home', 'Porto', 6),
  fact('Ben', 'job', 'baker'),
  fact('Ada', 'sibling', 'grace'),
  fact('Ben', 'friend', 'Grace', 1, 2),
];

describe('what is known of a user', () => {
  it('is by subject, the one with most attributes first, and by attribute; what held comes apart, latest first', () => {
    const shown = subjectsOf([...FACTS, fact('Ada', 'age', '41')], NOW).map(({ label, attributes }) => [
      label,
      ...attributes.map(({ attribute, holds, held }) => [
        attribute,
        holds.map(({ value }) => value),
        held.map(({ value }) => value),
      ]),
    ]);
    expect(shown).toEqual([
      ['Ada', ['age', ['41'], []], ['home', ['Porto'], ['Paris', 'Lyon']], ['sibling', ['grace'], []]],
      ['Ben', ['friend', [], ['Grace']], ['job', ['baker'], []]],
    ]);
    expect(subjectsOf([], NOW)).toEqual([]);
  });

  it('has what is planned apart until it begins, and what it is of each in a row of its own', () => {
    const plan = { ...fact('Ada', 'home', 'Rome', 8), stance: 'plan' as const };
    const shown = (now: number) =>
      subjectsOf([fact('Ada', 'home', 'Porto', 6), plan], now)[0]!.attributes.map(({ holds, planned }) => [
        holds.map(({ value }) => value),
        planned.map(({ value }) => value),
      ]);
    expect(shown(NOW)).toEqual([[['Porto'], ['Rome']]]);
    expect(shown(Date.parse('2026-08-02T00:00:00Z'))).toEqual([[['Rome', 'Porto'], []]]);
    const budgets = ['laptop', 'trip'].map(about => ({ ...fact('Ada', 'budget', about), about }));
    expect(subjectsOf(budgets, NOW)[0]!.attributes.map(({ about }) => about)).toEqual(['laptop', 'trip']);
  });

  it('links a value that names a subject or an entity, whatever its case, and no other', () => {
    const named = makeNamed(FACTS, [entity('Grace'), entity('Porto', 1, 'Oporto')]);
    expect(named('oporto')).toBe('Oporto');
    expect(['grace', ' GRACE ', 'Porto', 'ben', 'baker', ''].map(named)).toEqual([
      'Grace',
      'Grace',
      'Porto',
      'Ben',
      undefined,
      undefined,
    ]);
  });

  it('has the names that no fact is about, those that are named most first', () => {
    const entities = [entity('Ada', 9), entity('Rome', 1), entity('Grace', 3)];
    expect(withoutFacts(entities, subjectsOf(FACTS, NOW)).map(({ label }) => label)).toEqual([
      'Grace',
      'Rome',
    ]);
    expect(withoutFacts([entity('Benjamin', 2, 'Ben')], subjectsOf(FACTS, NOW))).toEqual([]);
  });

  it('writes an attribute in words', () => {
    expect(inWords('favourite_colour')).toBe('favourite colour');
  });
});
