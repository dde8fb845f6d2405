/** The rules, in their order: the first that fits is taken. Each reads what follows a subject. */
import { type Found, type Rule, rule } from './rule.ts';
import { NAME, phraseOf, placeOf } from './value.ts';
import {
  DIETS,
  ILLNESSES,
  INSTRUMENTS,
  isOccupation,
  LANGUAGES,
  NATIONALITIES,
  PETS,
  RELIGIONS,
  SPORTS,
  VEHICLES,
} from './words.ts';

const BE = '(?:am|is|are)';
const NO_LONGER = `(?:no longer|${BE} no longer|${BE} not|do not|does not|have stopped|has stopped|stopped)`;

const with_ = (attribute: string, value: string | undefined, ended?: true): Found | undefined =>
  value === undefined ? undefined : { attribute, value, ...(ended && { ended }) };
const valued =
  (attribute: string, ended?: true) =>
  ({ v = '' }: Record<string, string>): Found | undefined =>
    with_(attribute, phraseOf(v), ended);
const placed =
  (attribute: string, ended?: true) =>
  ({ v = '' }: Record<string, string>): Found | undefined =>
    with_(attribute, placeOf(v), ended);
const asIs =
  (attribute: string, ended?: true) =>
  ({ v = '' }: Record<string, string>): Found | undefined =>
    with_(attribute, v, ended);
/** What ended isn't named. */
const ends = (attribute: string) => (): Found => ({ attribute, value: '', ended: true });

const worksAs = ({ v = '' }: Record<string, string>): Found | undefined => {
  const value = phraseOf(v.replace(/ (?:at|for|with|in) (?:an? |the )?\p{Lu}.*$/u, ''));
  return value && isOccupation(value) ? { attribute: 'job', value } : undefined;
};
const SOME = /^an? (?!lot|bit|while|time|few|little|desk|table|night|weekend|loss)/;
/** A company, a hospital: named, or "the" or "a" and a noun. */
const company =
  (ended?: true) =>
  ({ v = '' }: Record<string, string>): Found | undefined => {
    const value = phraseOf(v);
    const isNamed = value !== undefined && (/\p{Lu}|\d/u.test(value) || SOME.test(v));
    return isNamed ? with_('employer', value, ended) : undefined;
  };

const HOME: Rule[] = [
  rule('used to live (?:in|at|near|on) (?<v>.+)', placed('home', true)),
  rule('lived (?:in|at|near|on) (?<v>.+)', ({ v = '', all = '' }) =>
    // "I have lived in Rome for ten years" holds; "I lived in Rome for ten years" doesn't.
    /\b(?:have|has)\b/.test(all) && /\b(?:since|for)\b/.test(v)
      ? with_('home', placeOf(v))
      : with_('home', placeOf(v), true),
  ),
  rule(
    `(?:${NO_LONGER} liv(?:e|es|ing) (?:in|at|near|on)|moved (?:out of|away from)) (?<v>.+)`,
    placed('home', true),
  ),
  rule(
    `(?:live|lives|living|${BE} living|${BE} now living|reside|resides|${BE} based|been living) (?:in|at|near|on|outside) (?<v>.+)`,
    placed('home'),
  ),
  rule(
    '(?:(?:moved|relocated) (?:back |over |out |up |down )*(?:from .{2,30} )?(?:to|into|in at)|settled (?:down )?in|bought (?:a|our|my) (?:first |new )?(?:house|flat|apartment|place) in|rented (?:a|an) .{0,20}(?:house|flat|apartment|room|studio) in) (?<v>.+)',
    placed('home'),
  ),
  rule(
    `(?:(?:${BE} )?(?:originally )?from|grew up in|was born in|was raised in) (?<v>.+)`,
    placed('hometown'),
  ),
];

