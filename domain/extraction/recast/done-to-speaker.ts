/** Deeds of others, said of the speaker: "They made me a junior editor". */
import { ANIMAL } from '../reading/relations.ts';

/** The words before "me" or "us", as a predicate of the speaker; what followed stays behind it. */
const DONE: readonly (readonly [RegExp, string])[] = [
  [/\b(?:put|started) (?:me|us) on (?=\S)/i, 'went on '],
  [/\b(?:took|taken) (?:me|us) off (?=\S)/i, 'stopped taking '],
  [/\bprescribed (?:me|us) (?=\S)/i, 'take '],
  [/\bmade (?:me|us) (?=(?:an? |the |head|chief|vice|junior|senior|deputy|team))/i, 'became '],
  [/\bpromoted (?:me|us) to (?=\S)/i, 'was promoted to '],
  [
    /(?<!\b(?:agent|operator|line|bot|call|chat|you|support|she|he) )\b(?:transferred|moved|reassigned) (?:me|us) to (?=\S)/i,
    'transferred to ',
  ],
  [/\b(?:hired|appointed|took on) (?:me|us) as (?=\S)/i, 'was hired as '],
  [/\bdiagnosed (?:me|us) with (?=\S)/i, 'was diagnosed with '],
  [
    /\b(?:fired|sacked) (?:me|us)\b|\b(?:they|company|firm|boss|manager|management|hr|employer)(?:['’]ve| have| has|['’]s)? (?:just |finally )?let (?:me|us) go(?=$|[,.;!]| (?:from|after|last|this|yesterday|today)\b)|\blaid (?:me|us) off\b/i,
    'was fired ',
  ],
];
/** "Would they make me", "nobody put me": not done. */
const NOT_DONE =
  /\b(?:would|could|should|might|may|can|will|if|want(?:s|ed)? to|going to|not|never|nobody|no one|almost|nearly|wish|hope|refused?|offered|didn['’]t|won['’]t|haven['’]t|hasn['’]t|must|to)\b/i;
