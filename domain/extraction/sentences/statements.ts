import type { Lexicon } from './lexicon.ts';
import type { Word } from './sentences.ts';
import { isAdverb, isAuxiliary, isBase, isFiniteVerb, isPast } from './verbs.ts';

const set = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** English function words that few other languages share; enough of them identify a sentence as English. */
const ENGLISH =
  set(`i im dont the and is are was were i i'm my you your of to with it it's that this we have has had for at from they he she his her their our been be not but what
when just so about out up an can will would really very don't didn't there's there all some there do did who as by if or because im`);

/** Words without information of their own. */
const EMPTY = set(`
a an the and or but so if then than that this these those there here it its it's that's he she they them him his her hers their theirs i me my mine we us our ours you your yours
myself i'm i've i'd i'll we're we've we'll you're is are was were am be been being do does did doing have has had having will would can could should may might must shall to of in on at
by for with from about into over up out off as not no yes don't didn't doesn't can't couldn't won't isn't wasn't aren't all both each some any more most much many few very really
just also too even still always never ever again so such what when where who how why which one ones thing things way ways lot lots kind must memory memories feel-good choice kind sort bit something anything everything nothing
someone anyone everyone else other another same own well now today yet already maybe definitely totally absolutely truly actually literally honestly pretty quite super
great good awesome amazing cool nice fun lovely wonderful fantastic incredible beautiful gorgeous perfect best better bad worse worst fine okay ok cute sweet crazy wild unreal special
important interesting inspiring impressive rewarding exciting excited happy glad sorry sad proud thankful grateful helpful vivid vibrant stunning breathtaking delicious yummy unforgettable powerful meaningful fulfilling motivating exhausting relaxing lucky blessed thrilled stoked pumped sure right true worth
love like enjoy hope wish think thought know knew believe guess feel felt feels see saw seen look looks looked looking sound sounds sounded seem seems hear heard heard
agree understand appreciate mean means meant bet get gets got getting go goes going went gonna make makes made keep keeps say said tell told let want wanted need come
time day days moment moments life times experience feeling stuff luck deal idea point news congrats thanks thank blast hard tough easy difficult wait remind reminds reminded imagine ready
happen happens happened end matter matters help helps support encouragement check pic picture photo share shared forward stay back around down away though because while`);

const QUESTION =
  /^(?:what|how|why|who|whom|whose|which|wanna|any|ever|care to|mind if)\b|^(?:where|when)(?:'s|\s+(?:is|are|was|were|do|does|did|will|would|can|could|should))\b|^(?:do|does|did|are|is|was|were|am|can|could|would|will|have|has|had|should|shall|may|might|isn't|aren't|don't|didn't|doesn't|won't|can't|haven't|hasn't|wouldn't|couldn't)\s+(?:you|i|we|he|she|they|it|that|this|there|the|your|my|their|anyone|someone|u)\b/i;