const WORK: Rule[] = [
  rule('used to work (?:for|at) (?<v>.+)', company(true)),
  rule(
    `(?:quit|left(?= (?:my (?:old )?job|\\p{Lu}))|resigned from|(?:was|got|have been|has been|been) (?:fired|laid off|let go|made redundant) (?:from|by|at)|${NO_LONGER} work(?:s|ing)? (?:for|at)|handed in (?:my|his|her) notice at) (?:my |his |her |the )?(?:(?:old )?job (?:at|with) )?(?<v>.+)`,
    company(true),
  ),
  rule(
    '(?:quit(?: my| his| her) job|lost (?:my|his|her) job|(?:was|got|have been|has been|been) (?:fired|laid off|made redundant|let go)|handed in (?:my|his|her) notice)',
    ends('employer'),
  ),
  rule('(?:retired|am retired|is retired)\\b', () => ({ attribute: 'job', value: 'retired' })),
  rule(`(?:used to work|worked) as (?<v>.+)`, ({ v = '' }) => {
    const found = worksAs({ v });
    return found && { ...found, ended: true };
  }),
  rule(
    `(?:work|works|working|${BE} working|(?:started|start|begun|began)(?: work| working| out)?|(?:got|took|landed|accepted|started) (?:a|the|my) (?:new |first )?(?:job|position|role)) as (?<v>.+)`,
    worksAs,
  ),
  rule(
    '(?:got promoted to|was promoted to|been promoted to|got promoted|became|trained as|qualified as|(?:have|has) become) (?:be )?(?<v>.+)',
    ({ v = '' }) => {
      const value = phraseOf(v);
      return value && isOccupation(value) ? { attribute: 'job', value } : undefined;
    },
  ),
  rule(
    `(?:work|works|working|${BE} working|(?:started|start)(?: work| working| (?:a|my|the) (?:new |first )?(?:job|position|role))?|(?:got|took|landed|accepted) (?:a|the|my) (?:new |first )?(?:job|position|role|offer)|joined|(?:${BE} )?employed) (?:for|at|with|by|from)? ?(?<v>\\p{Lu}.+|(?:the|a|an) .+)`,
    ({ v = '' }) => company()({ v }),
  ),
  rule(`${BE} (?:a|an|the) (?<v>.+)`, ({ v = '' }) => worksAs({ v })),
  rule(
    `(?:${BE} )?(?:earn|earns|make|makes) (?<v>[£$€]?\\d[\\d.,]*k? ?(?:a|per|an) (?:year|month|hour|week))`,
    asIs('salary'),
  ),
  rule(`(?:report|reports|reporting) to (?<v>${NAME})`, asIs('boss')),
];

const LEARNING: Rule[] = [
  rule('(?:dropped out of|graduated from|finished at) (?<v>\\p{Lu}.+)', valued('school', true)),
  rule(
    "(?:go|goes|going|went|attend|attends|study|studies|started|enrolled|transferred)(?: to| at| in)? (?<v>(?:the )?(?:\\p{Lu}[\\p{L}.']+ )*(?:University|College|School|Academy|Institute)(?: of [\\p{Lu}][\\p{L} ]+)?)",
    valued('school'),
  ),
  rule(
    `(?:switched (?:my |his |her )?(?:major |degree |course )?(?:from .{2,30} )?to|study|studies|studying|${BE} studying|major(?:s|ing)? in|${BE} majoring in|${BE} doing (?:a|my) (?:degree|phd|PhD|master's|masters) in) (?<v>\\p{L}.+)`,
    ({ v = '' }) => (/^(?:for|hard|at|with|abroad|to|in) /.test(v) ? undefined : valued('studies')({ v })),
  ),
  rule(
    `(?:speak|speaks|${BE} fluent in) (?:fluent |some |a bit of |a little )?(?<v>${LANGUAGES})\\b`,
    asIs('language'),
  ),
  rule(
    `(?:${BE} learning|started learning|learn|learns|began learning|taking lessons in) (?<v>${LANGUAGES})\\b`,
    asIs('language'),
  ),
];

const PEOPLE: Rule[] = [
  rule(
    `(?:broke up with|split up with|split from|divorced|separated from|${BE} divorcing) (?:my (?:husband|wife|boyfriend|girlfriend|partner|fianc[eé]e?),? ?)?(?<v>${NAME})`,
    asIs('partner', true),
  ),
  rule(
    `(?:broke up|split up|got divorced|got a divorce|separated|${BE} (?:single|divorced) (?:again|now)|${BE} (?:getting divorced|newly single|back to being single)|broke (?:off|up) (?:the|our|my) (?:engagement|relationship)|broke up with my (?:boyfriend|girlfriend|partner))(?=$|[,.;!]| (?:last|this|in|on|a|two|three|from|after|before|and|because|again|now|yesterday|recently))`,
    ends('partner'),
  ),
  rule(
    `(?:(?:${BE}|got) (?:engaged|married) to|married|${BE} (?:dating|seeing|going out with|in a relationship with)|started (?:dating|seeing)) (?:my (?:husband|wife|boyfriend|girlfriend|partner),? ?)?(?<v>${NAME})`,
    asIs('partner'),
  ),
  rule(`(?:${BE}|got) (?<v>single|engaged|married|divorced|widowed)\\b`, asIs('relationship_status')),
  rule(
    `(?:live|lives|${BE} living|moved in|share a (?:flat|house|apartment)) with (?:my (?:friend|roommate|flatmate|housemate)s?,? )?(?<v>${NAME})`,
    asIs('roommate'),
  ),
];

