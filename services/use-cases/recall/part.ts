/** Of a long turn, or a client's long observation, the part that matters for the question. */
import { passageAt, type Span } from '../../../projections/language/passages.ts';
import type { Candidate } from '../../../projections/recall/document.ts';
import { codePoints } from '../../../schemas/code-points.ts';
import type { ChosenHit, StoredFragment } from '../../core/ports.ts';

type Chosen = Pick<Exclude<ChosenHit, { kind: 'entity' }>, 'fragment' | 'part'>;

/** The passage that a candidate was ranked by. It is found in the text again, so that no index has to store it. */
export const rankedPart = (
  { part }: Pick<Candidate, 'part'>,
  { text }: Pick<StoredFragment, 'text'>,
): Span | undefined => part && passageAt(text, part.index);

/** The words of the part; all of a text without one. */
export const wordsOfPart = ({ fragment: { text }, part }: Chosen): string =>
  part ? text.slice(part.from, part.to) : text;

/** Whether words were left out before and after it. */
export const leftOut = ({ fragment: { text }, part }: Chosen) =>
  part && {
    before: text.slice(0, part.from).trim() !== '',
    after: text.slice(part.to).trim() !== '',
  };

/** As the contract names it: in characters. */
export const partInCharacters = ({ fragment: { text }, part }: Chosen): Span | undefined => {
  if (!part) return undefined;
  const from = codePoints(text.slice(0, part.from));
  return { from, to: from + codePoints(text.slice(part.from, part.to)) };
};

/** The words that such a part has. */
export const wordsBetween = (text: string, { from, to }: Span): string =>
  Array.from(text).slice(from, to).join('');
