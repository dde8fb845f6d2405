import { describe, expect, it } from 'vitest';
import { aliasesOf, type Mentioned } from '../../../../../domain/facts/names/aliases.ts';

/** "Melanie 9" is mentioned nine times; without a number, once. */
const mentioned = (...labels: string[]): Mentioned[] =>
  labels.map(each => {
    const [, label = each, mentions = '1'] = /^(.*?)(?: (\d+))?$/.exec(each)!;
    return { label, mentions: Number(mentions) };
  });
/** Whether two labels are one of these pairs. */
const apart =
  (...pairs: [string, string][]) =>
  (one: string, other: string): boolean =>
    pairs.some(pair => pair.includes(one) && pair.includes(other));
const merged = (...labels: string[]): Record<string, string> =>
  Object.fromEntries([...aliasesOf(mentioned(...labels))].map(([key, { canonical }]) => [key, canonical]));

describe('aliases', () => {
  it('merge by a short form when one such name is there', () => {
    expect(merged('Mel', 'Melanie')).toEqual({ mel: 'Melanie' });
    expect(merged('Mike', 'Michael', 'Ann')).toEqual({ mike: 'Michael' });
    expect(merged('Mike Price', 'Michael Price', 'Michael Short')).toEqual({ 'mike price': 'Michael Price' });
    expect(merged('Bill', 'William Short')).toEqual({ bill: 'William Short' });
    expect(merged('Mel', 'Melanie', 'Melanie Price')).toEqual({
      mel: 'Melanie Price',
      melanie: 'Melanie Price',
    });
  });

  it('merge by a first name when one full name begins with it', () => {
    expect(merged('Ben', 'Ben Short')).toEqual({ ben: 'Ben Short' });
    expect(merged('Marlon', 'Marlon S')).toEqual({ marlon: 'Marlon S' });
    expect(merged('Vikram D', 'Vikram Desai', 'Vikram', 'Vik')).toEqual({
      'vikram d': 'Vikram Desai',
      vikram: 'Vikram Desai',
      vik: 'Vikram Desai',
    });
  });

  it('merge with a title, and without', () => {
    expect(merged('Dr. Anna Meier', 'Anna Meier')).toEqual({ 'dr. anna meier': 'Anna Meier' });
    expect(merged('Aunt Perpie', 'Perpie', 'Auntie Perpie')).toEqual({
      'aunt perpie': 'Perpie',
      'auntie perpie': 'Perpie',
    });
    expect(merged('Mrs Lee', 'Ms. Lee', 'Lee')).toEqual({ 'mrs lee': 'Lee', 'ms. lee': 'Lee' });
  });

  it('merge a typo with a name that is mentioned far more often', () => {
    expect(merged('Melanei', 'Melanie 9')).toEqual({ melanei: 'Melanie' });
    expect(merged('Mell', 'Mel 6', 'Melanie 30')).toEqual({ mell: 'Melanie', mel: 'Melanie' });
    expect(merged('Mell', 'Melanie 9')).toEqual({ mell: 'Melanie' });
    expect(merged('Rukmni', 'Rukmini 8')).toEqual({ rukmni: 'Rukmini' });
  });

  it('keep the evidence', () => {
    const found = aliasesOf(mentioned('Mell', 'Mel 6', 'Melanie Price 30'));
    expect(found.get('mel')).toEqual({
      canonical: 'Melanie Price',
      rule: 'short_form',
      matched: 'Melanie Price',
    });
    expect(found.get('mell')).toEqual({ canonical: 'Melanie Price', rule: 'typo', matched: 'Mel' });
    expect(aliasesOf(mentioned('Ben', 'Ben Short')).get('ben')?.rule).toBe('first_name');
    expect(aliasesOf(mentioned('Dr Short', 'Short')).get('dr short')?.rule).toBe('honorific');
    expect(aliasesOf(mentioned('Ben S', 'Ben Short')).get('ben s')?.rule).toBe('initial');
  });

  it.each([
    ['two names fit a short form', 'Sam', 'Samuel', 'Samantha'],
    ['two names fit a short form', 'Mel', 'Melanie', 'Melissa'],
    ['two names fit a short form', 'Sam', 'Sam Jones', 'Samuel Lee'],
    ['two names fit a short form', 'Chris', 'Christopher Lee', 'Christina Lee'],
    ['two full names begin with it', 'Marlon', 'Marlon S', 'Marlon T'],
    ['two full names fit an initial', 'Vikram D', 'Vikram Desai', 'Vikram Das'],
    ['other names', 'Ann 1', 'Anna 50', 'Anne 50'],
    ['other names', 'Jon', 'John 50'],
    ['other names', 'Marta', 'Maria 50'],
    ['other names', 'Eva', 'Ava 50', 'Eve 50'],
    ['other names', 'Mia', 'Mina', 'Mila'],
    ['a short form of another name', 'Liz', 'Melanie', 'Lisa'],
    ['a surname', 'Price', 'Melanie Price'],
    ['a surname', 'Melanie Price', 'Michael Price'],
    ['a surname', 'Ms Vargas', 'Elena Vargas'],
    ['titles of two people', 'Mr Lee', 'Mrs Lee', 'Lee'],
    ['titles of two people', 'Aunt Robin', 'Uncle Robin', 'Robin'],
    ['a short form with another surname', 'Mike Price', 'Michael Short'],
    ['a typo as frequent as the name', 'Melanei 3', 'Melanie 9'],
    ['a typo of a short name', 'Immo', 'Imno 50'],
    ['a typo of two names', 'Rukminu', 'Rukmini 50', 'Rukmina 50'],
    ['another first letter', 'Gelanie', 'Melanie 50'],
    ['handles, roles and numbers', '@ben', 'Ben Short', 'user', 'User 1', 'R2D2', 'R2D3 50'],
    ['nobody', ''],
  ])('do not merge: %s', (_, ...labels) => {
    expect(merged(...labels)).toEqual({});
  });

  it('are undone by a correction', () => {
    const labels = mentioned('Mell', 'Mel 9', 'Melanie 50', 'Melissa Price');
    expect([...aliasesOf(mentioned('Mel 9', 'Melanie 50')).keys()]).toEqual(['mel']);
    expect([...aliasesOf(mentioned('Mel 9', 'Melanie 50'), apart(['melanie', 'mel']))]).toEqual([]);
    // It doesn't become the next best one.
    expect(aliasesOf(labels, apart(['mel', 'melanie'])).has('mel')).toBe(false);
    // Nor through another label of the same person.
    const through = mentioned('Mel', 'Melanie', 'Melanie Price');
    expect([...aliasesOf(through, apart(['mel', 'melanie price'])).keys()]).toEqual(['melanie']);
  });

  it('are the same in any order, and spelled as mostly', () => {
    const labels = mentioned(
      'melanie 2',
      'Melanie 9',
      'MELANIE',
      'Mel',
      'Mell',
      'Ben',
      'Ben Short',
      'Dr Short',
    );
    const sorted = (found: Map<string, unknown>) => [...found].sort(([a], [b]) => (a < b ? -1 : 1));
    const one = sorted(aliasesOf(labels));
    expect(sorted(aliasesOf(labels.toReversed()))).toEqual(one);
    expect(Object.fromEntries(one)).toMatchObject({
      mel: { canonical: 'Melanie' },
      mell: { canonical: 'Melanie' },
    });
  });
});
