/** Characters considered per token: a longer text exceeds the budget in any script. */
const CHARACTERS_A_TOKEN = 16;
const WORDS = new Intl.Segmenter('und', { granularity: 'word' });
const GRAPHEMES = new Intl.Segmenter('und', { granularity: 'grapheme' });
const SENTENCE_END = /[.!?…。！？؟۔।]["'”’»」』)\]]*(?=\s|$)|[。！？]["'”’」』)\]]*/g;

/**
 * The opening and as much of the text as fits into `budget` tokens: up to the end of a sentence if one ends in the second
 * half, otherwise of a word (in Chinese and Thai too), otherwise of a letter. `…` marks the omission.
 *
 * @param text on one line, with single spaces
 * @returns undefined when not even one letter fits
 */
export const cutToFit = (
  opening: string,
  text: string,
  budget: number,
  countTokens: (text: string) => number,
): string | undefined => {
  const head = text.slice(0, budget * CHARACTERS_A_TOKEN);
  const cut = (end: number): string => {
    const kept = head.slice(0, end).trimEnd();
    return `${opening}${kept}${head.charAt(kept.length) === ' ' ? ' …' : '…'}`;
  };
  const fits = (line: string): boolean => countTokens(line) <= budget;
  if (head.length === text.length && fits(opening + text)) return opening + text;

  let low = 0;
  let high = head.length;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if (fits(cut(middle))) low = middle;
    else high = middle - 1;
  }
  // A token may span the cut, so a shorter prefix can have one token more.
  for (let end = low; end > 0; end--) {
    end = boundaryBefore(head, end);
    if (end > 0 && fits(cut(end))) return cut(end);
  }
  return undefined;
};

/** The last boundary at or before `end`; 0 when there is none. */
const boundaryBefore = (text: string, end: number): number => {
  let sentence = 0;
  for (const match of text.slice(0, end).matchAll(SENTENCE_END)) sentence = match.index + match[0].length;
  if (sentence > end / 2) return sentence;
  if (end === text.length) return end;
  return WORDS.segment(text).containing(end)!.index || GRAPHEMES.segment(text).containing(end)!.index;
};
