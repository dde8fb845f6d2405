import { INSTRUMENTS, MAKERS } from './things.ts';

/** An attribute of a person, and how questions ask for it. An earlier row is the likelier answer. */
export interface Attribute {
  /** snake_case. A name that ends in "_" is a family: `favourite_colour` belongs to `favourite_`. */
  name: string;
  /** `one`: a new value ends the former. */
  holds: 'one' | 'several';
  /** Matches the wordings, in lower case, in which a question asks for it. */
  questions: RegExp;
  /**
   * Matches the start of a past predicate that ends a value ("quit my job at Acme"); group `v` is the ended
   * value, if named. Every repetition is bounded.
   */
  endedBy?: RegExp;
}

const THING = '(?:my |our |his |her |their |the |a |an )?';

const row = (name: string, holds: Attribute['holds'], questions: RegExp, endedBy?: RegExp): Attribute =>
  endedBy === undefined ? { name, holds, questions } : { name, holds, questions, endedBy };

export const ATTRIBUTES: readonly Attribute[] = [
  // Where and who
  row(
    'home',
    'one',
    /\bwhere\b.{0,40}\b(?:liv(?:e|es|ed|ing)|based|moved?|stay(?:s|ing)?|resid(?:e|es|ing)|reloca\w+)\b|\b(?:what|which) (?:city|town|country|neighbou?rhood|part of town|place)\b.{0,30}\b(?:liv(?:e|es|ing)|based|in|move)\b|\bhome (?:town )?address\b|\bstill (?:live|living|based)\b|^(?:do|does|is|are|am) .{1,30}\b(?:live|living|based) in\b|\bwho\b.{0,15}\blives in\b/,
    /^(?:moved (?:out of|away from|from(?!.{1,40} to ))|left (?=(?:the )?(?:city|country|flat|apartment|house|village)\b)) ?(?<v>.{0,40})/i,
  ),
  row('address', 'one', /\baddress\b(?!es)|\bwhat street\b/),
  row('hometown', 'one', /\bhome ?town\b|\bwhere\b.{0,25}\b(?:from|grow up|grew up|raised)\b/),
  row('birthplace', 'one', /\bwhere\b.{0,25}\bborn\b|\bbirthplace\b/),
  row('nationality', 'several', /\bnationalit|\bcitizen|\bpassport\b|\bwhat country\b.{0,20}\bfrom\b/),
  row(
    'name',
    'one',
    /\b(?:first |full |real )?name\b(?=\?|$| again)(?<!(?:'s|brand|user|pet|company|file|nick) name)|\bwhat(?:'s| is) (?:my|your) name\b/,
  ),
  row('surname', 'one', /\b(?:surname|last name|family name)\b/),
  row(
    'nickname',
    'one',
    /\bnickname\b|\bgoes by\b|\b(?:prefer|like|want)s? to be called\b|\bcall me\b|\bshould (?:i|we|you) call\b/,
  ),
  row('pronouns', 'one', /\bpronouns?\b/),
  row('age', 'one', /\bhow old\b|\bage\b/),
  row('birthday', 'one', /\bbirthday\b|\bdate of birth\b|\bbirth ?date\b|\bwhen\b.{0,20}\bborn\b/),
  row('phone', 'one', /\b(?:phone|mobile|cell|telephone) ?number\b|\bnumber to (?:call|reach)\b/),
  row('email', 'one', /\be-?mail(?: address)?\b/),
  row('handle', 'one', /\b(?:user ?name|handle)\b/),
  row('timezone', 'one', /\btime ?zone\b/),
  row('height', 'one', /\bhow tall\b|\bheight\b/),
  row('weight', 'one', /\bhow much\b.{0,15}\bweigh\b/),
  row('religion', 'one', /\breligion\b|\breligious\b|\bfaith\b|\bbelieve in god\b/),
  row(
    'language',
    'several',
    /\b(?:what|which|how many) languages?\b|\bspeaks?\b.{0,20}\b(?:language|[a-z]+ish|french|german|chinese|portuguese)\b|\bmother tongue\b|\bnative language\b/,
  ),

  // Work and school
  row(
    'job',
    'one',
    /\bjobs?\b|\bdo(?:es|ing)?\b.{0,25}\bfor (?:a living|work)\b|\bprofession\b|\boccupation\b|\bwork as\b|\bjob title\b|\bposition\b.{0,15}\b(?:hold|have)\b|\bcareer\b/,
    /^(?:retired(?! (?:hurt|to|the|my|our|him|her|from (?!work|teaching|nursing|my job)))(?: from (?:work|teaching|nursing|my job))?|be (?:laid off|fired|let go|made redundant)|got (?:laid off|let go|made redundant|fired(?! (?:up|out))|the sack|sacked)|lost (?:my|his|her|their) job(?! \p{L}+$))(?: as (?<v>.{1,40}))?/iu,
  ),
  row(
    'employer',
    'one',
    /\bwhere\b.{0,30}\bwork(?:s|ing|ed)?\b|\bwork(?:s|ing)?\b.{0,6}\b(?:at|for)\b(?! a living)|\bfor work\b|\bemployer\b|\b(?:what|which) company\b|\bwho employs\b|\bplace of work\b|\bworkplace\b/,
    /^(?:quit|resigned from|stopped working (?:at|for)|got (?:fired|laid off|let go) from|be (?:fired|laid off|let go|made redundant) (?:from|by|at)|left) (?:(?:my|the|his|her|their) (?:old |former )?(?:job|position|role)(?: (?:at|with|for) )?)?(?<v>(?!my |the |his |her |our |it\b|for\b|home\b|early\b|a\b|work\b)[\p{Lu}\d].{0,40}|$)/u,
  ),
  row('boss', 'one', /\bboss\b|\b(?:line )?manager\b|\bsupervisor\b|\breports? to\b/),
  row('colleague', 'several', /\bcolleagues?\b|\bco-?workers?\b|\bteam ?mates?\b/),
  row('team', 'one', /\b(?:what|which) team\b|\bteam\b.{0,10}\b(?:on|in)\b\??$/),
  row('department', 'one', /\bdepartment\b/),
  row('work_schedule', 'one', /\bshifts?\b|\bwork(?:ing)? (?:hours|schedule|days)\b/),
  row('salary', 'one', /\bsalary\b|\bhow much\b.{0,20}\b(?:earn|make|paid)\b|\bwage\b/),
  row(
    'studies',
    'one',
    /\bwhat\b.{0,25}\bstud(?:y|ies|ying|ied)\b|\bmajor(?:ing|ed)?\b|\bdegree\b|\bstill (?:study|studying)\b/,
    /^(?:graduated(?=$|[,.;!]| (?:on|last|this|today|yesterday)\b)|(?:dropped out of|quit|stopped studying) (?<v>(?:my |his |her )?(?:studies|degree|course|phd|university|college|law|medicine|art school)))/i,
  ),
  row(
    'school',
    'one',
    /\b(?:what|which) (?:school|university|college)\b|\bwhere\b.{0,25}\b(?:stud(?:y|ies|ying|ied)|go(?:es)? to (?:school|college|university))\b|\buniversity\b.{0,20}\bgo\b/,
  ),

  // People
  row(
    'partner',
    'one',
    /\b(?:husband|wife|spouse|boyfriend|girlfriend|partner|fianc[eé]e?|significant other)\b|\bmarried to\b|\bengaged to\b|\bdat(?:e|ing)\b(?! of)|\bseeing (?:anyone|someone|anybody)\b|\bgoing out with\b/,
    /^(?:broke up(?: with (?<v>.{1,30}))?|split up\b|separated\b|got (?:a divorce|divorced)\b|divorced\b)/i,
  ),
  row(
    'relationship_status',
    'one',
    /\b(?:married|single|engaged|divorced|widowed)\b|\brelationship status\b|\bmarital status\b|\bin a relationship\b/,
  ),
  row('child', 'several', /\b(?:child|children|kids?|sons?|daughters?|baby|toddler)\b/),
  row('parent', 'several', /\b(?:parents?|mother|father|mum|mom|dad)\b/),
  row('sibling', 'several', /\b(?:siblings?|brothers?|sisters?)\b(?! in law|-in-law)/),
  row(
    'relative',
    'several',
    /\b(?:aunt|uncle|cousins?|niece|nephew|grand(?:mother|father|ma|pa|parents?|son|daughter)|(?:mother|father|sister|brother)[- ]in[- ]law)\b/,
  ),
  row('friend', 'several', /\b(?:best |close |closest )friends?\b|\bwho (?:is|are) .{1,30}\bfriends?\b/),
  row(
    'roommate',
    'several',
    /\b(?:room|flat|house)mates?\b|\bwho\b.{0,20}\blive with\b|\bliv(?:e|es|ing) with\b/,
  ),
  row('neighbour', 'several', /\bneighbou?rs?\b/),
  row('landlord', 'one', /\bland(?:lord|lady)\b/),
  row('teacher', 'several', /\b(?:teacher|tutor|mentor|coach|trainer|instructor|professor)\b/),
  row(
    'pet',
    'several',
    /\bpets?\b|\b(?:dogs?|cats?|pupp(?:y|ies)|kittens?|hamster|parrot|rabbits?|tortoise|goldfish|horse)\b/,
    new RegExp(
      `^(?:rehomed|gave away|put down) ${THING}(?<v>(?:dog|cat|puppy|kitten|rabbit|hamster|parrot|horse)\\b.{0,20}|\\p{Lu}\\p{Ll}{1,15}\\b)`,
      'i',
    ),
  ),

  // Body
  row(
    'allergy',
    'several',
    /\ballerg/,
    /^(?:outgrew|grew out of|got over) (?:my |his |her )?(?<v>[a-z]{2,20}) allergy/i,
  ),
  row(
    'diet',
    'one',
    /\bvegan|\bvegetarian|\bpescatarian|\bdiet(?:ary)?\b|\bketo\b|\bgluten|\bkosher\b|\bhalal\b|\bcan(?:'t|not)? (?:i|he|she|they|we|you|[a-z]+) (?:not )?eat\b|\beats? (?:meat|fish|dairy|eggs?|pork|sugar)\b|\bavoids? eating\b|\bfood restrictions?\b/,
  ),
  row(
    'health',
    'several',
    /\bhealth\b|\b(?:medical )?conditions?\b|\binjur|\bdiagnos|\billness\b|\bsick\b|\bdisease\b|\bsurgery\b|\bwhat(?:'s| is) wrong with\b/,
  ),
  row(
    'medication',
    'several',
    /\bmedications?\b|\bmedicines?\b|\bpills?\b|\bprescri|\b(?:what|which) .{0,10}meds\b/,
    /^(?:stopped taking|came off|went off) (?<v>.{1,30})/i,
  ),
  row('doctor', 'one', /\bdoctor\b|\bgp\b|\bphysician\b/),
  row('dentist', 'one', /\bdentist\b/),
  row('therapist', 'one', /\btherapist\b|\bpsychologist\b|\bcounsellor\b/),
  row('blood_type', 'one', /\bblood (?:type|group)\b/),

  // Things and doings
  row(
    'vehicle',
    'one',
    /\b(?:cars?|vehicles?|motor(?:bike|cycle)s?|vans?|trucks?|scooter)\b|\bdrives?\b(?=\?|$)/,
    new RegExp(
      `^(?:sold|scrapped|crashed|totaled|gave away|got rid of|traded in) ${THING}(?:old |new )?(?<v>(?:[\\w-]{1,20} ){0,2}(?:car|van|truck|motorbike|motorcycle|scooter|bike)\\b|(?:[\\w-]{1,20} ){0,2}(?:${MAKERS})\\b)`,
      'i',
    ),
  ),
  row('phone_model', 'one', /\b(?:what|which) (?:kind of |model of |type of )?(?:smart)?phone\b(?! number)/),
  row(
    'device',
    'several',
    /\b(?:what|which) (?:kind of |model of )?(?:laptop|computer|camera|tablet|console|printer)\b/,
  ),
  row(
    'owns',
    'several',
    /\bown(?:s|ing)?\b(?! (?:way|words|business))/,
    new RegExp(
      `^(?:sold|gave away|got rid of|threw away) ${THING}(?:old )?(?<v>[\\w-]{2,20}(?: [\\w-]{2,20})?)$`,
      'i',
    ),
  ),
  row(
    'subscription',
    'several',
    /\bsubscri|\b(?:what|which) (?:plan|tier)\b/,
    new RegExp(
      `^(?:cancel+ed|unsubscribed from) ${THING}(?<v>.{2,30}?)(?: subscription| membership| account)?$`,
      'i',
    ),
  ),
  row('bank', 'one', /\b(?:what|which) bank\b|\bbank(?:s|ing)? with\b/),
  row('gym', 'one', /\bgym\b/),
  row('membership', 'several', /\bmember(?:ship)?s?\b|\b(?:what|which) clubs?\b/),
  row(
    'hobby',
    'several',
    /\bhobb(?:y|ies)\b|\bfree time\b|\bspare time\b|\bpastimes?\b|\bfor fun\b/,
    /^(?:quit|gave up|stopped|dropped) (?:doing |going to )?(?<v>(?!smoking|vaping|drinking|eating|working|taking|studying|trying|talking|being|having|getting|living|using|sleeping|worrying|thinking|doing|going|seeing|dating|looking|calling|asking|buying)(?:[a-z]{3,12}ing|yoga|pilates|karate|judo|ballet|chess|tennis|football|soccer|golf|crossfit|choir|pottery|(?:piano|guitar|violin|drum|dance|swimming) lessons))(?=$|[,.;!]| (?:in|last|because|after|when|for|on|a))/i,
  ),
  row('sport', 'several', /\bsports?\b/),
  row(
    'instrument',
    'several',
    /\binstruments?\b/,
    new RegExp(`^(?:gave up|quit|stopped|dropped) (?:playing )?${THING}(?<v>${INSTRUMENTS})\\b`, 'i'),
  ),
  row(
    'habit',
    'several',
    /\bhabits?\b|\b(?:still )?smokes?\b|\bsmoking\b/,
    /^(?:quit|gave up|stopped) (?<v>smoking|drinking|vaping|alcohol|cigarettes|biting my nails)\b/i,
  ),
  row(
    'likes',
    'several',
    /\bwhat\b.{0,25}\b(?:likes?|loves?|enjoys?)\b(?!.{0,12}\bto be called)|^(?:do|does) .{1,30}\b(?:like|love|enjoy)\b(?! to be called)/,
  ),
  row(
    'dislikes',
    'several',
    /\bwhat\b.{0,25}\b(?:dislikes?|hates?|(?:do|does)(?:n't| not) (?:like|enjoy))\b|\bcan't stand\b|^(?:do|does) .{1,30}\b(?:hate|dislike)\b/,
  ),
  row('favourite_', 'one', /\bfavou?rite\b/),
  row('preference', 'several', /\bprefer(?:s|ence|ences|red)?\b|\bwould (?:i|he|she|they|you) rather\b/),
  row(
    'goal',
    'several',
    /\bgoals?\b|\bdreams? (?:of|about|job)\b|\baims?\b|\bambitions?\b|\bwants? to (?:do|become|achieve|be)\b/,
  ),
  row(
    'plan',
    'several',
    /\bplan(?:s|ned|ning)?\b(?! (?:is|am|are) .{1,20} on\b)|\bgoing to do\b|\bupcoming\b/,
  ),
  row('budget', 'one', /\bbudget\b/),
  row('deadline', 'one', /\bdeadlines?\b|\bwhen\b.{0,40}\bdue\b|\bdue date\b/),
  row('rent', 'one', /\b(?:how much|what)\b.{0,20}\brent\b/),
  // Days to come
  row('operation', 'one', /\bwhen\b.{0,40}\b(?:operation|operated|surgery)\b|\b(?:operation|surgery) date\b/),
  row('wedding', 'one', /\bwhen\b.{0,40}\b(?:wedding|getting married)\b|\bwedding (?:date|day)\b/),
  row('graduation', 'one', /\bwhen\b.{0,40}\bgraduat(?:e|ing|ion)\b|\bgraduation date\b/),
  row('due_date', 'one', /\bdue date\b|\bwhen\b.{0,30}\b(?:baby|due)\b/),
];
