import { GIVEN_NAMES } from '../../names/known-names.ts';
import { ANIMAL, relationOf } from '../relations.ts';
import { type Rule, rule } from '../rule.ts';

const COUNT = '(?:an?|one|two|three|four|five|six|seven|eight|nine|ten|\\d{1,2}|some|another|my own)';
const CALLED = "(?:,? (?:called|named) (?<n>\\p{Lu}[\\p{L}'’-]+(?:,? (?:and )?\\p{Lu}[\\p{L}'’-]+){0,3}))?";
const AGED =
  '(?:(?:older|younger|elder|little|big|baby|twin|beautiful|grown|grown-up|teenage|adult|adopted|newborn|\\d{1,2}[- ]year[- ]old|small|young|new|wonderful|lovely|half|step|best|close|old|good) ){0,3}';
const ADJECTIVES =
  "(?:(?!(?:for|of|in|with|and|about|to|love|bit|lot|fear|photo|picture|toy|book|new year|meeting)\\b)[\\p{L}\\d'’-]{2,16} ){0,3}";
const PERSON = "(?<v>\\p{Lu}[\\p{L}'’-]+(?: \\p{Lu}[\\p{L}'’-]+){0,2})";
const STATUS = 'single|married|engaged|divorced|widowed|separated|newlywed|in a relationship';

/** Returns "Comet" if there is a name, otherwise "two cats". */
const nameOrKind = (match: RegExpExecArray): string | undefined => match.groups?.n ?? match.groups?.v;
const CHILDREN = 'kid child children son daughter boy girl twin triplet toddler baby babies';
const children = new RegExp(
  `^(?:got )?(?<v>(?:${COUNT}|no|triplets|twins?) ?${AGED}(?:kids?|children|child|sons?|daughters?|boys?|girls?|twins|triplets|toddlers?|bab(?:y|ies)(?: (?:boy|girl))?)?)(?:,? (?:called|named) (?<n>\\p{Lu}[\\p{L}'’-]+(?:,? (?:and )?\\p{Lu}[\\p{L}'’-]+){0,3}))?(?=$|[,.;:!]| (?:and|who|with|at|in|so|now|together|but|from|aged|on|of))`,
  'u',
);
const KIN = new RegExp(
  `^(?<v>${COUNT} ${AGED}(?<r>brothers?|sisters?|siblings|twin|cousins?|nieces?|nephews?|roommates?|flatmates?|housemates?|boyfriend|girlfriend|wife|husband|partner|therapist|dentist|boss|manager|supervisor|mentor|coach|trainer|tutor|landlord|landlady))${CALLED}(?=$|[,.;:!]| )`,
  'u',
);
const KINDS = [
  'sibling',
  'relative',
  'roommate',
  'partner',
  'therapist',
  'dentist',
  'boss',
  'teacher',
  'landlord',
] as const;