const COURTESY =
  /^(?:hey|hi|hello|hiya|howdy|good (?:morning|afternoon|evening|night|luck|job|call|point|to (?:see|hear))|thanks|thank|thx|ty|cheers|bye|goodbye|see (?:you|ya)|take care|congrats|congratulations|welcome|sorry|apologies|i apologi[sz]e|no (?:problem|worries|way)|you(?:'re)? welcome|my pleasure|best of luck|best wishes|happy (?:birthday|holidays|new)|merry|nice (?:to|work|job|one)|great (?:to|job|work)|glad|let me|let's|lets|wish|kudos|props|bon voyage|rest in peace|long time|been a while|it's been (?:a while|ages|so long)|way to go|keep me|please|nice|wow|blessed|bet|been (?:a|an|so|such|too)\b|can't wait to (?:hear|see|catch|chat|talk|meet)|i can't wait to (?:hear|see (?:it|you|what|how)|catch|chat|talk|meet you)|(?:i|we)(?: really| just| both)? (?:love|loved|like|liked|enjoy|enjoyed) (?:it|that|this|them)(?:$|[,.!])|so (?:glad|happy|sorry|proud|excited) (?:for|to hear|that|you|we)|sounds?|looks|seems|feel free|here(?:'s| is| you| are)|same here|me too|means|makes sense|of course|sure thing|totally|exactly|absolutely|haha|lol|speaking of|i(?:'m| am) (?:so |really |very |just |truly |super |always )*(?:glad|happy|sorry|proud|thankful|grateful|thrilled|stoked|excited)(?: (?:for you|to hear|that|you(?:['’](?:re|ve|ll|d))?|of you|it|we|for it|to have you|about (?:it|that)))\b|i(?: really| totally| so| completely| definitely| truly| do)* (?:agree|appreciate|understand|hear you|see|get it|bet|guess|hope (?:you|it|that|this|so)|wish you|know (?:what|how|you|that|right)|think so|mean)\b|i(?:'ll| will) (?:let you|keep you|be (?:here|there)|send you|check|definitely check)|i can (?:imagine|see|tell|relate|only imagine)|i'm (?:always |just )*(?:here|sure|good|fine|okay|in|all ears|curious|with you)\b|i can't (?:believe|imagine)|i(?:'d| would) (?:love to (?:hear|see)|be happy to))(?![\w'’])/i;
/** First words of requests. */
const IMPERATIVES =
  set(`check keep let take have give tell enjoy remember don't look try go make be stay count imagine hang come see talk catch hope wish send show ask share call text
say stop start wait feel think find get use add bring put turn follow read watch listen consider ensure avoid choose set open click visit write run create build pick play learn do never remind book explain translate summarize list describe generate compare fix search recommend suggest`);
/** A sentence that begins with one of these refers to the sentence before it. */
const POINTERS =
  /^(?:it|it's|its|that|that's|this|these|those|they|they're|they've|they'll|he|he's|she|she's|his|her|their|there|which|both|one|same)$/;
const SECOND_PERSON = /^(?:you|your|yours|you're|you've|you'd|you'll|u|ur)$/;
export const FIRST_PERSON =
  /(?:^|[\s"'(])(?:i|i['’](?:m|ve|d|ll)|me|my|mine|myself|we|we['’](?:re|ve|d|ll)|us|our|ours|ourselves)(?![\w'’])/i;

/** Whether most words are in the dictionary and enough of them are only English; names are no evidence. */
export function isEnglish(words: readonly Word[], lexicon: Lexicon): boolean {
  let letters = 0;
  let english = 0;
  for (const { lower, core } of words) {
    // "I'm", "don't": no other language has them.
    if (lower.includes("'") && /^i'(?:m|ve|d|ll)$|n't$/.test(lower)) return true;
    const first = core.charCodeAt(0);
    if (ENGLISH.has(lower)) {
      english++;
      letters++;
    } else if ((first >= 97 && first <= 122) || first > 127) letters++;
  }
  const enough = letters * 3;
  if (english >= 2 && english * 5 >= enough) return true;
  if (letters === 0) return false;
  const suffices = english >= 2 || (english === 1 && letters <= 12);
  let known = english;
  for (const { lower, core } of words) {
    const first = core.charCodeAt(0);
    if (
      first >= 97 &&
      first <= 122 &&
      !ENGLISH.has(lower) &&
      lexicon.isCommon(lower.includes("'") ? lower.replace(/'\w+$/, '') : lower)
    ) {
      known++;
      // Stops early: each further word costs a dictionary look-up.
      if (suffices && known * 5 >= enough) return true;
    }
  }
  return (
    known * 5 >= enough && (suffices || (letters <= 6 && known >= letters - 1) || known * 5 >= letters * 4)
  );
}

/** Whether at least `least` of the words from index `from` on carry information. */
export function saysSomething(words: readonly Word[], least: number, from = 0): boolean {
  let count = 0;
  for (let at = from; at < words.length; at++) {
    const { lower } = words[at]!;
    if (lower.length > 1 && !EMPTY.has(lower) && ++count >= least) return true;
  }
  return false;
}

const PLURALS = set(
  'people kids children men women they who which that and we i you parents everyone folks guys also always never often still really',
);
const DETERMINERS = set(
  'a an the my our his her their your its this that these those some any no every each of in on at for with by from to',
);

/**
 * Whether there is a finite verb, other than after "to" or as a noun that could be a verb ("a dream", "the
 * work").
 */
function hasFiniteVerb(words: readonly Word[], lexicon: Lexicon): boolean {
  for (let at = 0; at < words.length; at++) {
    const { lower } = words[at]!;
    const before = words[at - 1]?.lower ?? '';
    if (isAuxiliary(lower)) return true;
    if (at === 0 || DETERMINERS.has(before) || !isFiniteVerb(lower, lexicon)) continue;
    if (
      !isBase(lower, lexicon) ||
      PLURALS.has(before) ||
      isAdverb(before) ||
      (before.endsWith('s') && before.length > 2)
    )
      return true;
  }
  return false;
}

const GERUND_VERB =
  /^(?:makes|made|keeps|kept|gives|gave|helps|helped|brings|brought|lets|takes|took|allows|means|meant|feels|felt|works|worked|got|get)$/;
const NO_GERUND = set('during morning evening something everything nothing anything spring according');
const COPULA = /^(?:is|are|was|were|isn't|aren't|sounds?|seems?|looks?|feels?|been|can|must|should)$|'s$/;

/**
 * Whether the subject is in the sentence before ("Makes me happy", "Really shows it"), or a finite verb is
 * lacking ("Learning a lot").
 */
function lacksSubject(words: readonly Word[], lexicon: Lexicon): boolean {
  let at = 0;
  while (at < words.length - 1 && isAdverb(words[at]!.lower)) at++;
  const { lower, tail } = words[at]!;
  if (tail !== '' || NO_GERUND.has(lower)) return false;
  if (/^(?:will|would|should|could|might|must|is|are|was|were|has|have|be)$/.test(lower)) return true;
  if (lower.endsWith('ing') && lexicon.isCommon(lower) && lower.length > 5)
    return !words.some(word => isAuxiliary(word.lower) || GERUND_VERB.test(word.lower));
  if (at > 0 && (isPast(lower) || isBase(lower, lexicon))) return true;
  return (
    lower.endsWith('s') &&
    lower.length > 4 &&
    (GERUND_VERB.test(lower) || (lexicon.isVerb(lower.slice(0, -1)) && at > 0))
  );
}

/** Whether only praise follows the verb: "That place is really amazing". */
function onlyJudges(words: readonly Word[]): boolean {
  const verb = words.findIndex(word => COPULA.test(word.lower));
  return verb >= 0 && !saysSomething(words, 1, verb + 1);
}

/** Whether a request follows the comma: "To fix this, open the settings". */
function instructs(clause: string, lexicon: Lexicon): boolean {
  const verb = /^(?:to|if|when|once|for|after|before) [^,]*,\s+(?:please\s+|just\s+|then\s+)?(\w+)/i
    .exec(clause)?.[1]
    ?.toLowerCase();
  return verb !== undefined && (verb === 'please' || IMPERATIVES.has(verb) || isBase(verb, lexicon));
}

/** Last words of short sentences whose object is in another turn: "I'm stealing that", "I need this". */
const POINTED_AT = set('it that this those these them there one so');

/**
 * Whether the clause is a statement worth keeping: not a question, greeting, thanks, request, echo or
 * exclamation, and about something that it names itself. `specific`: it names a person, a place, a date or a
 * number; `own`: it contains a first person.
 */
export function isStatement(
  clause: string,
  words: readonly Word[],
  specific: boolean,
  own: boolean,
  lexicon: Lexicon,
): boolean {
  const first = words[0]!.lower;
  if (/[?？؟]/.test(words.at(-1)!.tail) || QUESTION.test(clause) || COURTESY.test(clause)) return false;
  if (SECOND_PERSON.test(first) || IMPERATIVES.has(first) || /\blet['’]s\b/i.test(clause)) return false;
  if (!hasFiniteVerb(words, lexicon)) return false;
  if (first === 'or' || first === 'nor' || instructs(clause, lexicon)) return false;
  if (lacksSubject(words, lexicon) || (!own && !specific && onlyJudges(words))) return false;
  if (POINTERS.test(first) && !specific) return false;
  if (own && /^(?:i|i'm|i've|i'd|i'll|we|we're|we've|we'll|my|our)$/.test(first))
    return (
      saysSomething(words, words.length <= 6 && POINTED_AT.has(words.at(-1)!.lower) && !specific ? 2 : 1) ||
      (specific && words.length > 3)
    );
  return words.length >= 4 && saysSomething(words, specific ? 1 : 2);
}
