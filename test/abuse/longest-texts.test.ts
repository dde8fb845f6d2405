/**
 * The longest text that the contract takes, in the forms that make patterns and tables work hardest. Whatever
 * reads it takes time in proportion to its length; one that backtracks or compares everything with everything
 * takes minutes.
 */
import { describe, expect, it } from 'vitest';
import { sharedTable } from '../../core/threads/shared-table.ts';
import { countTokens } from '../../core/tokens/count.ts';
import { makeRulesExtractor } from '../../domain/extraction/extract.ts';
import { makeLanguage } from '../../domain/language/language.ts';

const TEXT = 65_536;
const QUERY = 8_192;
/** Processor time: ten times what the slowest form takes. */
const MOST_MS = 1_000;

const PIECES = {
  'one word of a letter': 'a',
  'capitals without a space': 'A',
  'short words in capitals': 'AB ',
  'names, each by itself': 'Anna ',
  'names in a list': 'Anna, ',
  'a title that goes on': 'King of ',
  'dotted initials': 'A.',
  'letters with hyphens': 'a-',
  'letters with apostrophes': "a'",
  'full stops': '.',
  'question marks': '?',
  spaces: ' ',
  tabs: '\t',
  'empty lines': '\n',
  quotes: '"',
  brackets: '(',
  underscores: '_',
  digits: '1',
  'one date after the other': '2026-01-01 ',
  'years after years': 'in 1999 ',
  weekdays: 'on Monday ',
  'times from one to the other': 'between early June and ',
  'days of the clock': 'two weeks ago, ',
  ranges: '1-2 June ',
  'statements without an end': 'I live in Berlin and ',
  statements: 'I was born in Paris. ',
  relatives: 'my mother ',
  'astral letters': '𝔘',
  emoji: '😀',
  ideographs: '漢',
  syllables: '각',
  'syllables in parts': '\u1100\u1161',
  'letters without spaces': 'ก',
  'marks on one letter': '\u0301',
  'letters with joiners': 'a\u200d',
  'a ligature of eighteen letters': '\ufdfa',
  'marks of direction': '\u202e',
} as const;

const language = makeLanguage(new Uint8Array(sharedTable()));
const extract = makeRulesExtractor();
const said = { role: 'user', timestamp: Date.UTC(2026, 2, 1) };

const filled = (piece: string, length: number): string =>
  [...piece.repeat(Math.ceil(length / [...piece].length))].slice(0, length).join('');

/** Milliseconds of this thread's processor time. */
const spent = (work: () => unknown): number => {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
};

describe.each(Object.entries(PIECES))('%s', (_, piece) => {
  const text = filled(piece, TEXT);

  it('is counted, analysed and searched for facts in time', () => {
    expect(spent(() => countTokens(text))).toBeLessThan(MOST_MS);
    expect(spent(() => language.analyse(text, said))).toBeLessThan(MOST_MS);
    expect(spent(() => extract({ ...said, text }))).toBeLessThan(MOST_MS);
  });

  it('is analysed as a question in time', () => {
    expect(spent(() => language.analyseQuery(filled(piece, QUERY), ['user'], { moment: 0 }))).toBeLessThan(
      MOST_MS,
    );
  });
});
