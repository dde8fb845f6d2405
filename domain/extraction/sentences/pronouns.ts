import { RELATIVES } from '../reading/relatives.ts';
import { isParticiple } from './verbs.ts';

/** Referent of "he" or "she" in the next sentence, in the speaker's words: "My sister Isla". */
export interface Referent {
  text: string;
  pronoun: 'he' | 'she' | 'either';
}

const wordsOf = (pronoun: Referent['pronoun']): string =>
  RELATIVES.flatMap(one => (one.pronoun === pronoun ? one.words : [])).join('|');
const HE = wordsOf('he');
const SHE = wordsOf('she');
const EITHER = wordsOf('either');
const RELATIVE = new RegExp(
  `(?<!\\p{L})(?:[Mm]y|[Oo]ur|(?<=(?:have|['’]ve|got|adopted|rescued|hired|bought|had) )an?) ((?:(?:best|old|older|oldest|younger|youngest|little|big|new|ex|twin|good) )?(${HE}|${SHE}|${EITHER})(?: \\p{Lu}\\p{L}+)?)(?!\\p{L}|['’]s|-)`,
  'gu',
);
const LEAD = /^(?:(?:and|but|so|also|now|plus|oh|well|yes|no),? )+/i;
/** Others without a name: "he" may be one of them. */
const PAIR =
  /\b(?:his|her|their|the|an?) (?:[\p{L}-]+ )?(?:brother|father|dad|husband|boyfriend|son|uncle|sister|mother|mum|mom|wife|girlfriend|daughter|aunt|boss|friend|doctor|teacher|manager|man|woman|guy|girl|boy|lady)\b/iu;
/** Another being, without a name. */
const OTHER = new RegExp(
  `\\b(?:an?|the|his|her|their|another|new|some) (?:[\\p{L}-]+ ){0,2}?(?:${HE}|${SHE}|${EITHER}|guy|girl|man|woman|boy|lady|bloke|dude|person|somebody|someone|bunny|rabbit|hamster|bird|horse|pony|nurse|\\p{L}+(?:er|ist|ian|ant))\\b`,
  'iu',
);
/** "Is a nurse", "works as a carpenter": the same one once more, not another. */
const IS_SO =
  /(?:\b(?:is|was|works as|worked as|became)|['’]s) (?:now |still |also )?(?:an?|the) (?:[\p{L}-]+ ){0,2}?[\p{L}-]+(?= (?:and|at|in|for|from|by)\b|[,.;!]|$)/iu;
const CALLED = /^(\p{Lu}\p{L}+) is (?:my|our) /u;
const IS_HE = new RegExp(`^(?:${HE})$`, 'i');
const IS_SHE = new RegExp(`^(?:${SHE})$`, 'i');
const SUBJECT = /^(?:(?:and|but|so|also|now|plus) )?(he|she)(?:['’](s|ll|d))? (\S+)/i;
const OWNER = /^(?:(?:and|but|so|also) )?(his|her) (?=\p{L})/iu;

/**
 * Returns the only person that a sentence mentions. Undefined if it mentions two people or
 * none: "he" may then be anybody.
 *
 * @param names the other people's names in the sentence
 */
export function referentIn(sentence: string, names: readonly string[]): Referent | undefined {
  const relatives = /\b(?:my|our|an?) /i.test(sentence) ? [...sentence.matchAll(RELATIVE)] : [];
  if (relatives.length === 0) {
    const [name] = names;
    // The only person of the sentence, and its subject; whether a name is "he" or "she" isn't known.
    const isSubject = names.length === 1 && sentence.replace(LEAD, '').startsWith(name!);
    return isSubject && !PAIR.test(sentence.replace(IS_SO, ''))
      ? { text: name!, pronoun: 'either' }
      : undefined;
  }
  const [, text, relation] = relatives[0]!;
  // "Pilchard is my greyhound": by the name that she has.
  const called = CALLED.exec(sentence)?.[1];
  if (called !== undefined && relatives.length === 1 && names.every(name => name === called))
    return { text: `My ${text} ${called}`, pronoun: pronounOf(relation!) };
  if (relatives.length > 1 || names.some(name => !text!.endsWith(` ${name}`))) return undefined;
  // "My sister has a new flatmate. She moved": somebody else came in.
  const rest = sentence.slice(sentence.indexOf(text!) + text!.length).replace(IS_SO, '');
  if (OTHER.test(rest)) return undefined;
  return { text: `My ${text}`, pronoun: pronounOf(relation!) };
}

const pronounOf = (relation: string): Referent['pronoun'] =>
  IS_HE.test(relation) ? 'he' : IS_SHE.test(relation) ? 'she' : 'either';

/**
 * Replaces the pronoun: "She's learning Danish" after "My sister Isla moved" becomes "My sister Isla is
 * learning Danish".
 */
export function withReferent(sentence: string, referent: Referent | undefined): string {
  if (referent === undefined) return sentence;
  const match = SUBJECT.exec(sentence);
  if (match === null) {
    const [lead, owner] = OWNER.exec(sentence) ?? [];
    if (lead === undefined) return sentence;
    const isSame =
      referent.pronoun === 'either' || referent.pronoun === (owner!.toLowerCase() === 'his' ? 'he' : 'she');
    return isSame ? `${referent.text}'s ${sentence.slice(lead.length)}` : sentence;
  }
  const [whole, pronoun, short, next] = match;
  if (referent.pronoun !== 'either' && referent.pronoun !== pronoun!.toLowerCase()) return sentence;
  const verbs: Record<string, string> = {
    s: isParticiple(next!.toLowerCase()) && !/^(?:called|named)$/i.test(next!) ? ' has' : ' is',
    d: isParticiple(next!.toLowerCase()) ? ' had' : ' would',
    ll: ' will',
  };
  return `${referent.text}${verbs[short?.toLowerCase() ?? ''] ?? ''} ${next}${sentence.slice(whole.length)}`;
}
