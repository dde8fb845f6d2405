/** A piece of a text; `marked` where the words of a query are. */
export interface Piece {
  text: string;
  marked: boolean;
}

const LENGTH = 180;
/** Characters before the first word that is marked, so that it is read in its sentence. */
const BEFORE = 50;
const WORD = /[^\s\p{P}]+/gu;

/** Splits a text at its words that are among these (in lower case). */
export const piecesOf = (text: string, words: readonly string[]): Piece[] => {
  const wanted = new Set(words);
  const pieces: Piece[] = [];
  const add = (part: string, marked: boolean): void => {
    const last = pieces.at(-1);
    if (last?.marked === marked) last.text += part;
    else if (part) pieces.push({ text: part, marked });
  };
  let at = 0;
  for (const match of text.matchAll(WORD)) {
    add(text.slice(at, match.index), false);
    add(match[0], wanted.has(match[0].toLowerCase()));
    at = match.index + match[0].length;
  }
  add(text.slice(at), false);
  return pieces;
};

/** Returns the part of the text around its first word that is among these; cut at spaces. */
export const excerptOf = (text: string, words: readonly string[]): Piece[] => {
  const wanted = new Set(words);
  const first = text.matchAll(WORD).find(([word]) => wanted.has(word.toLowerCase()))?.index ?? 0;
  const start = first <= BEFORE ? 0 : text.indexOf(' ', first - BEFORE) + 1;
  const from = Math.min(start, first);
  const cut = text.length > from + LENGTH ? text.lastIndexOf(' ', from + LENGTH) : text.length;
  const to = cut > first ? cut : from + LENGTH;
  const part = text.slice(from, to);
  return piecesOf(`${from > 0 ? '… ' : ''}${part}${to < text.length ? ' …' : ''}`, words);
};
