/**
 * The text between two spaces: punctuation in `lead` and `tail`, the word in `core`, and in `lower` the word
 * in lower case with straight apostrophes.
 */
export interface Word {
  lead: string;
  core: string;
  tail: string;
  lower: string;
}

/** In characters. A fact is one sentence; anything longer is a document, a log or a table. */
const LONGEST_SENTENCE = 400;
/** Maximum sentences analysed per turn: a book pasted into a chat is not its speaker's biography. */
const MOST_SENTENCES = 400;

const CODE_BLOCK = /```[\s\S]*?(?:```|$)|~~~[\s\S]*?(?:~~~|$)/g;
const CODE_OR_LINK = /`[^`\n]{1,400}`|\bhttps?:\/\/\S+|\bwww\.\S+/g;
/**
 * Control characters, lone surrogates and direction marks, but not joiners, which are part of words in some
 * scripts.
 */
const UNPRINTABLE = /[\p{Cc}\p{Cs}\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]+/gu;
const EMOJI =
  / ?(?:\p{Emoji_Presentation}|\p{Extended_Pictographic}\ufe0f|[\u2600-\u27bf]|\ufe0f|\u200d|[\u{1f000}-\u{1faff}])+ ?/gu;
const MAY_HOLD_EMOJI = /[\u2600-\u27bf\ud83c-\ud83e]/;
/** Words that continue the sentence before an emoji, unless a new subject starts another one. */
const GOES_ON =
  /^\s*(?:is|are|was|were|has|have|had|will|can|of|in|on|at|to|for|from|with|by|about|as|who|which|too|now|yesterday|tomorrow|tonight|last|next|and|or)\s/;
const NEW_SUBJECT = /^\s*and (?:i|we|my|our|he|she|they|it|the|this|that|there)(?:['’]\w+)?\s/;
const BULLET = /^\s*(?:[-*•+>#|]+|\d{1,3}[.)])\s+/;
const ABBREVIATION =
  /(?:^|[\s("“.])(?:[A-Za-z]|Mr|Mrs|Ms|Dr|Prof|St|Mt|Jr|Sr|vs|etc|e\.g|i\.e|approx|No|Inc|Ltd|Co|Corp|a\.m|p\.m|U\.S|U\.K)\.$/;
/**
 * Every repetition is bounded: an unbounded one, tried at each of 65,536 exclamation marks, would take 4
 * billion steps.
 */
const ENDS =
  /[.!?…。！？]{1,8}["'”’)\]*]{0,4}(?=\s|$)|[。！？]|\n|\s[-–—]{1,2}\s|—|;\s|-(?<=[a-z]-)\s+(?=[A-Z])/g;

/**
 * Returns the sentences of a text, in order, without code, links and list markers; bracketed notes ("[shared
 * a photo: …]") are separate sentences. Takes time linear in the text.
 */
export function sentencesOf(text: string): string[] {
  let plain = text;
  if (plain.includes('`') || plain.includes('~~~')) plain = plain.replace(CODE_BLOCK, '\n');
  if (/`|https?:|www\./.test(plain))
    plain = plain.replace(CODE_OR_LINK, part => (part.startsWith('`') ? part.slice(1, -1) : 'a link'));
  if (plain.includes('[')) plain = plain.replace(/\[([^[\]\n]{1,400})\]/g, '\n$1\n');
  // People who end a sentence with an emoji often omit the full stop.
  if (MAY_HOLD_EMOJI.test(plain))
    plain = plain.replace(EMOJI, (emoji, at: number) => {
      const after = plain.slice(at + emoji.length, at + emoji.length + 16);
      return GOES_ON.test(after) && !NEW_SUBJECT.test(after) ? ' ' : '\n';
    });
  const sentences: string[] = [];
  let from = 0;
  ENDS.lastIndex = 0;
  for (;;) {
    const match = ENDS.exec(plain);
    if (match === null) break;
    const end = ENDS.lastIndex;
    if (match[0] === '.' && ABBREVIATION.test(plain.slice(Math.max(0, match.index - 8), end))) continue;
    take(plain.slice(from, end), sentences);
    if (sentences.length >= MOST_SENTENCES) return sentences;
    from = end;
  }
  take(plain.slice(from), sentences);
  return sentences;
}

function take(raw: string, into: string[]): void {
  if (raw.length > LONGEST_SENTENCE) return;
  let sentence = raw.trim();
  if (sentence.length < 2) return;
  if (/[^\x20-\x7e\u2018-\u201d]| {2}/.test(sentence))
    sentence = sentence.replace(UNPRINTABLE, ' ').replace(/\s+/g, ' ').trim();
  if (/[`´]/.test(sentence)) sentence = sentence.replace(/([a-z])[`´](?=[a-z])/gi, "$1'");
  sentence = sentence.replace(BULLET, '');
  if (/[-–—;]$/.test(sentence)) sentence = sentence.replace(/\s*[-–—;]+$/, '');
  if (sentence.includes('*')) sentence = sentence.replace(/\*{1,3}/g, '');
  if (sentence.length >= 2) into.push(sentence);
}

const SPACE = 32;
const isWordCode = (code: number): boolean =>
  (code >= 97 && code <= 122) ||
  (code >= 65 && code <= 90) ||
  (code >= 48 && code <= 57) ||
  code === 64 ||
  code === 35 ||
  code === 36 ||
  (code >= 0xc0 && code < 0x2000) ||
  (code > 0x206f && code !== 0x3001 && code !== 0x3002 && code !== 0xff0c);

/** Splits a text at its spaces. */
export function wordsOf(sentence: string): readonly Word[] {
  const words: Word[] = [];
  const curly = /[’‘`´]/.test(sentence);
  for (let from = 0, to = 0; from < sentence.length; from = to + 1) {
    to = from;
    while (to < sentence.length && sentence.charCodeAt(to) !== SPACE) to++;
    if (to === from) continue;
    let start = from;
    let end = to;
    while (start < end && !isWordCode(sentence.charCodeAt(start))) start++;
    while (end > start && !isWordCode(sentence.charCodeAt(end - 1))) end--;
    const core = sentence.slice(start, end);
    const lower = core.toLowerCase();
    words.push({
      lead: sentence.slice(from, start),
      core,
      tail: sentence.slice(end, to),
      lower: curly ? lower.replace(/[’‘`´]/g, "'") : lower,
    });
  }
  return words;
}