/** "The Evening Standard, they've employed me for years". */
const EMPLOYED =
  /^(?:.*\b(?:for|at) )?((?:the |The )?\p{Lu}[\p{L}\p{N}'’&-]*(?: \p{Lu}[\p{L}\p{N}'’&-]*){0,3})(?:, (?:they|who|which))?(?: employs?|(?:['’]ve| have| has) employed) (?:me|us)(?: ((?:for|since) [^,.;!]{2,20}))?/u;
const MUST_HOLD = /\b(?:me|us)\b/i;
/** "Strawberries give me hives". */
const REACTION =
  /^(\p{L}[\p{L}-]{2,20}(?: [\p{L}-]{2,20})?) (?:always )?gives? me (?:hives|an? (?:itchy |bad |nasty )?rash|anaphylaxis|an allergic reaction)\b/iu;
const CLAUSE_END = /[,;:!?]|\.(?=\s|$)| (?:and|but|so|because|which|when) /;
/** "You can call me on 555-0143", "mail me at rik@example.com", "I'm on 0170 555 0199". */
const CALLED =
  /\b(?:call|ring|phone|text|reach|get|whatsapp) (?:me|us) (?:(?:back )?on|at|under) (\+?\d[\d\s().-]{5,18}\d)(?=$|[,;!?)]|\.(?:\s|$)| (?:from|after|before|any|now|at|if|or|and|please|thanks|until|instead|today|tomorrow|only|between)\b)/i;
const ON_NUMBER =
  /\b(?:I(?:['’]m| am) (?:now )?(?:on|reachable (?:on|under|at)|at)|I can be reached (?:on|under|at)|(?:best|easiest) number for me is) (\+?\d[\d\s().-]{6,18}\d)(?=$|[,;!?)]|\.(?:\s|$)| (?:from|now|after|until|today|tomorrow|as)\b)/i;
const MAILED =
  /\b(?:e-?mail|mail|write|write to|reach|contact) (?:me|us) (?:(?:back )?at|on|under|via) ([^\s@<>"]{1,64}@[^\s@<>"]{1,120}\.[a-z]{2,24})/i;
const NO_CONTACT = /\b(?:don['’]t|do not|never|stop|no longer|not|can['’]t|couldn['’]t|used to|could)\b/i;

/** "We had to have Mittens put to sleep". */
const PUT_TO_SLEEP =
  /\b(?:had to have|had|have had) ((?:my |our |the )?\p{L}+(?: \p{Lu}\p{L}+)?) put (?:to sleep|down)(?=$|[,.;!]| (?:on|yesterday|today|last|this|in)\b)/u;

/** "We had to put Rex down on Friday", "Rex had to be put down": an animal, or a name. */
const HAD_TO_PUT = new RegExp(
  `\\b(?:had to put ((?:(?:my|our|the) (?:\\p{Ll}+ )?(?:${ANIMAL})|\\p{Lu}\\p{Ll}+))|(?:[Ww]e|I) put ((?:my|our) (?:\\p{Ll}+ )?(?:${ANIMAL}))) (?:to sleep|down)(?=$|[,.;!]| (?:on|yesterday|today|last|this|in)\\b)|(?:^|[,;:] )(\\p{Lu}\\p{Ll}+) had to be put (?:to sleep|down)(?=$|[,.;!]| (?:on|yesterday|today|last|this|in|because)\\b)`,
  'u',
);

/** Returns what others did to the speaker, and how they may reach them. */
export function doneToSpeaker(sentence: string): string[] {
  const slept = / (?:to sleep|down)\b/.test(sentence)
    ? (PUT_TO_SLEEP.exec(sentence) ?? HAD_TO_PUT.exec(sentence))?.slice(1).find(each => each !== undefined)
    : undefined;
  if (slept !== undefined) return [`${slept.replace(/^the /, 'my ')} was put to sleep`];
  if (!MUST_HOLD.test(sentence) && !ON_NUMBER.test(sentence)) return [];
  return [doneIn(sentence), employedBy(sentence), reactionTo(sentence), reachedAt(sentence)].filter(
    each => each !== undefined,
  );
}

function doneIn(sentence: string): string | undefined {
  for (const [pattern, predicate] of DONE) {
    const match = pattern.exec(sentence);
    if (match === null) continue;
    if (NOT_DONE.test(sentence.slice(0, match.index))) return undefined;
    const rest = sentence.slice(match.index + match[0].length);
    const end = CLAUSE_END.exec(rest)?.index ?? rest.length;
    return `I ${predicate}${rest.slice(0, end)}`.trim();
  }
  return undefined;
}

function employedBy(sentence: string): string | undefined {
  const [, employer, since] = sentence.includes('employ') ? (EMPLOYED.exec(sentence) ?? []) : [];
  if (employer === undefined) return undefined;
  return since === undefined ? `I work at ${employer}` : `I've worked at ${employer} ${since}`;
}

function reactionTo(sentence: string): string | undefined {
  const [, what] = REACTION.exec(sentence) ?? [];
  return what === undefined ? undefined : `I'm allergic to ${what.charAt(0).toLowerCase()}${what.slice(1)}`;
}

function reachedAt(sentence: string): string | undefined {
  const number = CALLED.exec(sentence) ?? ON_NUMBER.exec(sentence);
  const mail = number === null ? MAILED.exec(sentence) : null;
  const found = number ?? mail;
  // A day and a time are no number.
  if (number !== null && /^\d{4}-\d\d-\d\d|^\d\d? \d\d? \d{4}$/.test(number[1]!)) return undefined;
  if (found === null || NO_CONTACT.test(sentence.slice(0, found.index))) return undefined;
  return number === null ? `My email is ${found[1]}` : `My phone number is ${found[1]}`;
}