export const PEOPLE_RULES: readonly Rule[] = [
  rule('name', 'state', 'be', /^(?<v>\p{Lu}\p{L}+(?: \p{Lu}\p{L}+)?)(?=$|[,.!]| and| from)/u, 'words', {
    read: match =>
      GIVEN_NAMES.has((match.groups?.v ?? '').toLowerCase().split(' ', 1)[0]!) ? match.groups?.v : undefined,
  }),
  rule(
    'partner',
    'state',
    'be',
    new RegExp(
      `^(?:now |happily |still |secretly |currently )?(?:married|engaged|betrothed) to (?:my [\\w -]{2,30}?,? )?${PERSON}`,
      'u',
    ),
  ),
  rule(
    'partner',
    'state',
    'dating seeing',
    new RegExp(`^(?:my [\\w -]{2,20}?,? |a (?:guy|man|woman|girl) (?:called|named) )?${PERSON}`, 'u'),
  ),
  rule('partner', 'state', 'dating', /^(?<v>an? (?!lot)[\p{L} -]{3,30})/u),
  rule('partner', 'state', 'be', new RegExp(`^(?:in a relationship|together|going out) with ${PERSON}`, 'u')),
  rule('partner', 'event', 'married', new RegExp(`^(?:my [\\w -]{2,30}?,? )?${PERSON}`, 'u')),
  rule(
    'partner',
    'event',
    'got',
    new RegExp(`^(?:back together|engaged|married|together) (?:to|with) ${PERSON}`, 'u'),
  ),
  rule(
    'partner',
    'event',
    'started began going',
    new RegExp(
      `^(?:dating|seeing|going out with|out with) (?:a (?:guy|man|woman|girl) (?:called|named) )?${PERSON}`,
      'u',
    ),
  ),
  rule('partner', 'end', 'be', /^(?:newly )?single (?<v>again\b|)(?=again)/i, 'words', { read: () => '' }),
  rule(
    'relationship_status',
    'state',
    'be',
    new RegExp(
      `^(?:now |officially |recently |happily |still |currently |newly )*(?<v>${STATUS})(?=$|[,.;!]| (?:now|again|and|with|for|since|but|too|in|on|so|these|at))(?! (?:to|with) \\p{Lu})`,
      'iu',
    ),
    'words',
    { oneOf: STATUS },
  ),
  rule(
    'relationship_status',
    'event',
    'got',
    /^(?<v>married|engaged|divorced)(?=$|[,.;!]| (?:in|on|at|and|with|so|by|during|here|after|two|three|four|five|a|\d))/i,
    'words',
  ),
  rule('child', 'state', 'have', children, 'words', {
    oneOf: CHILDREN,
    read: match =>
      /(?:kid|child|son|daughter|boy|girl|twin|triplet|toddler|bab)/i.test(match.groups?.v ?? '')
        ? nameOrKind(match)
        : undefined,
  }),
  rule('child', 'event', 'adopted', children, 'words', {
    oneOf: CHILDREN,
    read: match =>
      /(?:kid|child|son|daughter|boy|girl|twin|baby)/i.test(match.groups?.v ?? '')
        ? nameOrKind(match)
        : undefined,
  }),
  ...KINDS.map(kind =>
    rule(kind, 'state', 'have', KIN, 'words', {
      oneOf: KIN.source,
      read: match => {
        const word = (match.groups?.r ?? '').replace(/s$/, '');
        const found =
          relationOf(word) ?? (word === 'sibling' ? 'sibling' : relationOf(match.groups?.r ?? ''));
        return found === kind ? nameOrKind(match) : undefined;
      },
    }),
  ),
  rule(
    'pet',
    'state',
    'have own owns keep keeps',
    new RegExp(
      `^(?<v>${COUNT} ${ADJECTIVES}(?:${ANIMAL}|pupp(?:y|ie)|bunn(?:y|ie))(?:e?s)?(?: pup(?:py)?)?)${CALLED}(?=$|[,.;:!]| (?:and|at|who|that|from|now|too|but|in|with|for))`,
      'u',
    ),
    'words',
    { oneOf: `${ANIMAL}|puppies|bunnies`, read: nameOrKind },
  ),
  rule(
    'pet',
    'event',
    'adopted got rescued bought fostered getting adopting',
    new RegExp(
      `^(?:ourselves |myself |us )?(?<v>${COUNT} ${ADJECTIVES}(?:${ANIMAL}|pupp(?:y|ie)|bunn(?:y|ie))(?:e?s)?(?: pup(?:py)?)?)${CALLED}(?=$|[,.;:!]| (?:and|at|who|that|from|now|too|but|in|on|with|for))`,
      'u',
    ),
    'words',
    { oneOf: `${ANIMAL}|puppies|bunnies`, read: nameOrKind },
  ),
  rule(
    'roommate',
    'state',
    'live lives living',
    new RegExp(`^with ${PERSON}(?=$|[,.]| (?:now|and|in))`, 'u'),
  ),
  rule('boss', 'state', 'report reports', new RegExp(`^to ${PERSON}`, 'u')),
  rule('nickname', 'state', 'go goes', /^by (?<v>\p{Lu}[\p{L}'’-]+)/u),
  rule('name', 'state', 'be', /^called (?<v>\p{Lu}[\p{L}'’-]+(?: \p{Lu}[\p{L}'’-]+)?)(?=$|[,.!])/u),
];
