/** What one clause says of one attribute of one subject, by rules. */
import { fromSubject, isUnreal, plainClause } from './clause.ts';
import { type Found, type Subject, subjectOf } from './rule.ts';
import { RULES } from './rules.ts';
import { NAME, phraseOf, placeOf } from './value.ts';
import { OWN_NOUNS, PEOPLE, PETS, RELATIONS } from './words.ts';

/** What a clause says: of whom, by the label of the third person, and what. */
export interface AttributeFound extends Found {
  subject: string;
  /** The word for it: "sister". */
  relation?: string | undefined;
}

/** Longer clauses tell stories. */
const LONGEST_CLAUSE = 300;

const possessive = (name: string): string => (/[sS]$/.test(name) ? `${name}'` : `${name}'s`);

const labelOf = ({ of, relation, name }: Subject, speaker: string): string => {
  if (of === 'self') return speaker;
  return name ?? `${possessive(speaker)} ${relation}`;
};

const RELATIVE = [...PEOPLE, ...PETS].sort((a, b) => b.length - a.length).join('|');
const ADJECTIVES = '(?:(?:new|old|best|oldest|younger|older|little|big|current|closest) )*';
/** "My boss is Ana", "our dog's name is Comet", "my new flatmate is called Ben". */
const IS_CALLED = new RegExp(
  `^(?:[Mm]y|[Oo]ur) ${ADJECTIVES}(?<relation>${RELATIVE})(?:'s name)? is (?:now |called |named )*(?<name>${NAME})(?=$|[,.;!]| (?:now|and|from|who))`,
  'u',
);
/** "Ana is my boss now" */
const IS_MY = new RegExp(
  `^(?<name>${NAME}) is (?:now )?(?:my|our) ${ADJECTIVES}(?<relation>${RELATIVE})\\b`,
  'u',
);
/** "my sister Ana", anywhere. */
const APPOSITION = new RegExp(
  `\\b(?:[Mm]y|[Oo]ur) ${ADJECTIVES}(?<relation>${RELATIVE}),? (?<name>${NAME})(?=$|[ ,.;:!'’])`,
  'u',
);
const FAVOURITE =
  /^(?:[Mm]y|[Oo]ur) (?:new |current |all-time |absolute )*favourite (?<noun>[a-z]+(?: [a-z]+)?) (?:is|are) (?:now |still |definitely |probably )*(?<v>.+)/;
const OWN =
  /^(?:[Mm]y|[Oo]ur) (?:new |current |home )?(?<noun>[a-z]+(?: [a-z]+)?) (?:is|are)(?: now| at| on| called| named)* (?<v>.+)/;
/** "Tom and I broke up" */
const COUPLE_ENDS = new RegExp(
  `^(?<name>${NAME}) and I (?:have |just |finally |both )*(?:broke up|broken up|split up|split|separated|got divorced|are getting divorced|are no longer together)`,
  'u',
);
const COUPLE = new RegExp(
  `^(?<name>${NAME}) and I (?:have |just |finally )*(?:got married|got engaged|are engaged|are dating|are married|started dating|are getting married)`,
  'u',
);
const CALL_ME = /^(?:please |just |you can )*call me (?<v>\p{Lu}[\p{L}-]+)/iu;
const DIED = new RegExp(
  `^(?:[Mm]y|[Oo]ur) ${ADJECTIVES}(?<relation>${PETS.join('|')}),? (?<name>${NAME}),? (?:died|passed away|has died|has passed away)`,
  'u',
);

const own = (text: string, speaker: string): AttributeFound | undefined => {
  const couple = COUPLE_ENDS.exec(text);
  if (couple) return { subject: speaker, attribute: 'partner', value: couple.groups!.name!, ended: true };
  const together = COUPLE.exec(text);
  if (together) return { subject: speaker, attribute: 'partner', value: together.groups!.name! };
  const dead = DIED.exec(text);
  if (dead) return { subject: speaker, attribute: 'pet', value: dead.groups!.name!, ended: true };
  const called = IS_CALLED.exec(text) ?? IS_MY.exec(text);
  if (called) {
    const { relation, name } = called.groups!;
    return { subject: speaker, attribute: RELATIONS[relation!]!, value: name! };
  }
  const nickname = CALL_ME.exec(text);
  if (nickname) return { subject: speaker, attribute: 'nickname', value: nickname.groups!.v! };
  const favourite = FAVOURITE.exec(text);
  if (favourite) {
    const { noun, v } = favourite.groups!;
    const value = phraseOf(v!);
    return value === undefined
      ? undefined
      : { subject: speaker, attribute: `favourite_${noun!.replace(/ /g, '_')}`, value };
  }
  return ofOwnNoun(text, speaker);
};

const ofOwnNoun = (text: string, speaker: string): AttributeFound | undefined => {
  const { noun, v } = OWN.exec(text)?.groups ?? {};
  const attribute = noun === undefined || !Object.hasOwn(OWN_NOUNS, noun) ? undefined : OWN_NOUNS[noun];
  if (attribute === undefined || v === undefined) return undefined;
  const value =
    attribute === 'home' || attribute === 'hometown' ? (placeOf(v) ?? phraseOf(v)) : dated(attribute, v);
  return value === undefined ? undefined : { subject: speaker, attribute, value };
};

/** A birthday is a date, and a name has a capital. */
const dated = (attribute: string, v: string): string | undefined => {
  if (attribute === 'birthday')
    return /\d/.test(v) ? v.replace(/^(?:on )?(?:the )?/, '').slice(0, 40) : undefined;
  const value = phraseOf(v);
  const isNamed = value !== undefined && /[\p{Lu}\d]/u.test(value);
  return isNamed || ['goal', 'hobby', 'job', 'pronouns'].includes(attribute) ? value : undefined;
};

/** Undefined where the rules find nothing, or what isn't said to be so. */
export const attributeIn = (clause: string, speaker: string): AttributeFound | undefined => {
  if (clause.length > LONGEST_CLAUSE) return undefined;
  const text = fromSubject(plainClause(clause));
  if (isUnreal(text)) return undefined;
  const ofOwn = own(text, speaker);
  if (ofOwn) return ofOwn;
  const subject = subjectOf(text);
  if (!subject) return undefined;
  const rest = subject.rest.replace(/^,? ?/, '');
  for (const { verb, found } of RULES) {
    const match = verb.exec(rest);
    const what = match && found({ ...match.groups, all: match[0] });
    if (what) return { subject: labelOf(subject, speaker), ...what };
  }
  return undefined;
};

/** "My sister Ana lives in Rome": that Ana is the speaker's sister, beside what the clause says. */
export const relationIn = (clause: string, speaker: string): AttributeFound | undefined => {
  const { relation, name } = APPOSITION.exec(plainClause(clause))?.groups ?? {};
  return relation === undefined || name === undefined
    ? undefined
    : { subject: speaker, attribute: RELATIONS[relation]!, value: name, relation };
};
