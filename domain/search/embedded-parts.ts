import { passagesOf } from '../language/passages.ts';

/** Characters of a part: within the 512 tokens that small models read, in languages with an alphabet. */
const MOST = 1_500;
/** Characters of a short turn; it has no more than 80 words, either. */
const MOST_SHORT = 500;
/** A part is no shorter, so that a break in it doesn't make two of it. */
const LEAST = 500;

const BREAKS = [/\n\s*\n/g, /\n/g, /[.!?…。！？]["'”’)\]]*\s/g, /\s/g];

/** A turn's text and its speaker. */
export interface SaidTurn {
  role: string;
  text: string;
}

/** The texts of a turn that get a vector each. */
export interface EmbeddedTexts {
  /**
   * The turn with the one before it, by which it is compared with those around it: "Since May." has to be
   * read with its question. Only where both are short.
   */
  inContext: string | undefined;
  /** The turn's own text, in parts. */
  parts: string[];
}

/** @param before the turn before it in its session, if that may be read */
export const embeddedTexts = (turn: SaidTurn, before?: SaidTurn): EmbeddedTexts => {
  const parts = embeddedParts(turn.text);
  const isRead = before !== undefined && parts.length > 0 && [before, turn].every(isShort);
  const inContext = isRead
    ? `${before.role}: ${before.text.trim()}\n${turn.role}: ${turn.text.trim()}`
    : undefined;
  return { inContext, parts };
};

/**
 * Whether it is read with another one: then both fit into what small models read, unless they are all numbers
 * or addresses.
 */
export const isShort = ({ text }: SaidTurn): boolean =>
  text.trim() !== '' && text.length <= MOST_SHORT && passagesOf(text).length === 0;

/**
 * The parts of a turn that get a vector each, which together are all of it. A model reads only so much, and a
 * long text's one vector says little of any part. A part ends at a paragraph, a line, a sentence or a word,
 * whichever of these is found first.
 */
export const embeddedParts = (text: string): string[] => {
  const parts: string[] = [];
  let rest = text.trim();
  while (rest.length > MOST) {
    const end = endOfPart(rest);
    parts.push(rest.slice(0, end).trimEnd());
    rest = rest.slice(end).trimStart();
  }
  return rest === '' ? parts : [...parts, rest];
};

const endOfPart = (text: string): number => {
  const within = text.slice(0, MOST);
  for (const pattern of BREAKS) {
    const last = [...within.matchAll(pattern)].at(-1);
    const end = last ? last.index + last[0].length : 0;
    if (end >= LEAST) return end;
  }
  // Not between the halves of a character.
  const code = text.charCodeAt(MOST - 1);
  return code >= 0xd800 && code < 0xdc00 ? MOST - 1 : MOST;
};
