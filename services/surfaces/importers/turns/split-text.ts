/** The points where a text may be split, best first: after a paragraph, a line, a sentence, a word. */
const BOUNDS = [/\n\s*\n\s*/g, /\n\s*/g, /[.!?…。！？]["”’)]*\s+/g, /\s+/g];
/** Minimum share of the maximum that a part fills, so that early paragraph breaks do not cause many parts. */
const LEAST_SHARE = 0.5;

/** Returns the index after the last match that ends in [from, window.length]; undefined if there is none. */
const lastBound = (window: string, bound: RegExp, from: number): number | undefined => {
  let last: number | undefined;
  for (const match of window.slice(from).matchAll(bound)) last = from + match.index + match[0].length;
  return last;
};

/** Returns the index in `text` that has `count` characters (code points) before it. */
const indexOfCharacter = (text: string, from: number, count: number): number => {
  let index = from;
  for (let counted = 0; counted < count && index < text.length; counted++)
    index += text.codePointAt(index)! > 0xffff ? 2 : 1;
  return index;
};

/**
 * Splits a text into parts of at most `longest` characters (code points). Joined, they give the text again,
 * and the same text always has the same parts. Parts that contain only white space are dropped.
 */
export const splitText = (text: string, longest: number): string[] => {
  // A text never has more code points than code units.
  if (text.length <= longest) return [text];
  const parts: string[] = [];
  let start = 0;
  while (start < text.length) {
    const end = indexOfCharacter(text, start, longest);
    let cut = end;
    if (end < text.length) {
      const window = text.slice(start, end);
      const from = Math.floor(window.length * LEAST_SHARE);
      for (const bound of BOUNDS) {
        const found = lastBound(window, bound, from);
        if (found === undefined) continue;
        cut = start + found;
        break;
      }
    }
    const part = text.slice(start, cut);
    if (part.trim() !== '') parts.push(part);
    start = cut;
  }
  return parts;
};
