import { MONTHS } from '../../dates/calendar.ts';
import { numberIn } from '../../reading/number-words.ts';
import { textOf } from '../../reading/tokens.ts';
import { DETERMINER, MONTH, WEEKDAY } from '../../reading/word-classes.ts';
import { type Frame, frame } from '../frame.ts';
import { type Item, isOneOf, matching, type ValueType, words, wordsIn } from '../values.ts';
import { condition, PARTS } from './conditions.ts';
import { HEALED_FRAMES } from './healed.ts';

export const DIETS =
  'vegan|vegetarian|pescatarian|flexitarian|veggie|gluten-free|gluten free|dairy-free|dairy free|plant-based|plant based|kosher|halal|keto|paleo|low-carb|low carb|teetotal|omnivore|carnivore';
const FOODS =
  'meat|red meat|pork|beef|fish|seafood|shellfish|dairy|egg|eggs|gluten|sugar|lactose|wheat|nuts|cheese|milk|lamb|chicken|carbs|bread|caffeine|coffee|alcohol|soy|honey|onion|onions|garlic|peanuts|animal products|mushrooms|spicy food|fried food|junk food|chocolate|soda|tea|wine|beer|poultry|bacon|butter|rice|pasta|tofu|tomatoes|bananas|grapefruit|oysters|prawns|shrimp|salt|potatoes';
const STATES =
  'type 1 diabetic|type 2 diabetic|coeliac|celiac|diabetic|asthmatic|lactose intolerant|lactose-intolerant|colour blind|color blind|colour-blind|color-blind|colourblind|colorblind|deaf|blind|autistic|dyslexic|epileptic|pregnant|bipolar|anaemic|anemic|hard of hearing|immunocompromised';
const HURT: Readonly<Record<string, string>> = {
  break: 'broken',
  sprain: 'sprained',
  tear: 'torn',
  fracture: 'fractured',
  twist: 'twisted',
  injure: 'injured',
  hurt: 'injured',
};
const RELIGIONS =
  'muslim|christian|catholic|jewish|buddhist|hindu|sikh|atheist|agnostic|quaker|mormon|protestant|lutheran|baptist|pagan|orthodox christian';

/** "34", "seven years old", "30 next month": a number that no unit follows. */
const age: ValueType = ({ tokens, phrase, end }) => {
  const first = tokens[phrase.from]!;
  // "The one who forgets".
  if (phrase.bare < phrase.from && tokens[phrase.bare]!.bits & DETERMINER) return undefined;
  const number = /^\d{1,3}$/.test(first.core) ? Number(first.core) : (numberIn(first.lower) ?? 0);
  if (number <= 0 || number >= 115) return undefined;
  const next = tokens[phrase.from + 1];
  const ends = next === undefined || phrase.from + 1 >= end || /[,.!;]/.test(first.tail);
  const fits =
    ends ||
    /^(?:years?|yrs?|yo|y\.o|now|today|already|next|last|yesterday|this|and|so|but|on|in|too|again|tomorrow|as|turning)$/.test(
      next!.lower,
    );
  if (!fits) return undefined;
  // "5 years into it", "30 years in sales": a length of time, unless "old" follows.
  if (
    next !== undefined &&
    !ends &&
    /^(?:years?|yrs?)$/.test(next.lower) &&
    !/^(?:old|of)$/.test(tokens[phrase.from + 2]?.lower ?? '')
  )
    return undefined;
  if (
    next !== undefined &&
    !ends &&
    next.lower === 'in' &&
    !((tokens[phrase.from + 2]?.bits ?? 0) & MONTH) &&
    !/^(?:\d|a|the|two|three)/.test(tokens[phrase.from + 2]?.lower ?? '')
  )
    return undefined;
  return String(number);
};
/** "Turned 30", not "turned 30 pages". */
const turned: ValueType = item =>
  item.tokens[item.phrase.from + 1]?.bits === 0 &&
  item.phrase.from + 1 < item.end &&
  !/[,.!;]/.test(item.tokens[item.phrase.from]!.tail) &&
  !/^(?:yesterday|tomorrow|today|last|this|in|on)/.test(item.tokens[item.phrase.from + 1]!.lower)
    ? undefined
    : age(item);

const FOOD_SET = new Set(FOODS.split('|'));
/** A food that people leave out: one or two words of a closed list. */
export const food: ValueType = ({ tokens, phrase }) => {
  const text = textOf(tokens, phrase.from, phrase.to);
  return FOOD_SET.has(text.toLowerCase()) ? text : undefined;
};
const dropped: ValueType = item => {
  const text = food(item);
  return text === undefined ? undefined : `no ${text}`;
};

/** A food that is eaten again, as the diet that is over. */
const eatenAgain: ValueType = item => {
  const isAgain = item.tokens.slice(item.phrase.to, item.end).some(({ lower }) => lower === 'again');
  return isAgain ? dropped(item) : undefined;
};

