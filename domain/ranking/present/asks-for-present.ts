/**
 * Whether a question asks for a state that may have changed since it was told ("Where do I live?", "Do I eat
 * meat?"), rather than for an event, an experience, a reason, or what somebody thinks or said.
 */
import { ANY_MONTH } from '../../extraction/dates/calendar.ts';

const words = (...parts: readonly string[]): RegExp => new RegExp(parts.join('|'), 'i');

const NOW =
  /\b(?:now|nowadays|these days|current(?:ly)?|at the moment|right now|at present|presently|still|as of (?:today|now)|today|lately|latest|most recent|any longer|so far)\b/i;

const AUXILIARY = '(?:is|are|am|does|do|has|have|will|can)\\b';
const GOT = "(?:has|have) (?:[\\w'-]+ ){0,3}got";

/** About an event, something imagined, or a state of some month: nothing that a later turn replaces. */
const NO_PRESENT = words(
  '\\b(?:did|was|were|had|ago|ever|first|used to)\\b',
  '\\b(?:would|might|could)\\b',
  // Advice; but "Which shelf should people leave the post on?"
  '^(?!(?:which|what) [\\w-]+ should (?:people|everyone|everybody|they|others|somebody|someone) ).*\\bshould\\b',
  `\\b(?:in|on|as of|during) (?:[\\d ]*(?:${ANY_MONTH})|(?:19|20)\\d\\d)\\b`,
  // The perfect; "have got" is none, unless something follows it: "What has she got married in?"
  "\\b(?:has|have)(?:n't)? (?:[\\w']+ ){0,4}(?:been|taken|seen|done|made|bought|read|happened|written|given|found|[a-z]{2,}ed)\\b",
  `\\b${GOT} (?:married|engaged|divorced|into|to|from|out|back|over|done)\\b`,
  // A past verb with its subject: "Who helped", "Which company signed up Ben".
  `^(?:who|what|which|how many)(?: (?!${AUXILIARY})[\\w'-]+){0,4}? (?:[a-z]{2,}ed|made|gave|got|went|came|took|led|won|sang|said|told|wrote|brought|taught)\\b(?! (?:[\\w'-]+ ){0,2}?${AUXILIARY})`,
);

const TELLS =
  'says?|means?|mentions?|describes?|thinks?|feels?|believes?|finds?|appreciates?|symboli[sz]es?|represents?|suggests?|recommends?|advises?|inspires?|motivates?|resonates?|emphasi[sz]es?|expects?|hopes?|dreams?|connects?|remembers?|tells?|(?:know|like|say|talk)s? about';

/** No state of somebody's life: reasons, opinions, plans, several things, what two have in common. */
const NO_STATE = words(
  '^why\\b',
  `\\b(?:${TELLS})\\b`,
  '\\b(?:reasons?|advice|opinion|thoughts?|reminder|memory|memories|quote|motto|intention|dream|disagreement|according to|excited|interested|grateful|proud)\\b',
  '\\b(?:both|each other|in common)\\b',
  '\\b(?:plan(?:s|ning)?|going|wants?|hop(?:es?|ing)|intend(?:s|ing)?|looking forward) (?:on|to|for)\\b|\\bplanning\\b',
  "\\bnames? of (?!(?:my|our|his|her|their|the (?:\\w+ )?i(?:[’']m| (?:am|play|sing|go|use|work|live|take|train|see|have|run|attend))|\\w+[’']s)\\b)",
);

const ASKS_FOR_ONE =
  /\b(?:who(?:se|m|['’]?s)?|where(?:['’]?s)?|when(?:['’]?s)?|what(?:['’]?s)?|which|how (?:much|many|often|long|old|far|big|tall|late|early|heavy|fast|strong))\b/i;
