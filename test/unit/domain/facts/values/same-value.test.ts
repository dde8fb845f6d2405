import { describe, expect, it } from 'vitest';
import { abbreviationsIn, normaliseValue, sameValue } from '../../../../../domain/facts/values/same-value.ts';
import { ever, fact, now } from '../../../../support/worlds/facts.ts';

describe('values', () => {
  it.each([
    ['Porto', ' the  PORTO!'],
    ['Zürich', 'Zurich'],
    ['NYC', 'New York City'],
    ['New York', 'N.Y.C.'],
    ['the US', 'United States of America'],
    ['U.K.', 'the United Kingdom'],
    ['1,250 euros', '€1250'],
    ['€1,250.00', '1250 EUR'],
    ['$80k', '80,000 dollars'],
    ['1,250.50 euros a month', '€1250.50/month'],
    ['3 kids', 'three kids'],
    ['thirty-four', '34'],
    ['70kg', '70 kilos'],
    ['1.78 m', '178 cm'],
    ['1.78m', '178cm'],
    ['grey', 'gray'],
    ['my favourite colour', 'favorite color'],
    ['20%', 'twenty percent'],
  ])('%s and %s are one', (a, b) => {
    expect(sameValue(a, b), `${normaliseValue(a)} ≠ ${normaliseValue(b)}`).toBe(true);
  });

  it.each([
    ['C', 'C++'],
    ['C', 'C#'],
    ['1.5', '15'],
    ['Python 3.1', 'Python 3.10'],
    ['€1250', '$1250'],
    ['1250 euros a month', '1250 euros a year'],
    ['York', 'New York'],
    ['🐶', '🐱'],
    ['nuts', 'tree nuts'],
    ['555-0111', '555-0112'],
  ])('%s and %s are two', (a, b) => {
    expect(sameValue(a, b)).toBe(false);
  });

  it('are one with their abbreviation where both were said', () => {
    const long = 'Massachusetts Institute of Technology';
    expect(ever([fact('employer', long, 1), fact('employer', 'MIT', 2)])).toEqual([
      ['MIT', undefined, undefined],
    ]);
    expect([...abbreviationsIn(['MIT', long])]).toEqual([['mit', 'massachusetts institute of technology']]);
    expect(abbreviationsIn(['MIT', long, 'Madras Institute of Technology']).size).toBe(0);
    expect(abbreviationsIn(['mit', long]).size).toBe(0);
  });

  it('are one in what their attribute makes equal', () => {
    expect(now([fact('age', '34', 1), fact('age', '34 years old', 2)])).toEqual(['34 years old']);
    expect(now([fact('child', '2 kids', 1), fact('child', 'two kids', 2)])).toEqual(['two kids']);
    const [bosch] = [fact('employer', 'Bosch GmbH', 1), fact('employer', 'Bosch', 2, { ended: true })];
    expect(now([bosch!, fact('employer', 'Bosch', 2, { ended: true })])).toEqual([]);
  });
});
