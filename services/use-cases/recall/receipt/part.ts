/** The part of a long turn, or of a client's long observation, that matters for the question. */

import type { ChosenHit } from '../../../../core/ports.ts';
import { passageAt, type Span } from '../../../../domain/language/passages.ts';
import { codePoints } from '../../../../schemas/code-points.ts';

type Chosen = Pick<Exclude<ChosenHit, { kind: 'entity' }>, 'fragment' | 'part'>;

/**
 * The hits of one answer with their parts, which are found in the text again, so that no index has to store
 * them. Each is looked for once, also where a hit is in several lists: it takes milliseconds of the longest
 * texts.
 */
export const makeWithPart = () => {
  const known = new Map<string, Span | undefined>();
  return (hit: ChosenHit): ChosenHit => {
    if (hit.kind === 'entity' || hit.passage === undefined) return hit;
    const { fragment, passage } = hit;
    const key = `${fragment.id} ${passage}`;
    if (!known.has(key)) known.set(key, passageAt(fragment.text, passage));
    return { ...hit, part: known.get(key) };
  };
};

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