const DRUG =
  /^(?:\d+ ?mg (?:of )?)?[\p{L}-]{3,25}(?:in|ol|ine|pril|statin|mycin|ide|pam|zole|formin|xetine|codone|profen|sartan|cillin|erone|parin|azepam|mab|vir|tidine|lukast|thyroxine|dipine)(?: \d+ ?mg)?$|^(?:insulin|antidepressants|antibiotics|the pill|beta[- ]blockers|blood thinners|statins|antihistamines|painkillers|iron supplements|iron tablets|iron|melatonin|ssris|warfarin|lithium|vitamin [a-d]\d{0,2}|ventolin|ozempic|wegovy|mounjaro|lexapro|zoloft|prozac|xanax|adderall|ritalin|concerta|humira|eliquis|xarelto|lipitor|synthroid|euthyrox|symbicort|nexium|an? inhaler|creatine)$|^[\p{L}-]{3,25} \d+ ?mg$|^\d+ ?mg (?:of )?[\p{L}-]{3,25}$/iu;
const NO_DRUG =
  /^(?:wine|line|medicine|machine|online|time|mine|fine|nine|again|train|main|brain|coin|coffee|caffeine|pain|rain|skin|ride|side|pride|inside|outside|guide|control|school|alcohol|begin|captain|cabin|routine|vaccine|magazine|limousine|cuisine|protein|plugin|turmeric|pool|tool|cool|symbol|patrol|marine|engine|deadline|pipeline|airline|discipline|chain|domain|bargain|fountain|mountain|basin|margin|origin|cousin|violin|muffin|penguin|pumpkin|napkin|decide|slide|wide|tide|aside|beside|refine|define|combine|decline|examine|imagine|determine|shine|vine|pine|spine|dine)$/i;
