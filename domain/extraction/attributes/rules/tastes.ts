import { INSTRUMENTS, MAKERS } from '../../../facts/things.ts';
import { type Rule, rule } from '../rule.ts';

const VEHICLES =
  '(?:car|van|truck|motorbike|motorcycle|scooter|suv|hatchback|pickup|campervan|camper|moped|e-?bike)';
const VEHICLE = `(?<v>(?:(?:[\\p{L}\\d'’-]{2,18} ){0,3}${VEHICLES}|(?:[\\p{L}\\d-]{2,14} ){0,2}(?:${MAKERS})(?: [\\p{Lu}\\d][\\p{L}\\d-]*){0,3})(?=$|[,.;!?]| ))`;
const PHONE =
  '(?<v>(?:new |old )?(?:iPhone|Pixel|Fairphone|Galaxy|OnePlus|Xiaomi|Nokia|Huawei)(?: [\\p{L}]*\\d[\\p{L}\\d]*)?(?: (?:Pro|Max|Plus|Ultra|Mini|SE))*)(?=$|[,.;!?]| )';
const DEVICE =
  '(?<v>(?:[\\p{L}\\d-]{2,18} ){0,3}(?:laptop|MacBook(?: (?:Pro|Air))?|ThinkPad|iPad|tablet|camera|desktop|telescope|3d printer|console|PlayStation(?: \\d)?|Xbox|Kindle)(?=$|[,.;!?]| ))';
const OWNED =
  '(?:house|flat|apartment|cottage|boat|cabin|farm|shop|bakery|restaurant|café|cafe|business|company|studio|garden|allotment|bike|bicycle|guitar|piano|violin|caravan|tent|greenhouse|beehives?|tractor|drone|sewing machine|telephone|phone|house boat|houseboat|kayak|canoe|surfboard|motorhome|vineyard|salon|bookshop|bookstore|bar|gallery|cacti|plot|condo|land)';
const NEW =
  '(?:an? |my |our |his |her |the |myself an? |ourselves an? )(?:new |first |own |used |second[- ]?hand |lovely |old )*';
const SPORTS =
  'football|soccer|tennis|badminton|squash|padel|basketball|volleyball|handball|hockey|ice hockey|rugby|cricket|baseball|softball|golf|table tennis|ping pong|water polo|lacrosse|darts|chess|bridge|poker|frisbee|ultimate|pool|snooker|netball|d&d|dungeons (?:and|&) dragons|pickleball';
const DOINGS =
  'yoga|pilates|karate|judo|jiu[- ]jitsu|boxing|kickboxing|taekwondo|crossfit|gymnastics|ballet|aikido|capoeira|pottery|ceramics|calligraphy|archery|climbing|bouldering|running|swimming|cycling|hiking|skiing|snowboarding|surfing|sailing|rowing|kayaking|fishing|birdwatching|gardening|knitting|crochet|sewing|painting|drawing|photography|baking|woodworking|carpentry|origami|salsa|tango|dancing|horse riding|weightlifting|meditation|improv|stand-up|beekeeping|cooking|singing|scuba diving|diving|skateboarding|fencing|triathlons?|marathons?|orienteering|journaling|embroidery|quilting|astronomy|chess|parkour|freediving|choir|model (?:trains|boats|planes)|bookbinding|genealogy|foraging|brewing|camping|stargazing|gaming';
const NO_TASTE =
  /^(?:it|that|this|how|when|what|the (?:idea|way|sound|thought|fact|look|part|vibe|energy)|seeing|hearing|being|you|your|him|her|them|myself|talking to|to (?:hear|see|know|say|be)|all|every|having|knowing|our|my|these|those|getting|such|so|if|watching (?:it|them|her|him)|for|a good|the (?:new|whole)|one|each|both|their|his|catching|chatting|people|where|who|in|on|at|is|are|was|also|more|to (?:think|believe)|about|as|a|new)\b|^to$|\b(?:pic|photo|quote|theme|vibe|colou?rs|picture|painting you)\b|^the (?:\S+ ){2}/i;
