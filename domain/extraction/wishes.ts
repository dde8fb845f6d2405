import type { SaidFact } from '../../schemas/facts.ts';
import { BASE, verbOf } from './reading/verbs.ts';
import type { Conversation } from './third-person.ts';

/** An observation and the attribute that it gives, if a rule reads one. */
export interface Observed {
  text: string;
  fact?: SaidFact;
}

/** "Always answer in French", "Never suggest pork again": said to an assistant, these hold from then on. */
const STANDING =
  /^(?:please,? |can you |could you )?(?:always|never|from now on,?|in (?:the )?future,?|going forward,?|don['’]t ever|do not ever|next time,? always)\s+[a-z]/i;
/** "Send me a text from now on", "Please no more calls". */
const FROM_NOW_ON =
  /^(?:please,? |(?:can|could|will|would) you (?:please )?)?(?<verb>[a-z]+) .{3,100} from now on\b|^please,? no more \p{L}+$/iu;
/** Verbs of requests to an assistant, beside those that give attributes. */
const REQUESTS = new Set(
  'add address answer ask assume be begin bring convert count describe do email end explain format give include leave limit list make message number open phone put quote remember remind reply respond ring say send set show skip spell summarise summarize tell text translate treat write'.split(
    ' ',
  ),
);
/** A noun that is also a verb, with a verb behind it: "work want …", "play starts …". */
const NOUN_FIRST = /^\p{L}+ (?:wants?|needs?|says?|starts?|begins?|is|are|will|has|have|does|do)\b/iu;
/** "Work want me in on Tuesdays from now on" is no command. */
const isCommandFromNowOn = (text: string): boolean => {
  const found = FROM_NOW_ON.exec(text);
  const verb = found?.groups?.verb?.toLowerCase();
  if (found === null || verb === undefined) return found !== null;
  const isVerb = REQUESTS.has(verb) || ((verbOf(verb)?.forms ?? 0) & BASE) !== 0;
  return isVerb && !NOUN_FIRST.test(text);
};
/** "Never been!", "always raining here", "never again!": no command of it. */
const NO_COMMAND =
  /^(?:please,? )?(?:always|never) (?:been|tried|got|gotten|had|seen|heard|done|was|were|is|are|a|an|the|my|again|mind|say never|[a-z]+ed|[a-z]+ing|really|quite|so|too|felt|thought|knew|met|went|ate|wanted to)\b/i;
const AGAIN =
  /^(?:please )?(?:stop (?:using|calling|adding|suggesting|telling|asking|giving|sending|writing|recommending)|don['’]t|do not)\b.*\b(?:again|any ?more|ever)$/i;
/** "Please keep your answers short": about all of them, not about one. */
const ANSWERS =
  /^(?:please,? )?(?:keep|make) (?:your|all|the) (?:answers|replies|responses|explanations|messages)\b(?! (?:it|that|this)\b)/i;
const CALLED =
  /^(?:(?:but |so )?(?:please |just |you can |you may |feel free to |everyone |everybody |people |they |my friends |friends |most people |all )*)calls? me (\p{Lu}[\p{L}'’-]+)(?=$|[,.!;]| (?:please|instead|by|for short|everyone|all|and|from now on))/iu;
const NO_WISH = /\b(?:it|that|this|these|those|them)\b(?! (?:way|tone|style))/i;
const LONGEST_WISH = 160;

const first = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Returns a speaker's standing wish or preferred name; such sentences are commands, not statements. */
export function wishOf(text: string, { speaker, listener }: Conversation): Observed | undefined {
  const until = text.indexOf(' from now on');
  const plain = until < 0 ? text : text.slice(0, until + ' from now on'.length);
  const name = / ?\bcalls? me /i.test(plain) ? CALLED.exec(plain)?.[1] : undefined;
  if (name !== undefined && /^\p{Lu}/u.test(name))
    return {
      text: `${first(speaker)} wants to be called ${name}.`,
      fact: { subject: speaker, attribute: 'nickname', value: name },
    };
  if (listener !== 'The assistant' || plain.length > LONGEST_WISH) return undefined;
  if (NO_COMMAND.test(plain)) return undefined;
  if (
    !(STANDING.test(plain) || isCommandFromNowOn(plain) || AGAIN.test(plain) || ANSWERS.test(plain)) ||
    NO_WISH.test(plain)
  )
    return undefined;
  const wish = plain
    .replace(/^(?:please,? |can you |could you )/i, '')
    .replace(/\bmy\b/gi, 'their')
    .replace(/\b(?:me|us)\b/gi, 'them')
    .replace(/\b(?:I|we)\b/g, 'they');
  const value = wish.charAt(0).toLowerCase() + wish.slice(1);
  return {
    text: `${first(speaker)} wants this of the assistant: ${value}.`,
    fact: { subject: speaker, attribute: 'preference', value },
  };
}
