/** As long as a turn may be, and hard to cut into passages. */
const LENGTH = 65_536;
const filled = (with_: string): string => with_.repeat(LENGTH).slice(0, LENGTH);
export const LONGEST_TEXTS = {
  'one word': filled('a'),
  'words of one letter': filled('a '),
  'lines of one letter': filled('a\n'),
  'line feeds': filled('\n'),
  spaces: filled(' '),
  'spaces before words': `${' '.repeat(LENGTH - 1_000)}${'word '.repeat(200)}`,
  'spaces after words': `${'word '.repeat(200)}${' '.repeat(LENGTH - 1_000)}`,
  fences: filled('```\n'),
  'an open fence': `\`\`\`\n${filled('a b\n').slice(4)}`,
  items: filled('- a\n'),
  'headings of nothing': filled('## a\n\n'),
  colons: filled('a :\n'),
  stars: filled('**a**\n'),
  'sentence ends': filled('... "').concat('word '.repeat(100)).slice(-LENGTH),
  'Han without spaces': filled('漢'),
  'Han of two units': '𠮷'.repeat(LENGTH),
  emoji: '😀'.repeat(LENGTH),
  'blanks that no script has': filled('\u00a0\u2003\u3000a'),
  'a line of such blanks': `a\n${'\u2003 '.repeat(LENGTH / 2 - 2)}\nb`,
};
