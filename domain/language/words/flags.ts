/** Surface features of a text, for `Document.flags`. The cues are English; other languages show none. */
export const DocumentFlag = {
  question: 1,
  /** Contains a time word: yesterday, last week, in May, 2019. */
  time: 2,
  number: 4,
  /** Contains a capitalised word inside a sentence. */
  properName: 8,
  firstPerson: 16,
  secondPerson: 32,
  /** Contains a time span: for years, since, ago. */
  duration: 64,
  /** Gives a standing order: always, never again. */
  standingWish: 128,
  /** Tells its speaker's likes or preferences. */
  preference: 256,
} as const;

const list = (words: string): Set<string> => new Set(words.trim().split(/\s+/));

const TIME = list(`
  yesterday today tomorrow tonight ago last next week weeks weekend weekends month months year years day days
  monday tuesday wednesday thursday friday saturday sunday january february march april june july august september
  october november december jan feb mar apr jun jul aug sep sept oct nov dec morning afternoon evening night recently
  lately soon since earlier later summer winter spring autumn fall christmas birthday anniversary date
`);
const DURATION = list('ago since years months weeks days hours decade decades year month week while');
const NUMBERS = list(`
  one two three four five six seven eight nine ten eleven twelve thirteen fifteen twenty thirty forty fifty hundred
  thousand million dozen couple once twice thrice several few
`);
const FIRST = list('i my me mine we our us myself');
const SECOND = list('you your yours yourself');

const YEAR = /^(19|20)\d\d$/;
const DIGIT = /\p{N}/u;

/** Returns the flags that a single folded word sets. */
export const wordFlags = (word: string): number => {
  let flags = 0;
  if (TIME.has(word) || YEAR.test(word)) flags |= DocumentFlag.time;
  if (DURATION.has(word)) flags |= DocumentFlag.duration;
  if (NUMBERS.has(word) || DIGIT.test(word)) flags |= DocumentFlag.number;
  if (FIRST.has(word)) flags |= DocumentFlag.firstPerson;
  if (SECOND.has(word)) flags |= DocumentFlag.secondPerson;
  return flags;
};

/** Question marks of all scripts. The Greek one looks like a semicolon and is mostly typed as one. */
const QUESTION = /[?？؟՞፧\u037e]|\p{Script=Greek}\s?;/u;
export const isQuestion = (text: string): boolean => QUESTION.test(text);

/**
 * Standing orders at the beginning of a sentence or after a comma: "Always …" orders, "I always …" tells.
 * Blanks are bounded: thousands of empty lines would otherwise be read from each of them to their end.
 */
const STANDING =
  /(?:^|[.!?\n:,;–—]\s{0,8})(?:(?:and|but|so|oh|also|one more thing|please|can you|could you|make sure (?:to|you)|i['’]d like you to|i want you to|i need you to),? ){0,3}(?:always|never|from now on|from here on|in (?:the )?future|going forward|don['’]t ever|do not ever)\b|\b(?:from now on|from here on out|going forward)\b|(?:^|[.!?\n,]\s{0,8})(?:please )?(?:stop|don['’]t|do not|no more)\b[^.!?\n]{1,120}\b(?:again|any ?more|ever)\b/i;
const PREFERS =
  /\bi(?:['’](?:d|m|ve))? (?:(?:really|always|usually|generally|much|would|tend to|also|still|strongly|kinda|actually|just|do|definitely|mostly) ){0,2}(?:prefer|preferred|rather|like|love|hate|dislike|avoid|enjoy|can['’]t stand|chose|choose|opted?|favou?r)\b|\bmy (?:[\w-]+ ){0,2}(?:preferences?|favou?rites?)\b|\bi(?:['’]m| am) (?:not )?(?:allergic|vegan|vegetarian|a fan|into|keen)\b/i;

/** Returns the flags of a whole text, by the form of its sentences. */
export const formFlags = (text: string): number =>
  (isQuestion(text) ? DocumentFlag.question : 0) |
  (STANDING.test(text) ? DocumentFlag.standingWish : 0) |
  (PREFERS.test(text) ? DocumentFlag.preference : 0);
