import type { SaidFact } from '../../../schemas/facts.ts';
import { ATTRIBUTES } from '../../facts/table.ts';
import { PLACES } from '../names/known-names.ts';
import type { Lexicon } from '../sentences/lexicon.ts';
import type { Found, When } from './found.ts';
import { intended } from './plans.ts';
import { type Predicate, predicateOf } from './predicate.ts';
import { relationOf } from './relations.ts';
import { mayRead, nextWords, type Rule } from './rule.ts';
import { BODY_RULES, DENIED_DIET } from './rules/body.ts';
import { PEOPLE_RULES } from './rules/people.ts';
import { PLACE_RULES } from './rules/places.ts';
import { DENIED_TASTE, TASTE_RULES } from './rules/tastes.ts';
import { WORK_RULES } from './rules/work.ts';
import { type Subject, subjectOf } from './subject.ts';
import { attributeOfThing, saysWhat } from './things.ts';
import { validFrom } from './valid-from.ts';
import { phraseOf } from './values.ts';

/** A clause in the speaker's words, its dates made absolute. */
export interface Clause {
  text: string;
  /** ISO labels of the dates in it. */
  labels: readonly string[];
  speaker: string;
  /** Names in the sentence that may be a person's. */
  persons: readonly string[];
  timestamp: number;
}

const RULES = new Map<string, readonly Rule[]>();
for (const rule of [...PLACE_RULES, ...WORK_RULES, ...PEOPLE_RULES, ...BODY_RULES, ...TASTE_RULES])
  for (const verb of rule.verbs) RULES.set(verb, [...(RULES.get(verb) ?? []), rule]);
const ENDS = ATTRIBUTES.flatMap(({ name, endedBy }) => (endedBy === undefined ? [] : [{ name, endedBy }]));

/** Said in jest, taken back, or conditional. */
const NOT_MEANT =
  /\b(?:jk|just kidding|kidding|yeah right|in my dreams|i wish|no wait|scratch that|or something|not sure|hypothetically|pretend|imagine)\b|^(?:if|unless|whether|suppose|as if)\b|,? if (?:i|we|it|they|he|she|my)\b|(?:^|\s)\/s$/i;
/** "As a kid", "back when I worked": the clause tells of a time that is over. */
const BACK_THEN =
  /\b(?:as a (?:kid|child|teen(?:ager)?|student|boy|girl|baby)|back when|back then|at the time|when (?:i|we) (?:was|were)|in (?:college|high school|my (?:teens|twenties|youth))|growing up|years back)\b/i;
/** Predicates that end a relation of the speaker: "my dog Comet died". */
const DIED = /^(?:died|passed|dead|(?:be|was) (?:put down|put to sleep)|be dead)\b/i;
const MOST_FACT_LENGTH = 400;

/** Returns the attribute that a clause gives its subject; undefined if no rule finds one. */
export function factOfClause(clause: Clause, lexicon: Lexicon): SaidFact | undefined {
  const { text, labels, speaker, persons, timestamp } = clause;
  if (text.length > MOST_FACT_LENGTH) return undefined;
  const subject = subjectOf(text, speaker, persons);
  if (subject === undefined) return undefined;
  const when: When = { backThen: () => BACK_THEN.test(text), dated: labels.length > 0 };
  const found = subject.kind === 'thing' ? ofThing(subject, lexicon) : ofPerson(subject, when, lexicon);
  if (found === undefined || NOT_MEANT.test(text)) return undefined;
  const ofSpeaker = subject.kind === 'thing' || found.ofSpeaker === true;
  const said: SaidFact = {
    subject: ofSpeaker ? speaker : subject.label,
    attribute: found.attribute,
    value: found.value,
  };
  const from =
    // The date in a plan is that of the event; the plan itself holds from the day on which it is told.
    found.isPast || /^(?:birthday|birthplace|plan|goal|preference)$/.test(found.attribute)
      ? undefined
      : validFrom(text, labels, timestamp);
  if (from !== undefined) said.valid_from = from;
  if (from !== undefined && /\b(?:moved|joined|started|switched|relocated|became)\b/.test(text))
    said.stance = 'changed';
  if (found.ended) said.ended = true;
  return said;
}

