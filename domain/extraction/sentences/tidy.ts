import { verbOf } from '../reading/verbs.ts';
import type { Lexicon } from './lexicon.ts';
import { withSubject } from './unsaid.ts';
import { isAuxiliary, isFiniteVerb, isPast } from './verbs.ts';

/** "With kids I'd suggest:" */
const BEFORE_LIST =
  /(?<!\w)(?:suggest|recommend|propose|offer|are|is|say|said|include|includes|following)\s*:$/i;

/** The space is the only white space in a sentence (see sentences.ts). */
const PAUSES = '!.,;:… ';
const TRAILING =
  /,?\s(?:thanks|thank you|(?:ha){2,}|lo+l+|lmf?ao|though|tho|huh|btw|man|pls|please|you know(?: that)?|i (?:think|guess))$/i;
const MAY_TRAIL = new Set(
  'thanks you haha hahaha lol lmao though tho huh btw man pls please know that think guess'.split(' '),
);
/** "My van's back", "Mine's 16", "Dana's moving to Rome": 's is a verb here, not a possessive. */
const SHORT_VERB =
  /(?<=\p{L})(?<!\b(?:[Mm]aster|[Bb]achelor))['’]s (?=(?:an?|the|been|back(?=$| (?:from|in|at|home|to|on|with)\b)|not|so|too|very|really|still|now|in|on|at|from|gone|got|already|always|never|just|also|\d+|\p{L}{2,12}ing (?:\d|his|her|their|my|our|an?|the|to|from))(?!\p{L}))/gu;
const PRONOUN_SHORT =
  /(?:^|[^\p{L}])(?:he|she|it|that|there|here|what|who|other|else|let|where|how|everyone|everything)$/iu;
/** "I left St Luke's in May": the name of a house, of which nothing is said. */
const OF_NAME = /\b(?:at|for|left|quit|joined|leaving|joining)(?: \p{Lu}[\p{L}.]*){1,3}$/u;
const ASIDE = /,?\s*\b(?:like|as) I (?:said|mentioned|told you)(?: before| earlier| already)?\b,?/i;
/** "Dad wants to sell", "grandma Zsuzsa turned 90": the speaker's own relative. */
const OWN_RELATIVE =
  /^(mum|mom|mam|dad|mama|papa|nana|nan|grandma|grandpa|gran|granny|grandad|granddad|nonna|oma|opa|hubby|hubs|auntie|aunt|uncle)((?: \p{Lu}\p{L}+)?)(['’]s)? (\p{L}+)/iu;
const isVerb = (word: string): boolean => isAuxiliary(word) || verbOf(word) !== undefined;
const withOwner = (text: string, lexicon: Lexicon): string => {
  const [, relative, name = '', short, next] = OWN_RELATIVE.exec(text) ?? [];
  if (relative === undefined || next === undefined) return text;
  // Regardless of case a name is any word: "Mum is on warfarin".
  const word = (isVerb(name.trim().toLowerCase()) ? name.trim() : next).toLowerCase();
  // "Dad's car", "mum jeans": no verb follows.
  const isSaid =
    short === undefined
      ? isAuxiliary(word) ||
        isPast(word) ||
        isFiniteVerb(word, lexicon) ||
        verbOf(word) !== undefined ||
        /^(?:just|still|never|always|really)$/.test(word)
      : /^(?:an?|the|in|on|at|been|not|so|very|now|still|turning|getting|going|coming|\d+|\p{L}+ing|\p{L}+ed)$/u.test(
          word,
        );
  // "Gran's funeral was": hers is said of anyway.
  const isOwner = short !== undefined && !isSaid && word.length > 2;
  return isSaid || isOwner ? `My ${text.charAt(0).toLowerCase()}${text.slice(1)}` : text;
};
/** Words before the clause: "Okay so hi, um, I'm walking", "Fun fact, I was born here". */
const PREAMBLE =
  /^(?:(?:okay|ok|so|hi|um|uh|well|also|reminder|quick one(?: for \w+)?|ah|hey|now|and|but|then|fun fact|update|sorry|oops|wait|no wait|correction|honestly|actually|anyway|right|listen|look|today|good news|bad news|news|in that case|alright|all right|not me|confession|just so you know|full disclosure|heads up|sidenote|side note|for context|for the record|quick update|quick question|little update|small update|big news)[,:]? (?:that )?){1,5}(?=(?:I|i|we|my|our|you|[Ii]['’]|we['’]|you['’])(?:\b|m ))/i;
const APOLOGY =
  /,? (?:so|and) (?:forgive|please|don['’]t|sorry|bear with|let me)\b.*$| sorry (?:about|for|if)\b.*$/i;
/** ", it was so refreshing": a judgement after the statement. */
const VERDICT =
  /(?:,| -|;| and)(?: and)? (?:it|that|they|which)(?:['’]s|['’]re| is| was| were| has| are)(?: been)? (?:(?:so|really|a lot|pretty|such|super|truly|quite|very|absolutely|just|definitely|always|totally) )*(?:an? |the |lots of |so |such )*(?:great|fun|amazing|awesome|incredible|nice|good|beautiful|wonderful|refreshing|tough|hard|cool|lovely|magical|relaxing|exciting|heartwarming|inspiring|perfect|best|blast|crazy|wild|delicious|special|interesting|emotional|challenging|rewarding|stressful|easy|lovely|worth)\b[^,]*$/i;
/** "My dad, he lives": one subject said twice. */
const TWICE = /^(my [\w-]+), s?he(?=(['’](?:s|ll|d))? )\2? /i;
const SHORT: Readonly<Record<string, string>> = { s: 'is ', d: 'would ', ll: 'will ' };
const ADDRESS =
  /^,\s+(?:mum|mom|dad|mate|man|dude|darling|dear|love|honey|babe|buddy|everyone|guys|folks|all|sir|madam|mother|father|bro|sis|aunt(?:ie)? \p{Lu}\p{L}+|uncle \p{Lu}\p{L}+|lol|haha\w*|sadly|luckily|obviously|honestly|basically|apparently|actually|unfortunately|fortunately|right|ok|okay|yeah|btw)$/iu;

const withLongVerbs = (text: string): string =>
  text.replace(SHORT_VERB, (short, at: number) => {
    if (PRONOUN_SHORT.test(text.slice(Math.max(0, at - 12), at))) return short;
    if (OF_NAME.test(text.slice(Math.max(0, at - 40), at))) return short;
    return /^(?:been|gone|got)\b/.test(text.slice(at + 3)) ? ' has ' : ' is ';
  });

/** First words of the openings that `PREAMBLE` removes. */
const MAY_PRECEDE = new Set(
  'sorry oops wait no okay ok so hi um uh well also reminder quick ah hey now and but then fun update correction honestly actually anyway right listen look today good bad news in alright all not confession just full heads sidenote side for little small big'.split(
    ' ',
  ),
);
const firstWord = (text: string): string => {
  const end = text.search(/[ ,:]/);
  return (end < 0 ? text : text.slice(0, end)).toLowerCase();
};

// String searches are cheaper than the patterns, which most clauses don't need.
const APOLOGIES = ['sorry', 'forgive', 'please', 'let me', 'bear with', 'so don'];
const JUDGED = [' it', ' that', ' they', ' which'];
const holdsOne = (text: string, parts: readonly string[]): boolean => parts.some(part => text.includes(part));
const mayJudge = (text: string): boolean =>
  (text.includes(',') || text.includes(' and ') || text.includes('-')) && holdsOne(text, JUDGED);

/**
 * Removes a clause's conversational trimmings (pauses, laughter, address) and adds its omitted subject.
 * Undefined if nothing is left.
 */
export function tidyClause(clause: string, lexicon: Lexicon): string | undefined {
  let end = clause.length;
  while (end > 0 && PAUSES.includes(clause.charAt(end - 1))) end--;
  let text = clause.slice(0, end).replace(/^(?:just|only) (?=last |yesterday|this |today)/i, '');
  if (MAY_TRAIL.has(text.slice(text.lastIndexOf(' ') + 1).toLowerCase())) text = text.replace(TRAILING, '');
  if (/ I (?:said|mentioned|told)/.test(text)) text = text.replace(ASIDE, '');
  const comma = text.lastIndexOf(',');
  if (comma > 0 && ADDRESS.test(text.slice(comma))) text = text.slice(0, comma);
  if (mayJudge(text)) text = text.replace(VERDICT, '');
  if (holdsOne(text, APOLOGIES)) text = text.replace(APOLOGY, '');
  text = withOwner(MAY_PRECEDE.has(firstWord(text)) ? text.replace(PREAMBLE, '') : text, lexicon);
  if (text.startsWith('my ') || text.startsWith('My '))
    text = text.replace(
      TWICE,
      (_, who: string, short?: string) => `${who} ${SHORT[short?.slice(1).toLowerCase() ?? ''] ?? ''}`,
    );
  if (text === '' || (clause.endsWith(':') && BEFORE_LIST.test(clause))) return undefined;
  if (/['’]s /.test(text)) text = withLongVerbs(text);
  return withSubject(text, lexicon);
}
