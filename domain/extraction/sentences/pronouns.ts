import { isParticiple } from './verbs.ts';

/** Referent of "he" or "she" in the next sentence, in the speaker's words: "My sister Isla". */
export interface Referent {
  text: string;
  pronoun: 'he' | 'she' | 'either';
}

const HE =
  'brother|father|dad|husband|boyfriend|son|uncle|nephew|grandfather|grandpa|grandad|granddad|fiancé';
const SHE = 'sister|mother|mom|mum|wife|girlfriend|daughter|aunt|niece|grandmother|grandma|granny|fiancée';
const EITHER =
  'boss|friend|cousin|partner|colleague|coworker|neighbour|neighbor|roommate|flatmate|landlord|manager|teacher|coach|doctor|therapist|dentist|vet|dog|cat|puppy|kitten|kid|child|baby|toddler';
const RELATIVE = new RegExp(
  `(?<!\\p{L})(?:[Mm]y|[Oo]ur) ((?:(?:best|old|older|oldest|younger|youngest|little|big|new|ex|twin|good) )?(${HE}|${SHE}|${EITHER})(?: \\p{Lu}\\p{L}+)?)(?!\\p{L}|['’]s|-)`,
  'gu',
);
const IS_HE = new RegExp(`^(?:${HE})$`, 'i');
const IS_SHE = new RegExp(`^(?:${SHE})$`, 'i');
const SUBJECT = /^(he|she)(?:['’](s|ll|d))? (\S+)/i;

/**
 * Returns the only relative or acquaintance that a sentence mentions. Undefined if it mentions two people or
 * none: "he" may then be anybody. A bare name doesn't reveal whether the person is "he" or "she".
 *
 * @param names the other people's names in the sentence
 */
export function referentIn(sentence: string, names: readonly string[]): Referent | undefined {
  const relatives = /(?:my|our) /i.test(sentence) ? [...sentence.matchAll(RELATIVE)] : [];
  if (relatives.length === 0) return undefined;
  const [, text, relation] = relatives[0]!;
  if (relatives.length > 1 || names.some(name => !text!.endsWith(` ${name}`))) return undefined;
  const pronoun = IS_HE.test(relation!) ? 'he' : IS_SHE.test(relation!) ? 'she' : 'either';
  return { text: `My ${text}`, pronoun };
}

/**
 * Replaces the pronoun: "She's learning Danish" after "My sister Isla moved" becomes "My sister Isla is
 * learning Danish".
 */
export function withReferent(sentence: string, referent: Referent | undefined): string {
  if (referent === undefined) return sentence;
  const match = SUBJECT.exec(sentence);
  if (match === null) return sentence;
  const [whole, pronoun, short, next] = match;
  if (referent.pronoun !== 'either' && referent.pronoun !== pronoun!.toLowerCase()) return sentence;
  const verbs: Record<string, string> = {
    s: isParticiple(next!.toLowerCase()) ? ' has' : ' is',
    d: isParticiple(next!.toLowerCase()) ? ' had' : ' would',
    ll: ' will',
  };
  return `${referent.text}${verbs[short?.toLowerCase() ?? ''] ?? ''} ${next}${sentence.slice(whole.length)}`;
}