/** "How do I take my coffee?" asks for a habit; "How does Ben feel?", "How will they travel?" don't. */
const HABIT =
  /^how (?:do|does|am|is|are) .{1,40}? (?:tak(?:e|ing)|get(?:ting)? (?:to|in|into|home|there|around)|go|travel(?:ling)?|commute|come|drink|eat|like|pay|heat|spend|earn|wear|style|make|prepare|cook|store|keep|charge|sleep|train|exercise|unwind|relax|style|listen|stay|learn|work|bank|shop|vote|read|write|watch|save)\b/i;
const OTHER_HOW = /^how (?:do|does|is|are|am|will|can)\b/i;
/** "Do I eat meat?", "Is Ada a vegetarian?", "Have I got a car?"; not "Is she coming to dinner?" */
const YES_OR_NO =
  /^(?!.*\b(?:coming|going|getting|planning|having|leaving|bringing|joining|hosting)\b)(?:do|does|is|are|am|can|(?:has|have)(?= (?:[\w'-]+ ){1,3}got\b)) (?!there\b)/i;

/** "my shoe size?", "bus to school (mine)": asked without a verb; no list, no event, no request. */
const FRAGMENT =
  /^(?!.*\b(?:who|where|when|what|which|why|how|do|does|is|are|am|can|will|please|thanks?|list|all|tell|write|give|show|make|remind|help|summari[sz]e|and|i|we|[a-z]{2,}ed|went|saw|took|had|got|met|ate|made)\b)(?:(?:name|number|colou?r|size|date|time|type|kind|brand|address) of (?:my|our) .*|(?:my|our) [^,;]*|.*\b(?:mine|ours)\)?)[\s?.…]*$/i;
/** "my hobbies?", "my pets" */
const OF_SEVERAL = /^(?:my|our) (?:[\w'-]+ ){0,3}?(?![\w']*(?:ss|us|is)\b)[\w-]+s[\s?.…]*$/i;
const MOST_OF_FRAGMENT = 8;
const isFragment = (question: string): boolean =>
  question.split(/\s+/).length <= MOST_OF_FRAGMENT && FRAGMENT.test(question) && !OF_SEVERAL.test(question);

/** Singulars that end in s: bus, tennis, address, gas; and things that come in pairs. */
const SINGULAR =
  "(?:\\w*(?:us|is|ss)|gas|canvas|atlas|series|species|news|lens|means|physics|maths|gymnastics|athletics|politics|aerobics|christmas|yes|glasses|jeans|trousers|pants|headphones|earbuds|binoculars|scissors|leggings|\\w+'s|\\w+s')";
/** "Which books does she own?", "What are his hobbies?": several things may be true at once. */
const SEVERAL = words(
  `\\b(?:what|which|whose) (?:(?!${AUXILIARY})[\\w'-]+ ){0,2}?(?!${AUXILIARY})(?!${SINGULAR}\\b)[\\w'-]+s(?= (?:${AUXILIARY}|of\\b|to\\b)|\\s*[?.]?$)`,
  '\\b(?:what|who) are\\b',
  "^(?:what|who)['’]?s (?:my|our|his|her) (?:[\\w'-]+ )?(?![\\w']*(?:ss|us|is)\\b)[\\w-]+s\\s*[?.]?$",
  '^(?:list|all|name (?!of\\b))\\b',
  '\\b(?:who|what) (?:all|else)\\b|\\bwho have\\b',
);

/** Whether the question asks for several things, none of which replaces another. */
export const asksForSeveral = (question: string): boolean => SEVERAL.test(question);

/**
 * Whether a question asks for the present.
 *
 * @param asksState whether it asks for an attribute that has one value at a time
 */
export const asksForPresent = (question: string, asksState: boolean): boolean => {
  if (NO_PRESENT.test(question) || NO_STATE.test(question)) return false;
  if (OTHER_HOW.test(question) && !HABIT.test(question)) return false;
  if (asksState || NOW.test(question)) return true;
  const asks =
    ASKS_FOR_ONE.test(question) || HABIT.test(question) || YES_OR_NO.test(question) || isFragment(question);
  return asks && !asksForSeveral(question);
};
