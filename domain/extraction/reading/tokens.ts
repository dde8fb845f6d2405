import { type Word, wordsOf } from '../sentences/sentences.ts';
import { ADVERB, COORDINATOR, classesOf, DETERMINER, NEGATION, NUMBER, PREPOSITION } from './word-classes.ts';

/** A word with its classes (word-classes.ts). */
export interface Token extends Word {
  bits: number;
}

const SPELLED: Readonly<Record<string, string>> = { m: 'am', ve: 'have', d: "'d", ll: 'will', re: 'are' };
const PRONOUN_SHORT = /^(i|we|you|they|he|she|it|that|there|who)['’](m|ve|d|ll|re|s)$/i;
const NOUN_SHORT = /^(.{2,})['’](s|ll|d)$/;
/** Words after "my dog's" that make it "my dog is". */
const AFTER_IS = /^(?:called|named|been|gone|going|not|now|\w{3,}ing)$/;
const PARTICIPLE_NEXT = /^(?!called|named)(?:been|got|had|gone|moved|started|become|quit|left|\w{3,}ed)$/;

/** A word with its classes; "&" stands as a word without letters. */
const token = (word: Word): Token =>
  word.core === '' && word.lead === '&'
    ? { ...word, bits: COORDINATOR }
    : { ...word, bits: classesOf(word.lower) };

/** Returns the words of a clause with their classes; "I'm" is two words, "my dog's called" three. */
export function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  const words = wordsOf(text);
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!;
    const split = word.lower.includes("'") ? shortened(word, words[at + 1], tokens) : undefined;
    if (split === undefined) tokens.push(token(word));
    else tokens.push(token(split[0]), token(split[1]));
  }
  return tokens;
}

const BEFORE_HOUSE = /^(?:at|for|left|quit|joined)$/;
/** "I left St Luke's in May": the name of a house, of which nothing is said. */
function isHouse({ core }: Word, before: readonly Token[]): boolean {
  if (!/^\p{Lu}/u.test(core)) return false;
  let at = before.length - 1;
  while (at > 0 && isUpper(before[at]!)) at--;
  return at >= 0 && BEFORE_HOUSE.test(before[at]!.lower);
}

function shortened(
  word: Word,
  next: Word | undefined,
  before: readonly Token[],
): readonly [Word, Word] | undefined {
  const { core, lead, tail } = word;
  const pronoun = PRONOUN_SHORT.exec(core);
  const noun = pronoun === null ? NOUN_SHORT.exec(core) : null;
  const [, who, short] = pronoun ?? noun ?? [];
  if (who === undefined || short === undefined) return undefined;
  const after = next?.lower ?? '';
  const isShort = noun === null || short !== 's' || standsForIs(who.toLowerCase(), after);
  if (!isShort || (noun !== null && short === 's' && isHouse(word, before))) return undefined;
  // "A master's in law" is one.
  if (/^(?:master|bachelor)$/i.test(who)) return undefined;
  const verb =
    short === 's' ? (PARTICIPLE_NEXT.test(after) ? 'has' : 'is') : (SPELLED[short.toLowerCase()] ?? short);
  return [
    { lead, core: who, tail: '', lower: who.toLowerCase() },
    { lead: '', core: verb, tail, lower: verb },
  ];
}

const standsForIs = (noun: string, next: string): boolean => {
  if (next === '') return false;
  if (noun === 'name') return true;
  return (
    AFTER_IS.test(next) || (classesOf(next) & (DETERMINER | NEGATION | NUMBER | ADVERB | PREPOSITION)) !== 0
  );
};

/** Returns the words from `from` to `to` (excluded) as text, without the punctuation around them. */
export function textOf(tokens: readonly Token[], from: number, to: number): string {
  let text = '';
  for (let at = from; at < to; at++) {
    const { lead, core, tail } = tokens[at]!;
    const opening = at === from ? lead.replace(/^["“'(]+/, '') : lead;
    text += `${at === from ? '' : ' '}${opening}${core}${at === to - 1 ? '' : tail}`;
  }
  return text;
}

export const isUpper = ({ core }: Token): boolean => /^\p{Lu}/u.test(core);
export const endsPhrase = ({ tail }: Token): boolean => /[.;:!?…)"”\]]|—/.test(tail.replace(/^['’"”]/, ''));
export const hasComma = ({ tail }: Token): boolean => tail.includes(',');
