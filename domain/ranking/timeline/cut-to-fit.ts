/** Characters considered per token: a longer text exceeds the budget in any script. */
const CHARACTERS_A_TOKEN = 16;
/** Characters counted at a time: a long text is counted once, and only as far as it fits. */
const STRIDE = 1_024;
/** A longer run of letters counts as no word; it is cut like a text without words. */
const LONGEST_WORD = 64;
const WORDS = new Intl.Segmenter('und', { granularity: 'word' });
const GRAPHEMES = new Intl.Segmenter('und', { granularity: 'grapheme' });
const SENTENCE_END = /[.!?…。！？؟۔।]["'”’»」』)\]]*(?=\s|$)|[。！？]["'”’」』)\]]*/g;

type CountTokens = (text: string) => number;

/**
 * One line of output: `text`, on one line and with single spaces, between an opening and a closing that are
 * never cut.
 */
export interface Line {
  opening: string;
  text: string;
  closing?: string;
}

/** The start of a text that is sure to fit, counted in strides. */
interface Start {
  /** UTF-16 units of the text. */
  length: number;
  /** Tokens of the opening and of that length of the text. */
  tokens: number;
}

/**
 * Counts strides until the budget is reached. A stride ends before a space, since no token spans one. In a
 * text without spaces it may split a token; then the sum is too high, never too low.
 */
const startWithin = ({ opening, text }: Line, budget: number, countTokens: CountTokens): Start => {
  const start = { length: 0, tokens: 0 };
  while (start.length < text.length) {
    const { length } = start;
    const stride = text.slice(length, length + STRIDE);
    const space = length + STRIDE < text.length ? stride.lastIndexOf(' ') : -1;
    const part = space > 0 ? stride.slice(0, space) : stride;
    const tokens = start.tokens + countTokens(length === 0 ? opening + part : part);
    if (tokens > budget) return start;
    start.length += part.length;
    start.tokens = tokens;
  }
  return start;
};

/**
 * Returns the tokens of the whole line, or undefined if they exceed `budget`; costs about one count of
 * `budget` tokens.
 */
export const tokensWithin = (line: Line, budget: number, countTokens: CountTokens): number | undefined => {
  const { opening, text, closing = '' } = line;
  if (text.length > budget * CHARACTERS_A_TOKEN) return undefined;
  if (startWithin(line, budget, countTokens).length < text.length) return undefined;
  const tokens = countTokens(opening + text + closing);
  return tokens <= budget ? tokens : undefined;
};

/**
 * Returns the line with as much of its text as fits into `budget` tokens: up to the end of a sentence if one
 * ends in the second half, otherwise of a word (in Chinese and Thai too), otherwise of a letter, as in a word
 * of thousands of them. `…` marks the omission.
 *
 * @returns undefined when not even one letter fits
 */
export const cutToFit = (line: Line, budget: number, countTokens: CountTokens): string | undefined => {
  const { opening, text, closing = '' } = line;
  const head = text.slice(0, budget * CHARACTERS_A_TOKEN);
  const start = startWithin({ opening, text: head }, budget - countTokens(`…${closing}`) - 1, countTokens);
  const whole = opening + text + closing;
  if (start.length + STRIDE >= text.length && countTokens(whole) <= budget) return whole;

  const kept = (end: number): string => head.slice(0, end).trimEnd();
  const ending = (length: number): string => (head.charAt(length) === ' ' ? ' …' : '…') + closing;
  const cut = (end: number): string => opening + kept(end) + ending(kept(end).length);
  // The start is known to fit and isn't counted again.
  const rest = (end: number): string =>
    (start.length === 0 ? opening : '') + kept(end).slice(start.length) + ending(kept(end).length);

  let low = start.length;
  let high = start.length === 0 ? head.length : Math.min(head.length, start.length + STRIDE);
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if (start.tokens + countTokens(rest(middle)) <= budget) low = middle;
    else high = middle - 1;
  }
  // A token may span the cut, so a shorter prefix can have one token more.
  for (let end = low; end > 0; end--) {
    end = boundaryBefore(head, end);
    if (end > 0 && countTokens(cut(end)) <= budget) return cut(end);
  }
  return undefined;
};

/** Returns the text of a line that was cut, without the sign of omission. */
export const withoutOmission = (text: string): string => text.replace(/ ?…$/, '');

/** Returns the last boundary at or before `end`; 0 if there is none. */
const boundaryBefore = (text: string, end: number): number => {
  let sentence = 0;
  for (const match of text.slice(0, end).matchAll(SENTENCE_END)) sentence = match.index + match[0].length;
  if (sentence > end / 2) return sentence;
  if (end === text.length) return end;
  const word = WORDS.segment(text).containing(end)!.index;
  return word > 0 && end - word <= LONGEST_WORD ? word : GRAPHEMES.segment(text).containing(end)!.index;
};
