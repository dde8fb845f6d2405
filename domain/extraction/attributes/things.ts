import { holdsOne } from '../../facts/attributes.ts';
import { INSTRUMENTS } from '../../facts/things.ts';
import { MONTHS } from '../dates/calendar.ts';
import type { Predicate, Reading } from '../reading/clause.ts';
import { itemsAt } from '../reading/phrases.ts';
import { relationOf } from '../reading/relations.ts';
import { textOf } from '../reading/tokens.ts';
import { BE } from '../reading/word-classes.ts';
import type { Lexicon } from '../sentences/lexicon.ts';
import { DIETS, food } from './frames/body.ts';
import { healedOf } from './frames/healed.ts';
import { jobOf } from './frames/work.ts';
import type { Said, Value } from './meaning.ts';
import { singular } from './names-of-kin.ts';
import { organization } from './organization-type.ts';
import { place } from './place-type.ts';
import { phraseOf } from './plans.ts';
import { attributeOfThing } from './thing-nouns.ts';
import { unlisted } from './unlisted-things.ts';
import { type Item, isOneOf, matching, oneOf, person, type ValueType, words } from './values.ts';

/** Beginnings that say how a thing is; a value says what it is: a name, a number, a thing. */
const JUDGED =
  /^(?:not|so|very|too|really|pretty|quite|going|getting|being|always|also|still|just|all|back|doing|in|on|at|with|from|like|about|what|when|why|how|where|gone|broken|great|good|bad|awful|terrible|nice|lovely|amazing|awesome|cool|fine|okay|ok|best|worst|better|worse|over|done|here|there|coming|finished|ready|up|due|soon|tomorrow|today|ruined|boring|hard|tough|easy|stressful|killing|driving|fun|unique|called|making|starting|ending|full|new|old|important|simple|clear|similar|crazy|hilarious|down|closed|open|close|second|disaster|mess|joke|nightmare|problem|pain|dream|blessing|shambles|slow|fast|expensive|cheap|high|low|late|early|wrong|right|empty|dead|dying|lost|stolen|missing|offline|online|unavailable|secret|private|public|changing|different|same|out|off|acting|working|playing|giving|taking|based|located|near|far|next|opposite|unknown|tight|huge|tiny|small|big|exhausting|demanding|flexible|remote|strict|healthy|unhealthy|horrible|perfect|wonderful|unlisted|confidential|ridiculous)\b/;
const MONEY =
  /^(?:about |around |only |just |now |up to |roughly |currently |at |over |under )*(?<v>[£$€]?\d[\d.,]*(?: ?[km])?(?: ?(?:euros?|dollars?|pounds?|eur|usd|gbp|bucks|quid|francs?|chf|kr|kronor|kroner|yen|zloty|rupees|cents))?(?: ?(?:a|an|per|each|every) (?:year|month|week|hour|day|night)| ?(?:monthly|yearly|annually|weekly|pcm))?)/iu;
const BIRTHDAY = new RegExp(
  `\\b(?:the )?(?:(\\d{1,2})(?:st|nd|rd|th)?(?: of)? )?(${MONTHS.join('|')})\\b(?: (\\d{1,2})(?!\\d))?`,
  'i',
);

/** A birthday such as "3 June". The year is left out: whether it was said isn't known here. */
const birthday: ValueType = ({ tokens, phrase, end }) => {
  const [, before, month, after] = BIRTHDAY.exec(textOf(tokens, phrase.from, end)) ?? [];
  const day = before ?? after;
  return month === undefined || day === undefined ? undefined : `${day} ${month}`;
};
const rest =
  (pattern: RegExp): ValueType =>
  ({ tokens, phrase, end }) => {
    const match = pattern.exec(textOf(tokens, phrase.bare, end).replace(/[.!;]+$/, ''));
    return match === null ? undefined : (match.groups?.v ?? match[0]).trim();
  };
