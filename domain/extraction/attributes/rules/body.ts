import { type Rule, rule } from '../rule.ts';

const DIETS =
  'vegan|vegetarian|pescatarian|flexitarian|veggie|gluten[- ]free|dairy[- ]free|plant[- ]based|kosher|halal|keto|paleo|low[- ]carb|sober|teetotal|omnivore';
const FOODS =
  'meat|red meat|pork|beef|fish|seafood|shellfish|dairy|eggs?|gluten|sugar|lactose|wheat|nuts|cheese|milk|lamb|chicken|carbs|bread|caffeine|coffee|alcohol|soy|honey|onions?|garlic|peanuts|animal products|mushrooms|spicy food|fried food|junk food|chocolate|soda';
const FOOD = `(?<v>(?:any )?(?:${FOODS})(?:(?:,| or| and) (?:${FOODS}))*)(?=$|[,.;!]| )`;
const CONDITIONS =
  "asthma|diabetes|type [12] diabetes|migraines?|adhd|anxiety|depression|insomnia|arthritis|epilepsy|coeliac(?: disease)?|celiac(?: disease)?|high blood pressure|low blood pressure|the flu|flu|covid|cancer|eczema|psoriasis|hay fever|tinnitus|hypertension|an(?:a)?emia|dyslexia|autism|ptsd|ocd|ibs|endometriosis|lupus|scoliosis|vertigo|sciatica|an? (?:slipped disc|heart condition|concussion|bad (?:back|knee|hip|shoulder)|stomach ulcer|thyroid (?:problem|condition)|sinus infection|cold|fever|hernia)|crohn['’]?s(?: disease)?|parkinson['’]?s|pneumonia|bronchitis|sleep apnea|sleep apnoea|gout|osteoporosis|glaucoma|a(?:n)? (?:broken|fractured|sprained|torn|twisted) [a-z]+";
const STATES =
  'coeliac|celiac|diabetic|asthmatic|lactose[- ]intolerant|gluten[- ]intolerant|colou?r[- ]?blind|deaf|blind|autistic|dyslexic|epileptic|pregnant|bipolar|ana?emic|on dialysis|in remission|in a wheelchair|hard of hearing|immunocompromised';
const PARTS =
  '(?:(?:left|right|lower|upper) )?(?:arm|leg|ankle|wrist|knee|foot|hand|finger|thumb|toe|shoulder|back|hip|rib|ribs|nose|collarbone|elbow|neck|hamstring|achilles|acl|tooth|calf|heel|jaw|pinky)';
const DRUG =
  '(?:\\d+ ?mg (?:of )?)?[\\p{L}-]{3,25}(?:in|ol|ine|pril|statin|mycin|ide|pam|zole|formin|xetine|codone|profen|sartan|cillin|erone|parin)(?: \\d+ ?mg)?|insulin|antidepressants|antibiotics|the pill|beta[- ]blockers|blood thinners|statins|antihistamines|painkillers|iron supplements|melatonin|[\\p{L}-]{3,25} \\d+ ?mg|\\d+ ?mg (?:of )?[\\p{L}-]{3,25}';
const NO_DRUG =
  /^(?:wine|vitamin|line|medicine|machine|online|time|mine|fine|nine|again|train|main|brain|coin|coffee|caffeine|pain|rain|skin|ride|side|pride|inside|outside|guide|control|school|alcohol|begin|captain|cabin|routine|vaccine|magazine|limousine|cuisine|protein|plugin|turmeric)$/i;
const HURT: Readonly<Record<string, string>> = {
  broke: 'broken',
  sprained: 'sprained',
  tore: 'torn',
  fractured: 'fractured',
  twisted: 'twisted',
  dislocated: 'dislocated',
  injured: 'injured',
  hurt: 'injured',
  pulled: 'pulled',
  bruised: 'bruised',
};
const AGE =
  /^(?:about |almost |nearly |only )?(?<v>\d{1,3}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)(?: years old| years of age| yrs old|yo)?(?: (?:now|today|already|next|this|in|on)\b.*)?(?=$|[,.!;]| (?:and|so|but|years))/i;
const NUMBERS = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ');
const age = (match: RegExpExecArray): string | undefined => {
  const word = match.groups?.v ?? '';
  const years = Number(/^\d/.test(word) ? word : NUMBERS.indexOf(word.toLowerCase()));
  return years > 0 && years < 115 ? String(years) : undefined;
};

