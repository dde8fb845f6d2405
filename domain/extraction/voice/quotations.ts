import type { Range } from './range.ts';

const PAIRS = /"([^"\n]{2,2000})"|“([^“”]{2,2000})”|«([^«»]{2,2000})»|„([^„“”]{2,2000})[“”]/g;
const MAY_QUOTE = /["“«„]/;
const FIRST_PERSON = /\b(?:i|i['’](?:m|ve|d|ll)|me|my|mine|we|us|our|ours)\b/i;

/**
 * Returns the quotations in which somebody speaks of themselves. Titles, nicknames and words that are only
 * named stay the speaker's.
 */
export function quotationsIn(text: string): Range[] {
  if (!MAY_QUOTE.test(text)) return [];
  const ranges: Range[] = [];
  for (const match of text.matchAll(PAIRS)) {
    const said = match[1] ?? match[2] ?? match[3] ?? match[4] ?? '';
    if (FIRST_PERSON.test(said)) ranges.push({ from: match.index, to: match.index + match[0].length });
  }
  return ranges;
}