const taste = (match: RegExpExecArray): string | undefined =>
  NO_TASTE.test(match.groups?.v ?? '') ? undefined : match.groups?.v?.replace(/^to /, '');
const hobby = `(?<v>(?:${DOINGS})(?:(?:,| and) (?:${DOINGS}))?)(?=$|[,.;!?]| )`;

export const TASTE_RULES: readonly Rule[] = [
  // Things
  rule(
    'vehicle',
    'state',
    'drive drives',
    new RegExp(`^(?:an? |my |his |her |the )(?:old |new |little |red |blue |black |white )*${VEHICLE}`, 'u'),
    'thing',
    { oneOf: `${VEHICLES} bikes bike ${MAKERS}` },
  ),
  rule('vehicle', 'state', 'have own owns ride rides', new RegExp(`^${NEW}${VEHICLE}`, 'u'), 'thing', {
    oneOf: `${VEHICLES} bikes bike ${MAKERS}`,
  }),
  rule(
    'vehicle',
    'event',
    'bought got leased purchased ordered',
    new RegExp(`^${NEW}${VEHICLE}`, 'u'),
    'thing',
    { oneOf: `${VEHICLES} bikes bike ${MAKERS}` },
  ),
  rule(
    'phone_model',
    'state',
    'have use uses using own',
    new RegExp(`^(?:an? |my |the )?${PHONE}`, 'u'),
    'thing',
    { oneOf: PHONE },
  ),
  rule(
    'phone_model',
    'event',
    'bought got upgraded switched',
    new RegExp(`^(?:to )?(?:an? |my |the |myself an? )?(?:new )?${PHONE}`, 'u'),
    'thing',
    { oneOf: PHONE },
  ),
  rule(
    'device',
    'state',
    'have own owns use uses',
    new RegExp(`^(?:an? |my )(?:new )?${DEVICE}`, 'u'),
    'thing',
    { oneOf: DEVICE },
  ),
  rule('device', 'event', 'bought got purchased', new RegExp(`^${NEW}${DEVICE}`, 'u'), 'thing', {
    oneOf: DEVICE,
  }),
  rule(
    'owns',
    'state',
    'own owns owned',
    /^(?<v>(?:an?|the|two|three|four|some|\d+|my own|our own) .+)/i,
    'organization',
  ),
  rule(
    'owns',
    'state',
    'have',
    new RegExp(
      `^(?:an? |my own |our own |two |three |\\d+ )(?<v>(?:[\\p{L}'’-]{2,14} ){0,3}${OWNED})(?=$|[,.;!?]| (?:in|at|now|with|and|near|on))`,
      'iu',
    ),
    'words',
    { oneOf: OWNED },
  ),
  rule(
    'owns',
    'state',
    'run runs ran running',
    /^(?:an? |my own |our own |the )(?<v>(?:[\p{L}'’-]{2,14} ){0,3}(?:shop|bakery|restaurant|café|cafe|business|company|studio|farm|salon|bookshop|gallery|bar|agency|b&b|hotel|hostel|pub|clinic|practice|store|firm|vineyard|brewery))(?=$|[,.;!?]| )/iu,
    'words',
    {
      oneOf:
        'shop bakery restaurant café cafe business company studio farm salon bookshop gallery bar agency hotel hostel pub clinic practice store firm vineyard brewery b&b',
    },
  ),
  rule(
    'owns',
    'event',
    'bought purchased opened founded inherited',
    new RegExp(`^${NEW}(?<v>(?:[\\p{L}'’-]{2,14} ){0,3}${OWNED})(?=$|[,.;!?]| )`, 'iu'),
    'words',
    { oneOf: OWNED },
  ),
  rule('subscription', 'event', 'subscribed', /^to (?<v>.+)/i),
  rule(
    'subscription',
    'state',
    'be',
    /^on the (?<v>[\w+ -]{2,24}) (?:plan|tier|package|subscription)\b/i,
    'words',
  ),
  rule(
    'bank',
    'state',
    'bank banks banking be',
    /^with (?<v>(?:the )?\p{Lu}[\p{L}\d'’& ]{1,25}(?: [Bb]ank)?)(?=$|[,.;!?]| (?:for|since|now))/u,
    'organization',
  ),
  rule(
    'gym',
    'event',
    'joined switched changed',
    /^(?:to )?(?:an? |the |my )?(?<v>[\p{Lu}][\p{L}'’]+ (?:gym|Gym|fitness|Fitness))/u,
    'words',
  ),
  rule(
    'gym',
    'state',
    'go goes',
    /^to (?:an? |the )?(?<v>\p{Lu}[\p{L}\d'’]+(?: \p{Lu}[\p{L}\d'’]+){0,2} [Gg]ym|\p{Lu}[\p{L}'’]+ Fitness)/u,
    'words',
  ),

  // Activities
  rule(
    'instrument',
    'state',
    'play plays played playing',
    new RegExp(
      `^(?:some |a bit of )?(?:the |my )?(?<v>(?:electric |acoustic |classical )?(?:${INSTRUMENTS})(?:(?:,| and| or)(?: the)? (?:${INSTRUMENTS})){0,2})(?=$|[,.;!?]| )`,
      'i',
    ),
    'words',
    { oneOf: INSTRUMENTS },
  ),
  rule(
    'instrument',
    'event',
    'started took picked learning learn',
    new RegExp(
      `^(?:playing |learning |up |to play |how to play |playing )*(?:the )?(?<v>${INSTRUMENTS})(?=$|[,.;!?]| )`,
      'i',
    ),
    'words',
    { oneOf: INSTRUMENTS },
  ),
  rule(
    'sport',
    'state',
    'play plays played playing',
    new RegExp(
      `^(?:a lot of |some |competitive |amateur |professional )?(?<v>${SPORTS})(?=$|[,.;!?]| )`,
      'i',
    ),
    'words',
    { oneOf: SPORTS },
  ),
  rule(
    'hobby',
    'state',
    'do does doing practise practice practises practices practising practicing go goes into',
    new RegExp(`^(?:some |a lot of |a bit of )?${hobby}`, 'i'),
    'words',
    { oneOf: DOINGS },
  ),
  rule('hobby', 'state', 'be', new RegExp(`^(?:really |very |big |heavily )?into ${hobby}`, 'i'), 'words', {
    oneOf: DOINGS,
  }),
  rule(
    'hobby',
    'event',
    'took started picked began tried',
    new RegExp(`^(?:up |doing |taking |going |with |learning )*${hobby}(?! (?:class )?yesterday)`, 'i'),
    'words',
    { oneOf: DOINGS, read: (match, verb) => (verb === 'tried' ? undefined : match.groups?.v) },
  ),
  rule('habit', 'state', 'smoke smokes vape vapes', /^(?<v>)(?=$|[,.;!]| )/, 'words', {
    read: (_, verb) => (verb.startsWith('v') ? 'vaping' : 'smoking'),
  }),

  // Likings
  rule('likes', 'state', 'love loves like likes enjoy enjoys adore adores', /^(?<v>.+)/, 'words', {
    read: taste,
  }),
  rule(
    'likes',
    'state',
    'be',
    /^(?:an? )?(?:big |huge |massive |great )?(?:fan of|obsessed with|addicted to|hooked on|crazy about|fond of|passionate about) (?<v>.+)/i,
    'words',
    { read: taste },
  ),
  rule(
    'dislikes',
    'state',
    'hate hates dislike dislikes despise despises loathe loathes detest',
    /^(?<v>.+)/,
    'words',
    { read: taste },
  ),
  rule('preference', 'state', 'prefer prefers', /^(?<v>.+)/i, 'words', {
    read: match => match.groups?.v?.replace(/^to be /, 'being '),
  }),
];

/** "I don't like olives", "I can't stand opera". */
export const DENIED_TASTE: Rule = rule(
  'dislikes',
  'state',
  'like likes love enjoy enjoys stand bear',
  /^(?<v>.+)/,
  'words',
  { read: taste },
);
