import { GIVEN_NAMES, NOT_NAMES, PLACES } from '../names/known-names.ts';
import { relationOf } from './relations.ts';
import { endsPhrase, hasComma, isUpper, type Token, textOf } from './tokens.ts';
import { PAST_FORM, THIRD, verbOf } from './verbs.ts';
import { BE, HAVE, OWN, SELF, WILL } from './word-classes.ts';

/** The person or thing that a clause is about. */
export interface Subject {
  kind: 'self' | 'relation' | 'named' | 'thing';
  /** The label of the person: "Ada", "Ana", "Ada's sister"; of a thing, its owner's. */
  label: string;
  /** For a thing, its words after the owner: "phone number". */
  thing?: string;
  /** Object of the thing: "laptop" in "my budget for the laptop". */
  about?: string;
  /** The relation, such as "sister", where the speaker uses one, and its adjectives. */
  relation?: string;
  adjectives?: string;
  /** The name given with the relation. */
  name?: string;
  /** Whose relative or thing it is. */
  owner?: string;
  /** Index of the first word after the subject. */
  after: number;
}

export interface SubjectContext {
  speaker: string;
  /** Names in the sentence that may be a person's. */
  persons: readonly string[];
}

const ADJECTIVES = new Set(
  'best old older oldest eldest elder younger youngest little big new late twin dear good close rescue middle current former ex previous baby lovely beloved first second third only other two three four five'.split(
    ' ',
  ),
);
/** Whether the word may stand between "my" and a relation. */
export const isKinAdjective = (lower: string): boolean => ADJECTIVES.has(lower);

