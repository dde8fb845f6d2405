/**
 * The kind of words that answers an English question: a price, a weekday, a name, a make of phone. Among
 * turns about a thing, one with such words is the likelier answer, whatever words it shares with the
 * question.
 */
const NUMBER_WORD =
  'one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty|hundred|thousand|half|dozen|none|both';
const NUMBER = `(?:\\d[\\d.,:]{0,20}|\\b(?:${NUMBER_WORD})\\b)`;
const MONTH =
  '(?:jan(?:uary)?|feb(?:ruary)?|march|april|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)';
const WEEKDAY = '(?:mon|tue|wed|thu|fri|sat|sun)(?:s|nes|rs|ur)?(?:day)?s?';
const RELATIVE_DAY =
  'today|tonight|tomorrow|yesterday|(?:this|next|last) (?:week|month|year|weekend|spring|summer|autumn|fall|winter)';
const CLOCK =
  '\\d{1,2}[:.]\\d\\d|\\d{1,2} ?[ap]m|half (?:past )?[a-z]+|quarter (?:past|to)|noon|midnight|o.clock';
const DAY = `${MONTH}|${WEEKDAY}|${RELATIVE_DAY}|\\d{1,2}(?:st|nd|rd|th)|\\d{4}-\\d\\d|(?:19|20)\\d\\d`;

const words = (pattern: string): RegExp => new RegExp(`\\b(?:${pattern})\\b`, 'i');
const within = (pattern: string): RegExp => new RegExp(`(?<![\\p{L}\\p{N}])(?:${pattern})(?!\\p{L})`, 'iu');