const SPECIES = PETS.join('|');
const PET: Rule[] = [
  rule(
    `(?:have|has|had|got|adopted|bought|own|owns|rescued|fostered|took in|brought home) (?:an?|another|our|my|two|three) (?:[\\p{L}-]+ ){0,4}?(?<s>${SPECIES})s?,? (?:puppy |kitten )?(?:called|named|whose name is|and (?:we )?(?:called|named) (?:him|her|it|them)) (?<v>${NAME})`,
    ({ s, v = '' }) => ({ attribute: 'pet', value: `${v} (${s})` }),
  ),
  rule(
    `(?:have|has|got|adopted|bought|own|owns|rescued) (?:an?|another|two|three) (?<v>(?:[\\p{L}-]+ ){0,2}?(?:${SPECIES})s?)\\b(?! (?:food|bed|house|toy|person|walker|sitter|show|park))`,
    asIs('pet'),
  ),
];

const BODY: Rule[] = [
  rule(`(?:${NO_LONGER}|used to be) (?:a |an |being )?(?<v>${DIETS})\\b`, asIs('diet', true)),
  rule(`(?:gave up|given up|stopped|quit) being (?:a |an )?(?<v>${DIETS})\\b`, asIs('diet', true)),
  rule(`(?:eat|eats|started eating|${BE} eating) (?:meat|fish|dairy|everything) again`, ends('diet')),
  rule(
    `(?:${BE}|became|become|went|gone|turned|going|have been|has been) (?:a |an |fully |strictly )*(?<v>${DIETS})\\b`,
    asIs('diet'),
  ),
  rule(
    `(?:no longer|do not|does not|stopped|gave up|quit|have stopped|given up) (?:eat |eats |eating )(?<v>meat|dairy|gluten|sugar|pork|beef|fish|eggs)\\b`,
    ({ v = '' }) => ({ attribute: 'diet', value: `no ${v}` }),
  ),
  rule(
    `(?:gave up|given up|quit) (?<v>meat|dairy|gluten|sugar|alcohol|drinking|smoking|coffee|caffeine)\\b`,
    ({ v = '' }) => ({ attribute: 'diet', value: `no ${v}` }),
  ),
  rule(`(?:${BE} no longer|${BE} not) allergic to (?<v>.+)`, valued('allergy', true)),
  rule(
    `(?:${BE}|${BE} severely|${BE} very|${BE} mildly|turned out to be|found out I am) allergic to (?<v>.+)`,
    valued('allergy'),
  ),
  rule(
    '(?:have|has|developed|got) (?:a|an) (?:(?:severe|mild|bad|serious) )?(?<v>[\\p{L} -]{2,30}?) allergy',
    asIs('allergy'),
  ),
  rule(`${BE} (?<v>lactose|gluten|fructose|histamine)[- ]intolerant`, asIs('allergy')),
  rule(
    `(?:have|has|(?:was|were|been|got|${BE}) diagnosed with|suffer from|suffers from|came down with|developed) (?<v>${ILLNESSES})(?![\\p{L}])`,
    asIs('health'),
  ),
  rule(
    '(?:broke|sprained|twisted|fractured|tore) (?:my|his|her) (?<v>[\\p{L} ]{3,20}?)(?= |$|[,.])',
    ({ v = '' }) => ({ attribute: 'health', value: `injured ${v}` }),
  ),
  rule(
    `(?:turned|${BE} turning|${BE}) (?<v>\\d{1,3})(?: years old)?(?=$|[ ,.](?:now|today|yesterday|last|this|next|in|on|years))`,
    ({ v = '' }) => (Number(v) < 120 ? { attribute: 'age', value: v } : undefined),
  ),
  rule('was born on (?<v>.+)', ({ v = '' }) => with_('birthday', birthday(v))),
];

const birthday = (text: string): string | undefined => {
  const value = text.replace(/^(?:the|on) /, '').trim();
  return /\d/.test(value) && value.length < 40 ? value : undefined;
};