function ofThing({ label, after }: Subject, lexicon: Lexicon): Found | undefined {
  const attribute = attributeOfThing(label);
  const predicate = attribute === undefined ? undefined : predicateOf(after, lexicon);
  if (
    attribute === undefined ||
    predicate === undefined ||
    predicate.intent !== undefined ||
    predicate.progressive
  )
    return undefined;
  if (!predicate.text.startsWith('be ') || predicate.denied) return undefined;
  const rest = predicate.text.slice(3);
  const value =
    attribute === 'birthday'
      ? birthdayIn(rest)
      : phraseOf(rest, /^(?:plan|goal)$/.test(attribute) ? 'verb' : 'words', lexicon);
  if (value === undefined || !saysWhat(attribute, value)) return undefined;
  const isPast = predicate.tense === 'past';
  // "My goal was to win" doesn't say whether it still is.
  if (isPast && /^(?:goal|plan|favourite_\w+)$/.test(attribute)) return undefined;
  if (isPast && attribute === 'birthday') return { attribute, value };
  return {
    attribute,
    value: value.replace(/^to (?=\w)/, ''),
    ...(isPast && { ended: true as const, isPast }),
  };
}

/** Returns a birthday such as "3 June". The year is left out: whether it was said isn't known here. */
function birthdayIn(rest: string): string | undefined {
  const [, before, month, after] = BIRTHDAY.exec(rest) ?? [];
  const day = before ?? after;
  return month === undefined ? undefined : `${day === undefined ? '' : `${day} `}${month}`;
}
const BIRTHDAY =
  /\b(?:the )?(?:(\d{1,2})(?:st|nd|rd|th)?(?: of)? )?(January|February|March|April|May|June|July|August|September|October|November|December)\b(?: (\d{1,2})(?!\d))?/i;

function ofPerson(subject: Subject, when: When, lexicon: Lexicon): Found | undefined {
  const predicate = predicateOf(subject.after, lexicon);
  if (predicate === undefined) return undefined;
  if (subject.kind === 'relation' && DIED.test(predicate.text) && predicate.intent === undefined)
    return death(subject);
  const said = ofPredicate(predicate, when, lexicon);
  if (subject.kind !== 'relation') return said;
  const called = calledSo(subject, predicate, lexicon);
  return called ?? said;
}

/** Returns the end of the speaker's pet or relative: "My dog Comet died" ends the pet Comet. */
const death = ({ relation = '', name }: Subject): Found | undefined => {
  const attribute = relationOf(relation);
  return attribute === undefined
    ? undefined
    : { attribute, value: name ?? relation, ended: true, ofSpeaker: true };
};

/** Reads the name of a relation or pet: "My new boss is Ana", "my dog is called Comet". */
function calledSo(
  { relation = '' }: Subject,
  { text, tense, denied, intent }: Predicate,
  lexicon: Lexicon,
): Found | undefined {
  const attribute = relationOf(relation);
  const match = /^be (?:called |named )?(?=\p{Lu})/u.exec(text);
  if (attribute === undefined || match === null || denied || intent !== undefined) return undefined;
  const value = phraseOf(text.slice(match[0].length), 'name', lexicon);
  if (value === undefined || value.split(' ').length > 3) return undefined;
  return {
    attribute,
    value,
    ofSpeaker: true,
    ...(tense === 'past' && { ended: true as const, isPast: true }),
  };
}