/** The form of an answer; the first row that fits a question counts. */
const FORMS: readonly (readonly [asks: RegExp, answers: RegExp])[] = [
  [words('surname|last name|family name|full name'), /(?<!\p{L})\p{Lu}\p{L}{1,40} \p{Lu}\p{L}/u],
  [words('pass(?:word|code)|pin'), within('pass(?:word|code)|pin|code|log ?in')],
  [words('how old|what age'), within(`${NUMBER}|birthday|born|turn(?:s|ed|ing)?`)],
  [words('(?:phone|mobile|account|customer|reference) number'), /(?<![\d -])\d[\d -]{4,30}\d/],
  [words('(?:what|which) number .{0,40}(?:reach|call|ring|rung|phone)\\w*'), /(?<![\d -])\d[\d -]{4,30}\d/],
  [words('e-?mail address|electronically'), /\S@\S/],
  [words('what time|at what hour'), within(CLOCK)],
  [words('(?:what|which) (?:week)?days?|what date'), within(DAY)],
  [words('(?:what|which) year'), within('(?:19|20)\\d\\d|years? (?:ago|old)')],
  [words('(?:what|which) month'), within(MONTH)],
  [words('when|how soon'), within(`${DAY}|${CLOCK}|ago|since`)],
  [
    words('how often|how frequently|how regularly'),
    within('every|once|twice|times|daily|weekly|monthly|nightly|an? (?:day|week|month|year)'),
  ],
  [words('how long'), within(`${NUMBER}|years?|months?|weeks?|days?|hours?|minutes?|since|until`)],
  [
    words(
      '(?:how much|what).{0,60}(?:cost|pay|paid|price|rent|salary|earn|budget|bill|bid|offer|fee|refund|money|spen[dt])\\w*',
    ),
    within(
      '[£$€¥]\\s?\\d.*|(?<![\\d.,])\\d[\\d.,]{0,20}\\s?(?:k|euros?|eur|pounds?|quid|dollars?|bucks|[£$€])|\\d{2,}.*',
    ),
  ],
  [
    words(
      'how (?:much|many|heavy|tall|high|far|big|large|strong|fast|wide|deep|hot|cold)|what (?:number|size|dose)',
    ),
    within(`${NUMBER}.*`),
  ],
  [
    words('why|for what reason|how come|the reason'),
    within("because|cause|cos|cuz|since|so|due to|as|that's why|otherwise|thanks to|it was|it's"),
  ],
  [
    words('who|whom|whose|called|named?|surname'),
    /(?<=[^.!?\s“"(]\s)\p{Lu}\p{L}{2,}|\b(?:Mr|Mrs|Ms|Dr|Prof)\b/u,
  ],
  [
    words('where|(?:what|which) (?:town|city|country|place|street|village|part)'),
    words(
      '(?:in|at|on|by|near|under|behind|beside|next to|inside|outside|above|below|opposite|between|to|from) (?:\\w+ )?\\w+|street|road|lane|avenue|square|room|town|city|village',
    ),
  ],
];

/** Kinds of things, and words for things of the kind. A question may ask for several. */
const THINGS: readonly (readonly [asks: RegExp, answers: RegExp])[] = [
  [
    words('(?:hand|head)sets?|(?:smart|mobile |cell)?phones?|mobiles?'),
    within(
      'i?phones?|pixel|galaxy|samsung|nokia|motorola|xiaomi|oneplus|huawei|fairphone|android|mobile|handset',
    ),
  ],
  [
    words('medic\\w+|tablets?|pills?|antibiotics?|drugs?|prescri\\w+|treatment'),
    within(
      '\\d+ ?m[gl]|tablets?|pills?|dos(?:e|es|age)|prescri\\w+|antibiotics?|insulin|inhaler|magnesium|iron|vitamins?|ibuprofen|paracetamol|aspirin|\\p{L}+(?:cillin|mycin|olol|artan|statin|formin|zole|pril|oxetine|traline|pine|profen)',
    ),
  ],
  [
    words(
      'ill(?:ness)?|sick\\w*|disease|condition|diagnos\\w+|injur\\w+|health|medical|troubles?|wrong with',
    ),
    within(
      'diabetes|asthma|migraines?|fever|flu|covid|infection|eczema|arthritis|cholesterol|blood pressure|an[a]?emi[ac]|broke(?:n)?|sprain\\w*|torn|fracture\\w*|knee|hip|back|wrist|allerg\\w+|diagnos\\w+|thyroid|reflux|\\p{L}+itis|\\p{L}+osis',
    ),
  ],
  [
    words('sports?|exercise|fit|work ?outs?|training'),
    within(
      'football|soccer|rugby|tennis|badminton|squash|hockey|golf|cricket|basketball|volleyball|handball|swim\\w*|climb\\w*|bouldering|gymnastics|judo|karate|boxing|yoga|pilates|gym|run|runs|running|jog\\w*|marathon|cycl\\w+|row\\w+|ski\\w*|danc\\w+|ballet|hik\\w+|pool|parkrun|weights',
    ),
  ],
  [
    words('hobb(?:y|ies)|free time|spare time|pastimes?|classes|lessons?|courses?'),
    within(
      'pottery|knit\\w*|sew\\w*|paint\\w*|draw\\w*|chess|choir|sing\\w*|guitar|piano|violin|clarinet|drums|cook\\w*|bak\\w+|gardening|allotment|photograph\\w*|read\\w*|climb\\w*|swim\\w*|danc\\w+|class(?:es)?|lessons?|course',
    ),
  ],
  [
    words('eat(?:s|ing)?|food|dish|meal|dinner|lunch|breakfast|bowl|feed|fed|plate|diet'),
    within(
      'eat(?:s|ing|en)?|ate|food|kibble|vegan|vegetarian|allerg\\w+|nuts?|cashews?|peanuts?|sesame|eggs?|milk|dairy|gluten|fish|salmon|chicken|beef|pork|lamb|rice|pasta|soup|bread|cheese|tofu|lentils?|beans?|curry|pizza|cake|fed|tins?',
    ),
  ],
  [
    words('drinks?|beverage|caffeine|alcohol'),
    within('coffees?|tea|decaf|espresso|latte|beer|wine|gin|whisky|water|juice|cola|oat milk|drink\\w*'),
  ],
  [
    words('pets?|animals?|breed|dogs?|cats?'),
    within(
      'dogs?|pupp(?:y|ies)|cats?|kittens?|hamsters?|rabbits?|parrots?|budgies?|tortoise|whippet|greyhound|lurcher|lab(?:rador)?|terrier|spaniel|collie|poodle|lapphund|corgi|dachshund|husky|vet|paws?|kibble',
    ),
  ],
  [
    words('cars?|vehicles?|drives?|bike|get(?:ting)? about|transport|commut\\w+|travel\\w*'),
    within(
      'cars?|vans?|bus(?:es)?|train|tram|bikes?|cycl\\w+|scooter|motorbike|skoda|toyota|ford|vw|volkswagen|golf|polo|volvo|fiat|renault|peugeot|citro[eë]n|honda|nissan|kia|hyundai|mazda|seat|opel|vauxhall|audi|bmw|mercedes|tesla|mini|corsa|yaris|clio|leaf|mot|garage|drives?|driving',
    ),
  ],
  [
    words(
      'jobs?|(?:for )?a living|profession|occupation|work(?:s|ing)? (?:as|for|at)|employ\\w+|trade|where do(?:es)? \\w+ work',
    ),
    within(
      'works? (?:at|for|as|in)|working (?:at|for|as)|jobs?|drives? (?:a|the)|nurse|doctor|teacher|engineer|midwife|radiographer|accountant|lawyer|solicitor|cook|chef|barista|baker|plumber|electrician|carpenter|driver|librarian|manager|designer|developer|programmer|analyst|scientist|hydrologist|researcher|writer|journalist|waiter|waitress|cleaner|secretary|clerk|builder|mechanic|hairdresser|dentist|vet|physio\\w*|therapist|architect|consultant|assistant|brewery|shop|factory|hospital|firm|company|employ\\w+|promot\\w+',
    ),
  ],
  [
    words('house|flat|apartment|accommodation|place to live|new place|room'),
    within(
      'house|flat|apartment|room|keys|rent|mortgage|lease|landlord|landlady|moved?|moving|bedrooms?|attic|kitchen|garden',
    ),
  ],
  [
    words('languages?|speaks?'),
    within(
      'english|french|german|spanish|italian|portuguese|dutch|danish|swedish|norwegian|finnish|polish|czech|russian|ukrainian|greek|turkish|arabic|hebrew|hindi|urdu|chinese|mandarin|cantonese|japanese|korean|irish|welsh|gaelic|latin|catalan|basque|bilingual',
    ),
  ],
  [
    words('colou?rs?'),
    within('red|blue|green|yellow|orange|purple|pink|brown|black|white|grey|gray|teal|turquoise'),
  ],
  [
    words('stud(?:y|ies|ying)|degree|major|modules?|subjects?|exams?|school|university|college|teachers?'),
    within(
      'stud(?:y|ies|ying)|degree|exam\\w*|school|primary|academy|university|uni|college|modules?|thesis|essay|lecture\\w*|seminar|lab|biology|chemistry|physics|maths?|history|law|economics|psychology|linguistics|philosophy|geography|merit|passed|failed|grades?|teacher|class',
    ),
  ],
  [
    words('pa(?:y|ys|id)|bill|bank|account|money|cost'),
    within(
      '[£$€]\\s?\\d.*|banks?|account|direct debit|card|monzo|revolut|starling|barclays|hsbc|paypal|n26|euros?|pounds?|quid|paid|refund\\w*|per month|a month',
    ),
  ],
];

/** Whether a text has words that may answer the question by its form and by the kind of thing it asks for. */
export interface AnswerKinds {
  /** Undefined where the question has no certain form. */
  form: RegExp | undefined;
  things: readonly RegExp[];
}

/** Whether a text has words of a kind that the question asks for. */
export const holdsKind = ({ form, things }: AnswerKinds, text: string): boolean =>
  (form?.test(text) ?? false) || things.some(words => words.test(text));

/** "Can you tell me how old Anneke is?" asks as "How old is Anneke?" does. */
const POLITE =
  /^\W*(?:(?:please|hey|hi|ok|so|and)\W+)*(?:can|could|would|will) you (?:please )?(?:tell|remind|give) me\b/i;
/** Advice, a summary, a sum of several things. */
const OPEN_ENDED =
  /\bshould (?:i|we|you|one)\b|\b(?:explain|summar\w+|step by step|walk me|in order)\b|\bbetween (?:when|my|the day)\b.* and \b/i;
/** "How can I …?", and a manner: "How did the dinner go?", but not "How is my cat called?" */
const MANNER =
  /^\W*(?:how )?(?:can|could|would) (?:i|you|we|one)\b|^\W*how (?:did|do|does|was|were|is|are|am|to|have|has|had)\b(?!.*\b(?:called|named|commute|travel|get (?:to|around|about)))/i;
const MOST_WORDS = 16;

/**
 * Whether it asks for advice, a manner, a summary or a sum of several things, or in more than sixteen words:
 * what answers it has no kind of words.
 */
export const isOpenEnded = (question: string): boolean => {
  const plain = question.replace(POLITE, '').trim();
  return OPEN_ENDED.test(plain) || MANNER.test(plain) || plain.split(/\s+/).length > MOST_WORDS;
};

/** Returns the words that answer a question of its kinds; none where it asks for more than one thing. */
export const answerKinds = (question: string): AnswerKinds =>
  isOpenEnded(question)
    ? { form: undefined, things: [] }
    : {
        form: FORMS.find(([asks]) => asks.test(question))?.[1],
        things: THINGS.flatMap(([asks, answers]) => (asks.test(question) ? [answers] : [])),
      };
