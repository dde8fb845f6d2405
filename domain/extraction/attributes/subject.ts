import { GIVEN_NAMES, NOT_NAMES, PLACES } from '../names/known-names.ts';
import { RELATION, relationOf } from './relations.ts';

/** The person or thing that a clause is about. */
export interface Subject {
  kind: 'self' | 'relation' | 'named' | 'thing';
  /** The label: "Ada", "Ana", "Ada's sister". For a thing, its words after "my": "phone number". */
  label: string;
  /** The text after the subject. */
  after: string;
  /** The relation, such as "sister", if the speaker uses one. */
  relation?: string;
  /** The name given with the relation. */
  name?: string;
}

/** A relation of the speaker with its name: "my sister Ana". */
export interface Mention {
  attribute: string;
  relation: string;
  name: string;
}

const NAME = "\\p{Lu}[\\p{L}'’-]*\\p{L}(?: \\p{Lu}[\\p{L}'’-]*\\p{L}){0,2}";
const KIND_OF =
  '(?:best |old |older |oldest |eldest |younger |youngest |little |big |new |late |twin |dear |good |close |rescue )*';
const SELF =
  /^(?:(?:[Mm]y [\p{L}-]{2,15}(?: \p{Lu}[\p{L}'’-]+)?|[Mm]e|\p{Lu}[\p{L}'’-]+),? and )?(?:I|i|we|We)(?=['’ ])(?:['’](m|ve|d|ll|re)(?= ))? /u;
/** "My sister Ana …", "My boss, Ana, …", "My sister …". */
const RELATED = new RegExp(
  `^(?:[Mm]y|[Oo]ur) (${KIND_OF})(${RELATION})(?:,? (${NAME})(?:,(?= ))?)?(?:['’](s|ll|d)(?= ))? `,
  'u',
);
/** "My manager's name is Ana". */
const RELATED_NAME = new RegExp(`^(?:[Mm]y|[Oo]ur) ${KIND_OF}(${RELATION})['’]s name is `, 'u');
/** "Ben's wife works". */
const OF_OTHER = new RegExp(`^(${NAME})['’]s (${RELATION}) `, 'u');
const NAMED = new RegExp(`^(${NAME})(?:['’](ll|d|s)(?= ))? `, 'u');
const THING =
  /^(?:[Mm]y|[Oo]ur) ((?:[a-zA-Z'’-]{2,20} ){0,3}?[a-zA-Z-]{2,20}) (?=(?:is|are|was|were)(?: now| still| actually| currently)? )/;
const SPELLED: Readonly<Record<string, string>> = {
  m: 'am',
  ve: 'have',
  d: "'d",
  ll: 'will',
  re: 'are',
  s: 'is',
};
/** "In May 2024 I moved", "Correction: I live", "After three years, we moved". */
const LEAD =
  /^(?:(?:correction|update|edit|sorry|wait|no wait|fun fact|ps|p\.s\.)[,:.]? (?:but )?|(?:on|in|since|from|after|at|for|around|last|this) [^,]{1,40}?,? )(?=(?:I|we|my|our)(?:['’ ]))/i;

const possessive = (name: string): string => (/[sS]$/.test(name) ? `${name}'` : `${name}'s`);
const withVerb = (short: string | undefined, rest: string): string =>
  short === undefined ? rest : `${SPELLED[short]} ${rest}`;

/** Whether a capitalised phrase may name a person. */
const mayNamePerson = (name: string): boolean => {
  const lower = name.toLowerCase();
  const first = lower.split(' ', 1)[0]!;
  if (NOT_NAMES.has(first) && relationOf(first) === undefined) return false;
  return GIVEN_NAMES.has(first) || !PLACES.has(lower);
};

/** Returns the subject of a clause in the speaker's words. Undefined if facts are not told about it. */
export function subjectOf(clause: string, speaker: string, persons: readonly string[]): Subject | undefined {
  const text = clause.replace(LEAD, '');
  const self = SELF.exec(text);
  if (self !== null)
    return { kind: 'self', label: speaker, after: withVerb(self[1], text.slice(self[0].length)) };
  const related = RELATED.exec(text);
  if (related !== null) {
    const name = related[3];
    const known = name !== undefined && mayNamePerson(name);
    const after = withVerb(related[4], text.slice(related[0].length));
    const relation = related[2]!;
    if (known) return { kind: 'relation', label: name, after, relation, name };
    return { kind: 'relation', label: `${possessive(speaker)} ${related[1]}${relation}`, after, relation };
  }
  const named = RELATED_NAME.exec(text);
  if (named !== null) {
    const relation = named[1]!;
    return {
      kind: 'relation',
      label: `${possessive(speaker)} ${relation}`,
      after: `is called ${text.slice(named[0].length)}`,
      relation,
    };
  }
  const ofOther = OF_OTHER.exec(text);
  if (ofOther !== null && persons.includes(ofOther[1]!))
    return {
      kind: 'named',
      label: `${possessive(ofOther[1]!)} ${ofOther[2]}`,
      after: text.slice(ofOther[0].length),
    };
  return thingOrNamed(text, persons);
}

function thingOrNamed(text: string, persons: readonly string[]): Subject | undefined {
  const thing = THING.exec(text);
  if (thing !== null) return { kind: 'thing', label: thing[1]!, after: text.slice(thing[0].length) };
  const named = NAMED.exec(text);
  if (named === null) return undefined;
  const [whole, name, short] = named;
  if (!persons.includes(name!)) return undefined;
  return { kind: 'named', label: name!, after: withVerb(short, text.slice(whole.length)) };
}

const MENTION = new RegExp(
  `(?<![\\p{L}'’])(?:[Mm]y|[Oo]ur) (${KIND_OF})(${RELATION}),? (?:is |is called |is named )?(${NAME})(?![\\p{L}]|['’-]\\p{L}{2})`,
  'gu',
);
const MOST_MENTIONS = 3;
/** "My old boss Ana" is no longer the boss, but "my old friend Ana" is a friend. */
const FORMER = /\b(?:old|late)\b/;
const LASTING = new Set(['friend', 'sibling', 'child', 'relative', 'pet']);

/** Returns the speaker's people and pets that a sentence names with their relation. */
export function mentionsIn(clause: string): Mention[] {
  if (!/[Mm]y |[Oo]ur /.test(clause)) return [];
  const found: Mention[] = [];
  // Not `matchAll`, which copies the pattern for every clause.
  MENTION.lastIndex = 0;
  for (let match = MENTION.exec(clause); match !== null; match = MENTION.exec(clause)) {
    const [, adjectives, relation, given] = match;
    const name = given!.replace(/['’]s$/, '');
    const attribute = relationOf(relation!);
    if (attribute === undefined || (FORMER.test(adjectives!) && !LASTING.has(attribute))) continue;
    if (!mayNamePerson(name) || found.length === MOST_MENTIONS) continue;
    found.push({ attribute, relation: relation!, name });
  }
  return found;
}

/** Writes "Ada's sister is called Ana." */
export const mentionText = (speaker: string, { relation, name }: Mention): string =>
  `${possessive(speaker)} ${relation} is called ${name}.`;