export const BODY_RULES: readonly Rule[] = [
  rule(
    'allergy',
    'state',
    'be',
    /^(?:\w+ly |so |very |super |really |highly )?allergic to (?<v>.+)/i,
    'thing',
  ),
  rule(
    'allergy',
    'state',
    'have',
    /^(?:an? |got an? )?(?:(?:severe|mild|bad|serious|terrible|food|life-threatening) )*(?<v>[a-z]{3,15}(?: [a-z]{3,10})?) allerg(?:y|ies)\b/i,
    'thing',
    {
      read: match =>
        /^(?:food|an|severe|new|any|my|no)$/i.test(match.groups?.v ?? '') ? undefined : match.groups?.v,
    },
  ),
  rule('allergy', 'state', 'have developed', /^an? (?:[a-z]+ )?allergy to (?<v>.+)/i),
  rule(
    'diet',
    'state',
    'be',
    new RegExp(
      `^(?:an? |now |strictly |fully |mostly |completely |on a |a strict )*(?<v>${DIETS})(?= |$|[,.!;])(?! (?:food|dish|recipe|restaurant|options|chef|cook))`,
      'i',
    ),
    'words',
    { oneOf: DIETS },
  ),
  rule(
    'diet',
    'state',
    'eat eats eating cook cooks do doing follow follows following keep keeps',
    new RegExp(`^(?:an? |strictly |only |mostly |fully |strict )*(?<v>${DIETS})(?= |$|[,.!;])`, 'i'),
    'words',
    { oneOf: DIETS },
  ),
  rule(
    'diet',
    'event',
    'went became turned going become gone',
    new RegExp(`^(?:an? |fully |completely |fully |full )*(?<v>${DIETS})(?= |$|[,.!;])`, 'i'),
    'words',
    { oneOf: DIETS },
  ),
  rule(
    'diet',
    'event',
    'quit stopped dropped cut avoid avoids gave given',
    new RegExp(`^(?:up |out |off |eating |drinking |with |having )*${FOOD}`, 'i'),
    'words',
    {
      read: match =>
        /alcohol|caffeine|coffee|soda/i.test(match.groups?.v ?? '') ? undefined : `no ${match.groups?.v}`,
    },
  ),
  rule(
    'health',
    'state',
    'have',
    new RegExp(
      `^(?:an? |got |the )?(?:(?:chronic|severe|mild|bad|terrible|seasonal|really) )*(?<v>${CONDITIONS})(?= |$|[,.!;])`,
      'i',
    ),
    'words',
    { oneOf: CONDITIONS },
  ),
  rule(
    'health',
    'state',
    'be',
    new RegExp(`^(?:an? |severely |slightly |now |currently )*(?<v>${STATES})(?= |$|[,.!;])`, 'i'),
    'words',
    { oneOf: `${STATES} color colour` },
  ),
  rule('health', 'event', 'be got', /^(?:recently |just )?diagnosed with (?<v>.+)/i, 'thing'),
  rule(
    'health',
    'event',
    Object.keys(HURT).join(' '),
    new RegExp(`^(?:my|his|her|their) (?<v>${PARTS})(?= |$|[,.!;])`, 'i'),
    'words',
    { oneOf: PARTS, read: (match, verb) => `${HURT[verb]} ${match.groups?.v}` },
  ),
  rule(
    'medication',
    'state',
    'take takes taking be',
    new RegExp(`^(?:on )?(?<v>${DRUG})(?= |$|[,.!;])`, 'iu'),
    'words',
    {
      read: match => (NO_DRUG.test(match.groups?.v ?? '') ? undefined : match.groups?.v),
    },
  ),
  rule(
    'medication',
    'event',
    'started went',
    new RegExp(`^(?:taking |on )(?<v>${DRUG})(?= |$|[,.!;])`, 'iu'),
    'words',
    {
      read: match => (NO_DRUG.test(match.groups?.v ?? '') ? undefined : match.groups?.v),
    },
  ),
  rule('age', 'state', 'be', AGE, 'words', { read: age }),
  // "I'm turning 30 in June" is no plan: it holds from then on.
  rule(
    'age',
    'ever',
    'turned turn turns turning',
    /^(?<v>\d{1,3})(?=$|[,.!;]| (?!minutes|pages|degrees|times))/,
    'words',
    { read: age },
  ),
  rule(
    'birthday',
    'ever',
    'be',
    /^born (?:on|in) (?<v>(?:\d{1,2} )?(?:(?:January|February|March|April|May|June|July|August|September|October|November|December) ?)?(?:(?:19|20)\d\d)?)(?=$|[,.!; ])/,
    'words',
    {
      read: match => match[0].replace(/^born (?:on|in) /, ''),
    },
  ),
  rule(
    'height',
    'state',
    'be',
    /^(?<v>\d(?:\.\d\d?)? ?(?:m|metres|meters)|\d['’]\d{0,2}"?|\d (?:foot|feet|ft) ?\d{0,2}|\d{3} ?cm)(?: tall)?(?= |$|[,.!;])/i,
    'words',
  ),
  rule(
    'weight',
    'state',
    'weigh weighs',
    /^(?:about |around )?(?<v>\d{2,3} ?(?:kg|kilos|lbs|pounds|stone))/i,
    'words',
  ),
  rule(
    'religion',
    'state',
    'be',
    /^(?:an? |now |practi[cs]ing |devout |raised |non-practi[cs]ing )*(?<v>muslim|christian|catholic|jewish|buddhist|hindu|sikh|atheist|agnostic|quaker|mormon|protestant|lutheran|orthodox christian|baptist|pagan)(?=$|[,.;!]| (?:and|but|now|so|too))/i,
    'words',
    {
      oneOf:
        'muslim christian catholic jewish buddhist hindu sikh atheist agnostic quaker mormon protestant lutheran orthodox baptist pagan',
    },
  ),
  rule(
    'religion',
    'event',
    'converted',
    /^to (?<v>Islam|Judaism|Christianity|Catholicism|Buddhism|Hinduism|Sikhism)/i,
    'words',
  ),
];

/** "I don't eat meat": the denied food makes the diet. */
export const DENIED_DIET: Rule = rule(
  'diet',
  'state',
  'eat eats drink drinks do have touch tolerate',
  new RegExp(`^(?:eat |any )*${FOOD}`, 'i'),
  'words',
  { read: match => `no ${match.groups?.v?.replace(/^any /, '')}` },
);