const named: ValueType = item => {
  const text = organization(item);
  if (text === undefined) return undefined;
  // "My bank is revolut": a word that no dictionary has is a name.
  return /\p{Lu}/u.test(text) || !item.lexicon.isCommon(text) ? text : undefined;
};
const ownName: ValueType = item => {
  const name = person(item);
  if (name !== undefined) return name;
  const text = textOf(item.tokens, item.phrase.from, item.phrase.to);
  return /^[a-z]{2,15}$/.test(text) && !JUDGED.test(text) && !item.lexicon.isCommon(text) ? text : undefined;
};
const title: ValueType = item =>
  jobOf(item) ?? (item.phrase.bare < item.phrase.from ? words(item) : undefined);
/** "My team has been encouraging": one word that says how a thing is. */
const ADJECTIVE = /^\p{Ll}+(?:ing|ed|ive|ful|ous|able|ible|less|ish)$/u;
const plain: ValueType = item => words(item);
const thing: ValueType = item => {
  const text = words(item);
  return text === undefined || ADJECTIVE.test(text) ? undefined : text;
};
/** "Red", not "closing", "tied" or "awful". */
const favourite: ValueType = item => {
  const text = words(item);
  return text !== undefined && ADJECTIVE.test(text) && text.length > 4 ? undefined : text;
};
const doing: ValueType = ({ tokens, phrase, end }) =>
  phraseOf(textOf(tokens, phrase.bare, end))?.replace(/^to (?=\w)/, '');
const capital: ValueType = item => {
  const text = words(item);
  return text !== undefined && /\p{Lu}/u.test(text) ? text : undefined;
};
/** A diet, or what it leaves out: "vegan", "no meat". */
const diet: ValueType = item => {
  const kind = isOneOf(DIETS)(item);
  if (kind !== undefined) return kind;
  return item.tokens[item.phrase.bare]!.lower === 'no' && food(item) !== undefined
    ? `no ${food(item)}`
    : undefined;
};

const TYPES: Readonly<Record<string, ValueType>> = {
  name: ownName,
  surname: ownName,
  nickname: ownName,
  birthday,
  age: matching(/^\d{1,3}(?=$|[.,!;]| (?:now|years? old|today))/),
  phone: rest(/\+?\d[\d\s().-]{4,}\d/),
  email: rest(/[^\s@<>"]{1,64}@[^\s@<>"]{1,120}\.[a-z]{2,24}/i),
  address: rest(/^(?=[^@]*\d)(?!\d+(?:\.\d+){3}$)[^@]{4,100}$/),
  hometown: place,
  home: place,
  birthplace: place,
  job: title,
  employer: named,
  school: named,
  bank: named,
  gym: named,
  vehicle: capital,
  device: capital,
  phone_model: capital,
  salary: matching(MONEY),
  rent: matching(MONEY),
  budget: matching(MONEY),
  deadline: matching(
    /^(?:the )?(?<v>(?:\d{1,2}(?:st|nd|rd|th)?(?: of)? \p{Lu}\p{Ll}+|\p{Lu}\p{Ll}+ \d{1,2})(?:,? \d{4})?)/u,
  ),
  height: matching(/^\d.{0,12}/),
  weight: matching(/^\d{1,3}(?:[.,]\d)? ?(?:kg|kilos?|lbs?|pounds|stone)/),
  goal: doing,
  plan: doing,
  diet,
  instrument: oneOf(INSTRUMENTS),
  blood_type: matching(/^(?:AB|A|B|O)(?: ?[+\u2212-]| ?(?:positive|negative|pos|neg)\b)?(?![\p{L}\d])/u),
  shoe_size: matching(/^\d{1,2}(?:[.,]5)?/),
  handle: matching(/^@?[\w.-]{2,30}$/),
  pronouns: rest(/^(?:she|he|they|xe|ze)\b.{0,20}/i),
};
/** Attributes of which a list says several. */
const LISTS = /^(?:favourite_.*|allergy|hobby|medication|language|instrument|diet|goal)$/;

/** Attributes that a doing may be: "my hobby is gardening", not "my favourite shop is closing". */
const DOINGS = /^(?:hobby|sport|favourite_(?:hobby|sport|activity|pastime|thing|exercise|game|part.*))$/;
const FAVOURITE = /^favourite_/;

const OF_SOMETHING =
  /^(?!(?:new|old|current|total|whole|monthly|weekly|yearly|annual|own|final|first|next|strict|tight)\b)(\p{L}[\p{L}-]+) (budget|deadline)$/iu;