function ofPredicate(predicate: Predicate, when: When, lexicon: Lexicon): Found | undefined {
  const { text, verb, denied, ended, intent } = predicate;
  if (intent !== undefined) return intended(predicate, when, lexicon);
  if (!denied && !ended && MAY_END.test(verb)) {
    const end = endOf(predicate, lexicon);
    if (end !== undefined) return end;
  }
  if (predicate.progressive && LEAVING.test(verb) && !denied)
    return intended({ ...predicate, willed: false }, when, lexicon);
  const rest = text.slice(verb.length + 1);
  if (denied && !ended) {
    for (const rule of [DENIED_DIET, DENIED_TASTE]) {
      if (!rule.verbs.includes(verb) || predicate.tense !== 'present') continue;
      const value = valueBy(rule, rest, verb, lexicon);
      if (value !== undefined) return { attribute: rule.attribute, value };
    }
  }
  if (denied && ended && DENIED_DIET.verbs.includes(verb)) {
    const value = valueBy(DENIED_DIET, rest, verb, lexicon);
    if (value !== undefined) return { attribute: 'diet', value };
  }
  const rules = RULES.get(verb);
  if (rules === undefined) return undefined;
  const words = nextWords(rest);
  for (const rule of rules) {
    if (!mayRead(rule, words)) continue;
    const value = valueBy(rule, rest, verb, lexicon);
    if (value === undefined) continue;
    const found = meant(rule, value, predicate, when);
    if (found !== undefined) return found;
    if (rule.kind === 'event')
      return intended({ ...predicate, intent: 'plan', willed: false }, when, lexicon);
    return undefined;
  }
  return undefined;
}

function valueBy(rule: Rule, rest: string, verb: string, lexicon: Lexicon): string | undefined {
  const match = rule.pattern.exec(rest);
  if (match === null) return undefined;
  const raw = rule.read === undefined ? match.groups?.v : rule.read(match, verb);
  if (raw === undefined || raw === '') return rule.kind === 'end' ? raw : undefined;
  return phraseOf(raw, rule.value, lexicon);
}

const DOINGS = new Set(
  'likes dislikes preference sport hobby instrument language volunteering membership diet work_schedule phone_model'.split(
    ' ',
  ),
);
const LEAVING = /^(?:leaving|quitting|selling|retiring|resigning)$/;
const LASTS =
  /^(?:be|have|been|known|living|working|studying|taking|learning|playing|doing|dating|seeing)\b|\b(?:for|since)\b/i;

/** Interprets a rule's value in the tense of its predicate. Undefined for an event that is yet to happen. */
function meant(rule: Rule, value: string, predicate: Predicate, { backThen }: When): Found | undefined {
  const { tense, progressive, denied, ended } = predicate;
  const { attribute, kind } = rule;
  const over = { attribute, value, ended: true } as const;
  if (kind === 'end') return over;
  if (kind === 'ever') return denied ? undefined : { attribute, value };
  // "I'm no longer vegan", "I don't live in Lisbon". An event that didn't happen implies nothing.
  if (denied || ended) return kind === 'state' && tense !== 'past' ? over : undefined;
  // "I've played chess before": the perfect lasts only with a length of time.
  if (kind === 'state' && tense === 'perfect' && !LASTS.test(predicate.text)) return undefined;
  // "I played chess with Tom" is something that happened, not something that ended.
  if (kind === 'state' && tense === 'past' && DOINGS.has(attribute) && !predicate.formerly && !backThen())
    return undefined;
  if (kind === 'state')
    return tense === 'past' || backThen() ? { ...over, isPast: true } : { attribute, value };
  if (progressive || tense === 'present') return undefined;
  return backThen() ? { ...over, isPast: true } : { attribute, value };
}

/** First words of the table's `endedBy` patterns. */
const MAY_END =
  /^(?:be|got|moved|left|retired|lost|quit|resigned|stopped|dropped|broke|split|separated|divorced|rehomed|gave|put|outgrew|grew|came|went|sold|scrapped|crashed|totaled|traded|threw|cancell?ed|unsubscribed)$/;

/** Returns the end of an attribute according to the table. */
function endOf({ text, tense, progressive }: Predicate, lexicon: Lexicon): Found | undefined {
  if (progressive || (tense === 'present' && !/^(?:quit|gave)/i.test(text))) return undefined;
  for (const { name, endedBy } of ENDS) {
    const match = endedBy.exec(text);
    if (match === null) continue;
    const raw = match.groups?.v ?? '';
    const value = raw === '' ? '' : phraseOf(raw, name === 'home' ? 'place' : 'organization', lexicon);
    if (value === undefined) continue;
    // "I left Lisbon" and "I left Acme" differ only in what they leave.
    if (name === 'employer' && PLACES.has(value.toLowerCase()))
      return { attribute: 'home', value, ended: true };
    return { attribute: name, value, ended: true };
  }
  return undefined;
}
