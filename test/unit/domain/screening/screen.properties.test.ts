import fc from 'fast-check';
import { expect, it } from 'vitest';
import { RULES } from '../../../../domain/screening/rules.ts';
import { placeholder, type Screened, screen } from '../../../../domain/screening/screen.ts';
import { expectProperty } from '../../../support/properties.ts';
import { SECRETS } from './secrets.ts';

const secret = fc.constantFrom(...Object.values(SECRETS).flat());
/** Pieces of rules and of what is around them, so that many texts are nearly secrets. */
const piece = fc.oneof(
  secret,
  fc.constantFrom(...RULES.map(({ name }) => placeholder(name))),
  fc.constantFrom(
    ' ',
    '\n',
    '"',
    "'",
    '=',
    ':',
    '@',
    '/',
    '-',
    '_',
    '.',
    '(',
    ')',
    '\\n',
    '://',
    'db://',
    'u:',
    'TOKEN=',
    'password: "',
  ),
  fc.constantFrom(
    'AKIA',
    'ghp_',
    'sk-',
    'eyJ',
    '4111',
    ' 1111',
    'DE89',
    '-----BEGIN PRIVATE KEY-----',
    '4111 1111 1111 1112',
    'x1',
    'é',
    '\u{1f600}',
  ),
  fc.string({ maxLength: 6 }),
);
const text = fc.array(piece, { maxLength: 12 }).map(pieces => pieces.join(''));

const screened = (from: string): { to: string; counts: Screened } => {
  const counts: Screened = {};
  return { to: screen(from, counts), counts };
};
const total = (counts: Screened): number => Object.values(counts).reduce((sum, one) => sum + one, 0);
const placeholdersIn = (one: string): number => one.match(/\(secret: [a-z-]+\)/g)?.length ?? 0;

it('counts what it replaces, and changes a text only where it counts', () =>
  expectProperty(text, from => {
    const { to, counts } = screened(from);
    expect(to === from).toBe(total(counts) === 0);
    expect(placeholdersIn(to)).toBe(placeholdersIn(from) + total(counts));
  }));

it('leaves no secret that stands by itself, among whatever texts', () =>
  expectProperty(text, secret, text, (before, one, after) => {
    expect(screened(`${before}\n\n${one}\n\n${after}`).to).not.toContain(`\n\n${one}\n\n`);
  }));

it('says the same of a text whichever was screened before it', () =>
  expectProperty(text, text, (first, second) => {
    const alone = screened(second);
    screened(first);
    expect(screened(second)).toEqual(alone);
  }));

it('changes nothing when it is done again, where no secret is glued to another', () =>
  expectProperty(fc.array(piece, { maxLength: 12 }), pieces => {
    const { to } = screened(pieces.join(' '));
    expect(screened(to)).toEqual({ to, counts: {} });
  }));