/** Reads "my X is Y": the attribute is the thing's, its value must be of the attribute's type. */
export function factOfThing(
  reading: Reading,
  { verb, from, to }: Predicate,
  speaker: string,
  lexicon: Lexicon,
): Said[] {
  const { subject, tokens } = reading;
  const healed = healedOf(reading, { verb, from, to });
  if (healed !== undefined) return [healed];
  // "My hobby is gardening": a doing, where the attribute has such values.
  const isDoing = verb.progressive && tokens[verb.at - 1]!.bits & BE && !verb.denied;
  if ((verb.lemma !== 'be' || verb.progressive || verb.denied) && !isDoing) return [];
  if (verb.intent !== undefined) return [];
  const isPlural = /^(?:are|were)$/.test(tokens[verb.at]!.lower);
  const thing = subject.thing ?? '';
  const last = thing.split(' ').at(-1) ?? '';
  const noun =
    isPlural && /favou?rite/i.test(thing) ? `${thing.slice(0, -last.length)}${singular(last)}` : thing;
  // "My kitchen budget" is the budget for the kitchen.
  const [, about, base] = OF_SOMETHING.exec(noun) ?? [];
  const attribute = attributeOfThing(base ?? noun);
  if (attribute === undefined) return unlisted(noun, reading, from, to);
  if (isDoing && !DOINGS.test(attribute)) return [];
  const isPast = verb.tense === 'past';
  // "My goal was to win" doesn't say whether it still is.
  if (isPast && /^(?:goal|plan|favourite_\w+)$/.test(attribute)) return [];
  const values = valuesOf(attribute, reading, isDoing ? verb.at : from, to, lexicon);
  const kin = attribute === 'name' ? relationOf(subject.relation ?? '') : undefined;
  return values.map(({ value, from: start, to: end }, index) => ({
    attribute: kin ?? attribute,
    value,
    span: { from: start, to: end },
    list: values[0]!.from,
    ...(about !== undefined && { about: about.toLowerCase() }),
    ...(kin !== undefined && { of: speaker }),
    ...(index > 0 && holdsOne(attribute) && { adds: true }),
    ...(verb.ended && { ended: true as const, stance: 'changed' as const }),
    ...(isPast && attribute !== 'birthday' && { ended: true as const, isPast: true, stance: 'was' as const }),
  }));
}

/** Returns the value that some words give an attribute; undefined where they don't fit its type. */
export const valueOfThing = (
  attribute: string,
  tokens: Reading['tokens'],
  from: number,
  to: number,
  lexicon: Lexicon,
): string | undefined => valuesOf(attribute, { tokens }, from, to, lexicon)[0]?.value;

function valuesOf(
  attribute: string,
  { tokens }: Pick<Reading, 'tokens'>,
  from: number,
  to: number,
  lexicon: Lexicon,
): Value[] {
  const type =
    TYPES[attribute] ??
    (relationOf(attribute) !== undefined
      ? person
      : DOINGS.test(attribute)
        ? plain
        : FAVOURITE.test(attribute)
          ? favourite
          : thing);
  let start = from;
  while (
    start < to &&
    (/^(?:now|still|actually|currently|called|just|on|probably)$/.test(tokens[start]!.lower) ||
      // "My account is with Nordlicht Bank".
      (attribute === 'bank' && /^(?:with|at)$/.test(tokens[start]!.lower)) ||
      // "My flat is in Dundee".
      (type === place && /^(?:in|at)$/.test(tokens[start]!.lower)))
  )
    start++;
  const values: Value[] = [];
  for (const phrase of itemsAt(tokens, start, to)) {
    if (/^(?:maybe|perhaps|whatever|probably|possibly|either|not)$/.test(tokens[phrase.bare]!.lower)) break;
    const item: Item = { tokens, phrase, end: to, lexicon };
    const judged = JUDGED.test(textOf(tokens, phrase.from, phrase.to));
    if (judged && (type === plain || type === thing || type === title)) break;
    const value = type(item);
    if (value === undefined) break;
    values.push({ value, from: phrase.bare, to: phrase.to });
    if (!LISTS.test(attribute)) break;
  }
  return values;
}
