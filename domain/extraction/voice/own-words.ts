/**
 * Whose words a turn holds. People paste mails, quote others, give texts to translate and play roles: a first
 * person in there is not the speaker, so that nothing in it is a fact about anybody.
 */
import { framesIn } from './frames.ts';
import { quotationsIn } from './quotations.ts';
import type { Range } from './range.ts';
import { structuresIn } from './structures.ts';

/** Stands for foreign words in the speaker's text, as a word of their sentence. */
export const FOREIGN = '\uFFFC';

export interface Voices {
  /** The speaker's words, with `FOREIGN` where there were others'. */
  own: string;
  /** The words of others, in text order. */
  foreign: string[];
}

/** Separates a speaker's own words from those that they only pass on. Linear in the text's length. */
export function voicesIn(text: string): Voices {
  const ranges = joined([...structuresIn(text), ...quotationsIn(text), ...framesIn(text)]);
  if (ranges.length === 0) return { own: text, foreign: [] };
  const foreign: string[] = [];
  let own = '';
  let at = 0;
  for (const { from, to } of ranges) {
    own += `${text.slice(at, from)} ${FOREIGN} `;
    foreign.push(text.slice(from, to));
    at = to;
  }
  return { own: own + text.slice(at), foreign };
}

/** Joins ranges that overlap, in text order. */
function joined(ranges: Range[]): Range[] {
  const all: Range[] = [];
  for (const range of ranges.sort((a, b) => a.from - b.from)) {
    const last = all.at(-1);
    if (last !== undefined && range.from <= last.to) last.to = Math.max(last.to, range.to);
    else all.push({ ...range });
  }
  return all;
}