/** How often: "one a day", "4 mg at night". */
const DOSE =
  /^[,(]? ?(?:as well,? |too,? |instead,? |now,? )?(?:\d+ ?(?:mg|mcg|ml)|(?:one|two|three|once|twice|\d)(?: times)?(?: a| per|,)? (?:day|night|week|morning)|(?:every|each) (?:day|morning|night|evening)|for my \w+)/i;
export const drug: ValueType = item => {
  const text = wordsIn(item, 4);
  if (text === undefined || NO_DRUG.test(text)) return undefined;
  if (DRUG.test(text)) return text;
  // A word that no dictionary has, with a dose: "Galfer as well, one a day".
  const { tokens, phrase, lexicon } = item;
  const after = textOf(tokens, phrase.to, Math.min(tokens.length, phrase.to + 7));
  const isUnknown = phrase.to - phrase.from === 1 && !lexicon.isCommon(text.toLowerCase());
  return isUnknown && DOSE.test(after) ? text : undefined;
};
/** "Pregnant", not "pregnant with ideas". */
const bodily: ValueType = item => {
  const next = item.phrase.to < item.end ? item.tokens[item.phrase.to]!.lower : '';
  return next === 'with' || next === 'to' ? undefined : isOneOf(STATES)(item);
};
const illness: ValueType = item => {
  if (/ing$/.test(item.tokens[item.phrase.from]!.lower) || /\bcase of\b/.test(wordsIn(item, 6) ?? ''))
    return undefined;
  const text = wordsIn(item, 5);
  return text === undefined || text.length < 3 ? undefined : text;
};
const broken =
  (lemma: string): ValueType =>
  ({ tokens, phrase: { from, to } }) => {
    // "My left knee playing squash": the part is among the first words.
    for (let at = from; at < Math.min(to, from + 2); at++)
      if (PARTS.has(tokens[at]!.lower)) return `${HURT[lemma]} ${textOf(tokens, from, at + 1)}`;
    return undefined;
  };
const brokenPart: ValueType = item => {
  const text = wordsIn(item, 3);
  return text !== undefined && /^(?:broken|fractured|sprained|torn|twisted) [a-z]+$/i.test(text)
    ? text
    : undefined;
};
const allergen: ValueType = item => {
  if (
    item.tokens[item.phrase.from]!.bits & WEEKDAY ||
    /^mondays?$/.test(item.tokens[item.phrase.from]!.lower)
  )
    return undefined;
  const text = wordsIn(item, 4);
  return text !== undefined &&
    !/ly$/.test(text) &&
    !/^(?:work|mornings?|mondays?|fun|bullshit|people|exercise|sports?|responsibility|commitment|meetings?|drama|nonsense|stupidity|cardio|housework|small talk|kids|children|maths?|homework|early mornings|failure|losing|boredom|change|feelings|emotions|love|marriage|money|stress|heat|cold|sweat|exams?|he|she|they|everything.*|anything.*|all .*)$/i.test(
      text,
    )
    ? text
    : undefined;
};
const ALLERGY =
  /^(?:(?:severe|mild|bad|serious|terrible|life-threatening) )*(?<v>[a-z]{3,15}(?: [a-z]{3,10})?) allerg(?:y|ies)(?=$|[,.;!]| (?:and|so|but|since|too|which|to|as|from|or)\b)/i;
const allergyName: ValueType = item => {
  const text = matching(ALLERGY)(item);
  // "I've outgrown the allergy" names none.
  return text === undefined ||
    /^(?:food|an|severe|new|any|my|no|seasonal|other)$|\b(?:the|this|that|my|an?)$/i.test(text)
    ? undefined
    : text;
};
const BORN = new RegExp(`^(?:(?:\\d{1,2} )?(?:(?:${MONTHS.join('|')}) ?)?(?:(?:19|20)\\d\\d)?)(?=$|[,.!; ])`);
const born: ValueType = ({ tokens, phrase, end }: Item) => {
  const text = textOf(tokens, phrase.from, end);
  return BORN.exec(text)?.[0].trim() || undefined;
};
const HEIGHT =
  /^(?<v>\d(?:[.,]\d\d?)? ?(?:m|metres?|meters?)|\d['’′]\s?\d{0,2}(?:["”″]|'')?|\d (?:foot|feet|ft)(?: ?\d{1,2}(?: ?(?:inches|in))?)?|\d{2,3} ?cm|1[.,][4-9]\d(?=$|[,.!;]))(?![\p{L}\d])(?! (?:away|behind|from|below|above|deep|under))/iu;
const WEIGHT =
  /^(?:about |around |only |just )?(?<v>\d{1,3}(?:[.,]\d)? ?(?:kg|kilos?|lbs?|pounds|stone(?: \d{1,2}(?: ?(?:lbs?|pounds))?)?|grams|g))\b/i;

export const BODY_FRAMES: readonly Frame[] = [
  frame('allergy', 'state', 'be', 'allergic to', allergen, { list: true }),
  frame('allergy', 'state', 'have', '', allergyName),
  frame('allergy', 'state', 'have', 'a|an severe|mild|bad|serious? allergy to', allergen, { list: true }),
  frame('allergy', 'event', 'develop', 'a|an severe|mild|new? allergy to', allergen, { list: true }),
  frame('diet', 'state', 'be', '', isOneOf(DIETS)),
  frame('diet', 'state', 'eat cook do follow keep', '', isOneOf(DIETS)),
  frame(
    'diet',
    'state',
    'follow be',
    '',
    matching(new RegExp(`^(?:an? |on an? )?(?<v>${DIETS}) diet\\b`, 'i')),
  ),
  frame('diet', 'event', 'go become turn', '', isOneOf(DIETS)),
  frame('diet', 'event', 'quit stop drop avoid', '', dropped, { list: true }),
  frame('diet', 'event', 'quit stop', 'eating|drinking|having', dropped, { list: true }),
  frame('diet', 'event', 'give', '', dropped, { list: true, particle: 'up' }),
  frame('diet', 'event', 'cut', '', dropped, { list: true, particle: 'out' }),
  frame('diet', 'state', 'avoid', '', dropped, { list: true }),
  frame('diet', 'state', 'avoid', 'eating', dropped, { list: true }),
  // "I don't eat meat": only what is denied makes the diet.
  frame('diet', 'state', 'eat drink have touch tolerate do', '', food, {
    list: true,
    onlyDenied: true,
    denied: value => `no ${value}`,
  }),
  // "I drink coffee again": what was left out is no longer.
  frame('diet', 'state', 'eat drink have', '', eatenAgain, { list: true, ended: true }),
  frame('health', 'state', 'have', '', condition, { list: true }),
  frame('health', 'state', 'suffer', 'from', condition, { list: true }),
  frame('health', 'state', 'have', '', brokenPart),
  frame('health', 'state', 'be', '', bodily),
  frame('health', 'event', 'be get', 'diagnosed with', illness, { list: true }),
  ...Object.keys(HURT).map(lemma => frame('health', 'event', lemma, 'my|his|her|their', broken(lemma))),
  frame('medication', 'state', 'take', '', drug, { list: true }),
  frame('medication', 'state', 'be', 'on', drug, { list: true }),
  frame('medication', 'state', 'be', 'to take', drug, { list: true }),
  frame('medication', 'state', 'be come', 'off', drug, { list: true, ended: true }),
  frame('medication', 'event', 'start begin', 'taking|on', drug, { list: true }),
  frame('medication', 'event', 'go', 'on', drug, { list: true }),
  frame('age', 'state', 'be', '', age),
  frame('age', 'ever', 'turn', '', turned),
  frame('birthday', 'ever', 'be', 'born on|in', born),
  frame('height', 'state', 'be', '', matching(HEIGHT)),
  frame('weight', 'state', 'weigh', '', matching(WEIGHT)),
  frame('weight', 'state', 'be', 'down|up|at to?', matching(WEIGHT)),
  frame(
    'religion',
    'state',
    'be',
    '',
    isOneOf(`${RELIGIONS}|practising ${RELIGIONS.split('|').join('|practising ')}`),
  ),
  frame('religion', 'event', 'become', '', isOneOf(RELIGIONS)),
  frame(
    'religion',
    'event',
    'convert',
    '~to',
    matching(/^(?:Islam|Judaism|Christianity|Catholicism|Buddhism|Hinduism|Sikhism)\b/i),
  ),
  frame('blood_type', 'state', 'be', 'blood type', words),
  ...HEALED_FRAMES,
];
