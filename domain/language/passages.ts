/** A part of a text, in UTF-16 code units: from `from` up to `to`. */
export interface Span {
  from: number;
  to: number;
}

interface Sized extends Span {
  words: number;
}

/**
 * Maximum words of a passage, as in a turn between people; an assistant's answers have five to ten times as
 * many.
 */
export const PASSAGE_WORDS = 80;
/** Maximum passages: in a text of 65,536 characters, perhaps 30,000 words, they get longer, not more. */
const MOST_PASSAGES = 64;
/** A shorter remainder stays with the passage before it. */
const FEWEST_WORDS = 16;
/** Letters of scripts that don't separate words: about two of them count as a word. */
const UNPARTED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/gu;
const MAY_BE_UNPARTED = /[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\ud840-\ud87f]/;
const FENCE = /^\s*(?:```|~~~)/;
const ITEM = /^\s*(?:[-*•+|]|\d{1,3}[.)])\s/;
const HEADING = /^\s*#{1,6}\s|^\s*\*\*[^*\n]{1,120}\*\*:?\s*$|^.{1,120}:\s*$/;
const SENTENCE_END = /[.!?…]{1,8}["'”’)\]*]{0,4}\s+|[。！？]/g;
const MOST_HEADING_WORDS = 24;
/**
 * A run without a space is cut after this many characters: no word is that long. By code points, so that none
 * is cut in two.
 */
const WORD = /\S{1,400}\s*/gu;

const wordsIn = (text: string): number => {
  let words = 0;
  let inside = false;
  for (let i = 0; i < text.length; i++) {
    const space = text.charCodeAt(i) <= 32;
    if (!space && !inside) words++;
    inside = !space;
  }
  return MAY_BE_UNPARTED.test(text) ? words + Math.floor((text.match(UNPARTED)?.length ?? 0) / 2) : words;
};

/**
 * Returns the passages of a text of more than 80 words, which together are the whole text; none for a shorter
 * text. They end where a paragraph, a list, an item or a block of code ends, or else a sentence; a heading
 * stays with the text below it. Takes time linear in the text.
 */
export const passagesOf = (text: string): Span[] => {
  const total = text.length <= 2 * PASSAGE_WORDS ? 0 : wordsIn(text);
  if (total <= PASSAGE_WORDS) return [];
  const most = Math.max(PASSAGE_WORDS, Math.ceil(total / MOST_PASSAGES));
  const sized = (span: Span): Sized => ({ ...span, words: wordsIn(text.slice(span.from, span.to)) });
  const broken = (group: Span, into: readonly ((span: Span) => Span[])[]): Sized[] => {
    const whole = sized(group);
    const [first, ...rest] = into;
    return whole.words <= most || !first ? [whole] : first(group).flatMap(part => broken(part, rest));
  };
  const parts = groupsOf(text).flatMap(group =>
    broken(group, [
      span => linesOf(text, span),
      span => sentencesIn(text, span),
      span => wordsOfSpan(text, span),
    ]),
  );
  // Any two adjacent passages exceed the limit together, so that at twice the limit at the latest they are
  // few enough.
  for (let longest = most; ; longest = Math.ceil(longest * 1.25)) {
    const passages = packed(text, parts, longest);
    if (passages.length <= MOST_PASSAGES) return passages;
  }
};

/**
 * Returns the passage with this index, without the blanks at its ends: `text.slice(from, to)`.
 *
 * @returns undefined if the text has no such passage
 */
export const passageAt = (text: string, index: number): Span | undefined => {
  const span = passagesOf(text)[index];
  if (!span) return undefined;
  const words = text.slice(span.from, span.to);
  const from = span.from + words.length - words.trimStart().length;
  const to = from + words.trim().length;
  return from < to ? { from, to } : undefined;
};

const linesOf = (text: string, { from, to }: Span): Span[] => {
  const lines: Span[] = [];
  for (let start = from; start < to; ) {
    const end = text.indexOf('\n', start);
    const next = end < 0 || end >= to ? to : end + 1;
    lines.push({ from: start, to: next });
    start = next;
  }
  return lines;
};

/** Returns the parts that are kept whole if they fit: a block of code, a list, a paragraph. */
const groupsOf = (text: string): Span[] => {
  const groups: Span[] = [];
  let kind: 'code' | 'list' | 'text' | undefined;
  for (const line of linesOf(text, { from: 0, to: text.length })) {
    const said = text.slice(line.from, line.to);
    const fence = FENCE.test(said);
    const last = groups.at(-1);
    if (kind === 'code') {
      last!.to = line.to;
      if (fence) kind = undefined;
      continue;
    }
    if (last && said.trim() === '') {
      last.to = line.to;
      continue;
    }
    const next = fence ? 'code' : ITEM.test(said) || (kind === 'list' && /^\s/.test(said)) ? 'list' : 'text';
    if (last && next === 'list' && kind === 'list') last.to = line.to;
    else groups.push({ ...line });
    kind = next;
  }
  return groups;
};

const splitAt = ({ from, to }: Span, ends: readonly number[]): Span[] =>
  [...ends, to]
    .map((end, i): Span => ({ from: i === 0 ? from : ends[i - 1]!, to: end }))
    .filter(span => span.to > span.from);

const sentencesIn = (text: string, span: Span): Span[] =>
  splitAt(
    span,
    Array.from(
      text.slice(span.from, span.to).matchAll(SENTENCE_END),
      end => span.from + end.index + end[0].length,
    ),
  );

const wordsOfSpan = (text: string, span: Span): Span[] =>
  splitAt(
    span,
    Array.from(
      text.slice(span.from, span.to).matchAll(WORD),
      word => span.from + word.index + word[0].length,
    ),
  );

/** Packs as many parts into each passage as fit; a heading goes with the text below it. */
const packed = (text: string, parts: readonly Sized[], most: number): Span[] => {
  const passages: Sized[] = [];
  let heading: Sized | undefined;
  for (const part of parts) {
    const now: Sized = heading
      ? { from: heading.from, to: part.to, words: heading.words + part.words }
      : part;
    const isHeading =
      now.words <= MOST_HEADING_WORDS && HEADING.test(text.slice(part.from, part.to).trimEnd());
    heading = undefined;
    const last = passages.at(-1);
    if (isHeading) heading = now;
    else if (last && (last.words + now.words <= most || last.words === 0)) join(last, now);
    else passages.push({ ...now });
  }
  if (heading) passages.push({ ...heading });
  const [before, last] = passages.slice(-2);
  if (before && last && last.words < FEWEST_WORDS) join(before, passages.pop()!);
  return passages.length > 1 ? passages.map(({ from, to }) => ({ from, to })) : [];
};

const join = (passage: Sized, next: Sized): void => {
  passage.to = next.to;
  passage.words += next.words;
};