const THINGS: Rule[] = [
  rule(
    `(?:sold|scrapped|crashed|totalled|wrote off|gave away|got rid of) (?:my|our|the|his|her) (?:old )?(?<v>(?:[\\p{L}\\d-]+ ){0,2}?(?:${VEHICLES})(?: [\\p{Lu}\\d][\\p{L}\\d]*)?)`,
    asIs('vehicle', true),
  ),
  rule(
    `(?:drive|drives|${BE} driving|ride|rides) (?:an?|the|my|his|her) (?:new |old |used |second-hand |electric |little )*(?<v>(?:[\\p{L}\\d-]+ ){0,2}?(?:${VEHICLES})(?: [\\p{Lu}\\d][\\p{L}\\d]*)?)`,
    valued('vehicle'),
  ),
  rule(
    `(?:bought|got|leased|purchased|picked up|ordered|switched to|traded .{2,30} for) (?:an?|my|our|the) (?:new |used |second-hand |brand-new |electric |little )*(?<v>(?:[\\p{L}\\d-]+ ){0,2}?(?:${VEHICLES})(?: [\\p{Lu}\\d][\\p{L}\\d]*)?)(?! (?:seat|park|wash|key|insurance|ride))`,
    valued('vehicle'),
  ),
  rule(
    '(?:bought|purchased|own|owns) (?:an?|some|two|three|myself an?|ourselves an?) (?<v>.+)',
    valued('owns'),
  ),
];

const LIKES: Rule[] = [
  rule('prefer(?:s)? (?<v>.+)', ({ v = '' }) => with_('preference', phraseOf(v, { keepsArticle: true }))),
  rule('(?:go|goes) by (?:the name )?(?<v>\\p{Lu}[\\p{L}]+)', asIs('nickname')),
  rule(
    `(?:gave up|given up|stopped|quit|no longer|have stopped) (?:playing |play |plays )?(?:the )?(?<v>${INSTRUMENTS})\\b`,
    asIs('instrument', true),
  ),
  rule(
    `(?:play|plays|${BE} learning|started|${BE} learning to play|took up|started playing|started learning) (?:the )?(?<v>${INSTRUMENTS})\\b`,
    asIs('instrument'),
  ),
  rule(
    `(?:gave up|given up|stopped|quit|no longer|have stopped) (?:playing |play |plays )?(?<v>${SPORTS})\\b`,
    asIs('sport', true),
  ),
  rule(`(?:play|plays|started playing|took up|started|joined a) (?<v>${SPORTS})\\b`, asIs('sport')),
  rule('(?:gave up|given up|stopped|no longer do|quit) (?<v>[\\p{L}-]{3,}ing)\\b', asIs('hobby', true)),
  rule(
    '(?:took up|taken up|got into|am into|is into|have gotten into|started going|started doing) (?<v>.+)',
    valued('hobby'),
  ),
  rule(
    '(?:hate|hates|dislike|dislikes|can not stand|do not like|does not like) (?<v>.+)',
    valued('dislikes'),
  ),
  rule(
    '(?:(?:absolutely|totally|really) )?(?:love|loves|like|likes|enjoy|enjoys|adore|adores) (?<v>.+)',
    ({ v = '' }) =>
      /^(?:to (?:see|hear|think|know|be)|how|when|that|what|your?)\b/.test(v)
        ? undefined
        : valued('likes')({ v }),
  ),
  rule(`${BE} (?:a |an )?(?:practising |practicing |devout )?(?<v>${RELIGIONS})\\b`, asIs('religion')),
  rule(`${BE} (?<v>${NATIONALITIES})(?=$|[,.]| (?:and|but|by))`, asIs('nationality')),
  rule(`${BE} (?:training|saving(?: up)?|working) (?:for|towards) (?<v>.+)`, ({ v = '' }) =>
    with_('goal', phraseOf(v, { keepsArticle: true })),
  ),
];

const PLAN_WORDS = `(?:${BE} (?:planning|hoping|thinking of|thinking about|considering|looking (?:at|into)|about)(?: on| of)?|plan|plans|hope|hopes|want|wants|intend|intends|decided|${BE} going|${BE} due)`;
const PLANS: Rule[] = [
  rule(`${PLAN_WORDS} (?:to )?(?<v>\\p{L}.+)`, ({ v = '' }) => plan(v)),
  rule(
    `${BE} (?<v>(?:moving|relocating|flying|travelling|traveling|visiting|getting married|starting|leaving|running|hosting|taking|going|driving|having|meeting) .+)`,
    ({ v = '' }) => plan(v),
  ),
];
const LONGEST_PLAN = 100;
const plan = (phrase: string): Found | undefined => {
  const value = phrase.split(/[,;:!?]| because | but /)[0]!.trim();
  return value.length > LONGEST_PLAN || value.split(' ').length < 2
    ? undefined
    : { attribute: 'plan', value };
};

/** Plans come first: "I am planning to live in Rome" isn't where somebody lives. */
export const RULES: readonly Rule[] = [
  ...PLANS.slice(0, 1),
  ...HOME,
  ...PEOPLE,
  ...PET,
  ...BODY,
  ...WORK,
  ...LEARNING,
  ...THINGS,
  ...LIKES,
  ...PLANS.slice(1),
];
