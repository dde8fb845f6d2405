/**
 * Recognises text that a timeline leaves out: questions, greetings, praise and thanks. The words are English;
 * in other languages only questions are recognised.
 */
import { sentencesOf } from '../../extraction/sentences/sentences.ts';
import { DocumentFlag, isQuestion, wordFlags } from '../../language/words/flags.ts';
import { wordsOf } from '../../language/words/words.ts';

const list = (words: string): ReadonlySet<string> => new Set(words.trim().split(/\s+/));

/** A sentence made up of these words alone reports nothing. */
const EMPTY = list(`
a an and are absolutely adorable agree agreed ah aha all almost always amazing anytime anyway appreciate aw aww awesome be beautiful been best bet
bless blast brave brilliant bro buddy but bye can cannot care cant cheers completely congrats congratulations cool could couldn't cute
definitely did do does doing don don't done enjoy exactly excellent excited exciting fabulous fair fantastic fingers crossed for from fun
funny gee glad go goes going good goodnight gorgeous gosh got great guess guys ha haha hahaha happy have hello here hear heart heartwarming hey
hi hope how hug hugs i i'm im impressed impressive in incredible indeed inspiration inspirational inspired inspiring interesting is isn't it its it's
job job's just keep know later let like lol look looks lot lots love loved lovely luck make makes man many mate me mean means mention mind much must
my need nice nicely night no nope not of off oh ok okay omg on one pal perfect pleasure please pretty problem proud really relatable
relate right s same see sending share shared sharing so some soon sounds special stoked stuff stunning such super support sure sweet sweetie t
take talent talented talk terrific thank thanks that that's thats the there thing things think this those thoughtful thrilled to too total totally
touching true truly up upbeat very wait way we welcome well what whoa will wish with wonderful wonders work worries worry worth wow yay yeah yep yes
yup you you'll you're you've your yours ll re ve m morning evening afternoon seriously honestly hang enough support supportive sorry
`);
/** Longer texts are never filler: they contain sentences that `sentencesOf` skips. */
const LONGEST = 400;
/** Maximum words of a greeting: `Hey Mel!`, `Wow!` */
const GREETING_WORDS = 2;
/** Longer sentences are not read as filler. */
const MOST_WORDS = 16;
const SAID = /^\S{1,40} said (?:that )?/;

/** "Thanks, Mel!", "That's awesome, Melanie!": a name beside words of praise. */
const CALLED_FIRST =
  /^(?:[Tt]hanks|[Tt]hank you|[Hh]ey|[Hh]i|[Aa]ww?|[Ww]ow|[Oo]h|[Yy]eah|[Cc]ongrats),? (\p{Lu}[\p{L}'’-]{0,40})(?:[,!.]|$)/u;
const CALLED_LAST = /(?:,|\byou|^\p{L}{1,20}) (\p{Lu}[\p{L}'’-]{0,40})[!.…]{0,8}$/u;

/** An opening call: "Wow, Caroline, …" */
const CALL =
  /^(?:(?:wow|aww?|oh|yeah|yay|hey|hi|thanks|congrats|nice|great|cool|awesome)[,!]? )?(?:[\p{L}'’-]{1,40}, )?/iu;
/**
 * A sentence with such a beginning is about what the other speaker said: "sounds like the parade was a great
 * experience".
 */
const REACTION =
  /^(?:thanks|thank you|thx|cheers)(?: so much| a lot)? for (?:asking|checking(?: in)?|(?:telling|reminding|updating) (?:me|us)|letting (?:me|us) know|explaining|clarifying|confirming|understanding|listening)[!.…]{0,8}$|^(?:(?:that|it|this) )?(?:sounds (?:like|so|really|great|amazing|awesome)|must (?:be|have been))\b|^(?:it['’]s|that['’]s) (?:so |really )?(?:great|awesome|amazing|wonderful|good|nice) (?:to (?:see|hear|know)|that you|you)\b|^(?:i['’]m |i am )?(?:so |really |very )?(?:happy|glad|proud|sorry|excited) (?:for you|of you|to hear|you(?:['’]re| are)?|that you)\b|^(?:have (?:a (?:great|good|nice|wonderful|lovely) |(?:lots of )?fun)|enjoy (?:the|your) |good luck|keep (?:it up|on|up|us|me) |wishing you )|^you(?:['’]re| are) (?:so |such |really |doing )/iu;

/** Whether the text only asks, greets, praises or thanks. */
export const isFiller = (text: string): boolean => {
  if (text.length > LONGEST) return false;
  const sentences = sentencesOf(text);
  if (sentences.length === 0) return false;
  const asks = isQuestion(text);
  return sentences.every(
    sentence => isQuestion(sentence) || isPraise(sentence) || (asks && isGreeting(sentence)),
  );
};

/** Whether it only greets, praises or thanks; a question in it asks for nothing ("How are you?"). */
export const isCourtesy = (text: string): boolean => isFiller(text) && !(isQuestion(text) && asks(text));

/** Whether a question has a word beside those of courtesy. */
const asks = (text: string): boolean => wordsOf(text).some(word => !EMPTY.has(word));

/** Whether the text only asks. */
export const onlyAsks = (text: string): boolean => {
  if (!isQuestion(text) || text.length > LONGEST) return false;
  const sentences = sentencesOf(text);
  return sentences.length > 0 && sentences.every(isQuestion);
};

/** Like `isFiller`, for a fact in the third person: "Ann said that is awesome." */
export const isEmptyFact = (text: string): boolean => isFiller(text.replace(SAID, ''));

/** Returns the text from its first meaningful sentence on: "I moved." for "Thanks, Mel! I moved." */
export const withoutFiller = (text: string): string => {
  if (text.length > LONGEST) return text;
  let from = 0;
  for (const sentence of sentencesOf(text)) {
    const at = text.indexOf(sentence, from);
    // `sentencesOf` cleans sentences; a changed one is not found in the text.
    if (at < 0) break;
    if (!isQuestion(sentence) && !isPraise(sentence))
      return text.slice(text.charAt(at - 1) === '[' ? at - 1 : at);
    from = at + sentence.length;
  }
  return text;
};

const isGreeting = (sentence: string): boolean => {
  const words = wordsOf(sentence);
  return words.length <= GREETING_WORDS && !words.some(word => wordFlags(word) & DocumentFlag.firstPerson);
};

/** Whether the sentence has only words of praise or thanks, and at most the name of the person praised. */
const isPraise = (sentence: string): boolean => {
  const words = wordsOf(sentence);
  if (words.length === 0) return false;
  if (REACTION.test(sentence.replace(CALL, '')) || REACTION.test(sentence)) return true;
  if (words.length > MOST_WORDS) return false;
  const [other, ...more] = words.filter(word => !EMPTY.has(word));
  if (other === undefined) return true;
  const [, called] = CALLED_FIRST.exec(sentence) ?? CALLED_LAST.exec(sentence) ?? [];
  return more.length === 0 && called?.toLowerCase() === other;
};
