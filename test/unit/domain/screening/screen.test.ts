import { describe, expect, it } from 'vitest';
import { RULES } from '../../../../domain/screening/rules.ts';
import { placeholder, type Screened, screen } from '../../../../domain/screening/screen.ts';
import { IN_PLACE, SECRETS } from './secrets.ts';
import { UNTOUCHED } from './untouched.ts';

const screened = (text: string): { text: string; counts: Screened } => {
  const counts: Screened = {};
  return { text: screen(text, counts), counts };
};

const alone = Object.entries(SECRETS).flatMap(([rule, secrets]) =>
  secrets.map(secret => ({ rule, before: '', secret, after: '' })),
);
const inPlace = Object.entries(IN_PLACE).flatMap(([rule, all]) =>
  all.map(([before, secret, after]) => ({ rule, before, secret, after })),
);
const CASES = [...alone, ...inPlace];

/** Sentences around it, in which nothing else may change. */
const AROUND: [string, string][] = [
  ['', ''],
  ['Here it is: ', '. Keep it safe, please.'],
  ['("', '")'],
  ['x=', '\nnext line'],
  ['name,', ',12/29'],
  ['「', '」'],
];

describe('screening', () => {
  it('has a case of every rule', () => {
    expect(new Set(CASES.map(({ rule }) => rule))).toEqual(new Set(RULES.map(({ name }) => name)));
    expect(new Set(RULES.map(({ name }) => name)).size).toBe(RULES.length);
  });

  it.each(CASES)(
    '$rule replaces $before…$after, and nothing around it',
    ({ rule, before, secret, after }) => {
      for (const [left, right] of AROUND) {
        const { text, counts } = screened(`${left}${before}${secret}${after}${right}`);
        expect(text).toBe(`${left}${before}${placeholder(rule)}${after}${right}`);
        expect(counts).toEqual({ [rule]: 1 });
      }
    },
  );

  it.each(CASES)('$rule finds each of three, $before…$after', ({ rule, before, secret, after }) => {
    const { text, counts } = screened([1, 2, 3].map(() => before + secret + after).join('\n'));
    expect(text).not.toContain(secret);
    expect(counts).toEqual({ [rule]: 3 });
  });

  it('changes nothing when it is done twice', () => {
    for (const { before, secret, after } of CASES) {
      const once = screened(before + secret + after).text;
      expect(screened(once)).toEqual({ text: once, counts: {} });
    }
  });

  it.each(UNTOUCHED.map(text => [text]))('leaves alone: %s', text => {
    expect(screened(text)).toEqual({ text, counts: {} });
  });

  it('leaves alone a picture in base64', () => {
    let seed = 7;
    const byte = (): number => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return seed >> 16;
    };
    const picture = Buffer.from(Array.from({ length: 400_000 }, byte)).toString('base64');
    for (const text of [picture, `data:image/png;base64,${picture}`, `<img src="${picture}">`])
      expect(screened(text).counts).toEqual({});
  });

  it('finds a card behind digits that are none', () => {
    expect(screened('5199 4111 1111 1111 1111').text).toContain(placeholder('card-number'));
    expect(screened('4111 1111 1111 1111 123').text).toBe(`${placeholder('card-number')} 123`);
  });

  it('never makes a text that a role, a label or a URL could not have had', () => {
    for (const { name } of RULES) expect(placeholder(name)).toMatch(/^\(secret: [a-z-]+\)$/);
  });
});