const OWN_ANYWAY = new Set('kids children twins baby toddler wife husband missus hubby'.split(' '));
const NAME_PARTS = new Set('van der den de da di la le von of bin al st st. dos del'.split(' '));
const MOST_WORDS = 6;
const possessive = (name: string): string => (/[sS]$/.test(name) ? `${name}'` : `${name}'s`);
const withoutS = (word: string): string => word.replace(/['’]s?$/, '');
const isOwner = ({ core }: Token): boolean => /['’]s?$/.test(core);

/** Whether a capitalised phrase may name a person. */
export const mayNamePerson = (name: string): boolean => {
  const lower = name.toLowerCase().replace(/^(?:mr|mrs|ms|miss|dr|prof)\.? /, '');
  const first = lower.split(' ', 1)[0]!;
  if (/-(?:handed|ish|like|born|based|time|free|haired|eyed)$/.test(lower)) return false;
  if (NOT_NAMES.has(first) && relationOf(first) === undefined) return false;
  return GIVEN_NAMES.has(first) || !PLACES.has(lower);
};

/** Returns the index after the capitalised name that begins at `from`; `from` where there is none. */
export function endOfNameAt(tokens: readonly Token[], from: number): number {
  let at = from;
  while (at < tokens.length && at < from + MOST_WORDS) {
    const word = tokens[at]!;
    const joins =
      NAME_PARTS.has(word.lower) && at > from && at + 1 < tokens.length && isUpper(tokens[at + 1]!);
    if (!isUpper(word) && !joins) break;
    at++;
    if (
      hasComma(word) ||
      (endsPhrase(word) && !/^(?:[A-Z]|Mr|Mrs|Ms|Dr|St|Prof)$/.test(word.core)) ||
      isOwner(word)
    )
      break;
  }
  return at;
}

/** Relatives who are called by what they are. */
const BARE_KIN = /^(?:M[uao]m|Mummy|Mommy|Mama|Dad|Daddy|Papa|Gran|Granny|Grandma|Grandad|Grandpa|Nana)$/;

/** Returns the subject that begins at `from`. Undefined where facts are not told about it. */
export function subjectAt(
  tokens: readonly Token[],
  from: number,
  context: SubjectContext,
): Subject | undefined {
  const first = tokens[from];
  if (first === undefined) return undefined;
  if (first.bits & SELF) return { kind: 'self', label: context.speaker, after: from + 1 };
  const couple = coupleAt(tokens, from);
  if (couple !== undefined) return { kind: 'self', label: context.speaker, after: couple };
  if (first.bits & OWN) return ownedAt(tokens, from + 1, context.speaker, context);
  // "Home is Hanover".
  if (first.lower === 'home' && tokens[from + 1] !== undefined && tokens[from + 1]!.bits & BE)
    return { kind: 'thing', label: context.speaker, thing: 'home', after: from + 1 };
  // "The kids speak Dutch": whose they are goes without saying.
  if (first.lower === 'the' && OWN_ANYWAY.has(tokens[from + 1]?.lower ?? ''))
    return ownedAt(tokens, from + 1, context.speaker, context);
  // "jonas moved out": a name in small letters.
  const capital = first.core.charAt(0).toUpperCase() + first.core.slice(1);
  if (!isUpper(first) && context.persons.includes(capital))
    return { kind: 'named', label: capital, after: from + 1 };
  if (!isUpper(first)) return undefined;
  // "Mum lives in Beja": whose she is goes without saying.
  if (BARE_KIN.test(withoutS(first.core)) && (isOwner(first) || !isUpper(tokens[from + 1] ?? first)))
    return ownedAt(tokens, from, context.speaker, context);
  const end = endOfNameAt(tokens, from);
  const name = withoutS(textOf(tokens, from, end));
  if (!context.persons.includes(name) && !context.persons.includes(textOf(tokens, from, end)))
    return undefined;
  if (isOwner(tokens[end - 1]!)) return ownedAt(tokens, end, name, context);
  return { kind: 'named', label: name, after: end };
}

/** "My wife and I", "Ben and I", "me and Ben": returns the index after it. */
function coupleAt(tokens: readonly Token[], from: number): number | undefined {
  for (let at = from + 1; at < Math.min(tokens.length, from + 5); at++) {
    const word = tokens[at]!;
    if (word.lower === 'and' && tokens[at + 1] !== undefined) {
      const { bits, lower } = tokens[at + 1]!;
      if (bits & SELF || lower === 'me') return at + 2;
    }
    // "Bruno died and I can't stop crying": two clauses.
    if (word.bits & BE || endsPhrase(word) || (at > from && isVerbForm(word.lower))) return undefined;
  }
  return undefined;
}

const isVerbForm = (word: string): boolean => ((verbOf(word)?.forms ?? 0) & (PAST_FORM | THIRD)) !== 0;

/** Reads the words after an owner: a relative ("sister Ana"), a relative's ("wife's car"), or a thing. */
function ownedAt(
  tokens: readonly Token[],
  from: number,
  owner: string,
  context: SubjectContext,
  ownerRelation?: string,
): Subject | undefined {
  let at = from;
  while (ADJECTIVES.has(tokens[at]?.lower ?? '')) at++;
  if (isOfKind(tokens, at)) at++;
  const head = tokens[at];
  if (head === undefined) return undefined;
  const adjectives = at > from ? `${textOf(tokens, from, at)} ` : '';
  const said = withoutS(head.lower);
  const word =
    relationOf(said) === undefined
      ? said.replace(/(?:(ch)il)?dren$|s$/, (_, child) => (child ? 'child' : ''))
      : said;
  const isRelation = relationOf(word) !== undefined;
  if (!isRelation) return thingAt(tokens, from, owner, ownerRelation);
  const relation = word;
  const label = `${possessive(owner)} ${adjectives}${relation}`;
  // "My brother's wife", "my dog's name".
  if (isOwner(head))
    return ownedAt(tokens, at + 1, label, context, owner === context.speaker ? relation : undefined);
  const nameEnd = endsPhrase(head) ? at + 1 : endOfNameAt(tokens, at + 1);
  if (nameEnd > at + 1) {
    const whole = textOf(tokens, at + 1, nameEnd);
    const name = withoutS(whole);
    if (mayNamePerson(name) || relation === 'cat' || relation === 'dog') {
      if (isOwner(tokens[nameEnd - 1]!)) return ownedAt(tokens, nameEnd, name, context);
      return { kind: 'relation', label: name, relation, adjectives, name, owner, after: nameEnd };
    }
  }
  // "My phone's battery" is no phone's; "my car keys" are no car.
  if (hasComma(head) && !isUpper(tokens[at + 1] ?? head)) return undefined;
  return { kind: 'relation', label, relation, adjectives, owner, after: at + 1 };
}

/** "My Spanish teacher", "my piano teacher": what the relation is for. */
const isOfKind = (tokens: readonly Token[], at: number): boolean => {
  const word = tokens[at];
  const next = tokens[at + 1];
  return (
    word !== undefined &&
    next !== undefined &&
    !isOwner(word) &&
    !hasComma(word) &&
    !endsPhrase(word) &&
    relationOf(word.lower) === undefined &&
    TAUGHT.has(relationOf(withoutS(next.lower)) ?? '')
  );
};
const TAUGHT = new Set(['teacher', 'boss', 'doctor', 'neighbour', 'therapist']);

/** Reads "phone number is", "budget for the laptop is": the words up to a form of "be". */
function thingAt(
  tokens: readonly Token[],
  from: number,
  owner: string,
  relation?: string,
): Subject | undefined {
  for (let at = from; at < Math.min(tokens.length, from + MOST_WORDS); at++) {
    const word = tokens[at]!;
    if (word.bits & BE && at > from) {
      const preposition = tokens.findIndex(
        (each, index) => index > from && index < at && each.lower === 'for',
      );
      // "My favourite band used to be Oasis".
      const isFormer = at - from > 2 && tokens[at - 1]!.lower === 'to' && tokens[at - 2]!.lower === 'used';
      // "My home has been Bergen", "my number will be 555-0189".
      const verb = tokens[at - 1]!.bits & (HAVE | WILL) && at - from > 1 ? at - 1 : at;
      const end = preposition < 0 ? (isFormer ? at - 2 : verb) : preposition;
      const about =
        preposition < 0
          ? undefined
          : textOf(tokens, preposition + 1, at).replace(/^(?:the|a|an|my|our) /i, '');
      return {
        kind: 'thing',
        label: owner,
        thing: textOf(tokens, from, end).replace(/['’]s? /g, "'s "),
        ...(about !== undefined && { about }),
        ...(relation !== undefined && { relation }),
        after: isFormer ? at - 2 : verb,
      };
    }
    if (hasComma(word) || endsPhrase(word)) return undefined;
  }
  return undefined;
}
