/**
 * Answers of a few words to a question of the other one: "Where do you live?" "Leeds." says what "I live in
 * Leeds" says. Neither turn says it alone.
 */

import { attributeOfThing } from './attributes/thing-nouns.ts';

/** The turn before, of the same session. */
export interface TurnBefore {
  role: string;
  text: string;
}

const LONGEST_ANSWER = 80;
const MOST_WORDS = 9;
const LONGEST_QUESTION = 160;
const QUESTION = /(?:^|[.!?\n]\s*)([^.!?\n]{3,160}\?)\s*$/;
/** Openers before the question itself: "And where do you live?" */
const OPENERS =
  /^(?:(?:and|so|but|ok(?:ay)?|oh|nice|great|cool|hi|hey|thanks|sure|remind me|tell me|just to check|quick question|by the way|btw|sorry),?:? )+/i;
const YES =
  /^(?:yes|yep|yeah|yup|sure|correct|right|exactly|indeed|still (?:do|am)|i (?:do|am)|that['’]s right|of course|always|absolutely|definitely)(?: (?:i (?:do|am)|still(?: (?:do|am))?|please|indeed))?(?:[,.!]|$)\s*/i;
const NO =
  /^(?:no|nope|nah|not any ?more|no longer|i (?:don['’]t|['’]m not))(?: (?:i (?:don['’]t|['’]m not)|any ?more|longer))?(?:[,.!–—-]|$)\s*/i;
/** An answer that is none, or a sentence of its own. */
const NO_ANSWER =
  /^(?:i\b|i['’]|my\b|we\b|our\b|why|what|who|where|when|how|which|maybe|perhaps|dunno|no idea|not sure|it depends|depends|guess|can|could|would|please|thanks|thank|the same|none|nothing|nobody|nowhere|not really|same|both|here|there|that|this|it\b|he\b|she\b|they\b)/i;

/** Where a place or a firm goes in "I live in …", "I work at …". */
const PREPOSITIONS: Readonly<Record<string, string>> = { live: 'in', stay: 'in', work: 'at', study: 'at' };

/**
 * Returns what a short answer states, as a sentence of its speaker; undefined where the question and the
 * answer make none. Pure, and linear in both.
 */
export function statementOf(before: string, answer: string): string | undefined {
  const said = answer.trim();
  if (
    said === '' ||
    said.length > LONGEST_ANSWER ||
    said.split(/\s+/).length > MOST_WORDS ||
    said.includes('?')
  )
    return undefined;
  const asked = QUESTION.exec(before.slice(-LONGEST_QUESTION * 2))?.[1];
  if (asked === undefined) return undefined;
  const question = asked.replace(/\?$/, '').trim().replace(OPENERS, '');
  return answered(question, said.replace(/[.!]+$/, ''));
}

function answered(question: string, said: string): string | undefined {
  const plain = question.replace(/[’]/g, "'");
  const open = openQuestion(plain);
  if (open !== undefined)
    return NO_ANSWER.test(said) || YES.test(said) || NO.test(said) ? undefined : open(withoutLead(said));
  const closed = closedQuestion(plain);
  if (closed === undefined) return undefined;
  if (YES.test(said)) return closed.yes;
  if (!NO.test(said)) return undefined;
  const rest = said.replace(NO, '').trim();
  // "No, Castelo since May": another value, where a name follows.
  if (/^(?:\p{Lu}|an? )/u.test(rest) && closed.other !== undefined && !/^I\b/.test(rest))
    return closed.other(rest);
  return rest === '' ? closed.no : undefined;
}

const withoutLead = (said: string): string =>
  said.replace(/^(?:in|at|it['’]s|that['’]s|she['’]s|he['’]s|near|just|well),? (?=\S)/i, '');

/** Reads "where do you live", "what's your name", "how old are you": what an answer says. */
function openQuestion(question: string): ((said: string) => string) | undefined {
  const where =
    /^(?:where|which (?:city|town|company|firm|school)) (?:do|are) you (?:currently |now )?(live|living|work|working|study|studying|stay|staying|based)(?: (?:in|at|for|now|these days))*$/i.exec(
      question,
    );
  if (where !== null) {
    const verb = where[1]!
      .toLowerCase()
      .replace(/ing$/, '')
      .replace(/^liv$/, 'live')
      .replace(/^based$/, 'live');
    return said => `I ${verb} ${PREPOSITIONS[verb] ?? 'in'} ${said}.`;
  }
  const noun =
    /^(?:what|who)(?:'s| is| was|'re| are) your ((?:[\w'-]+ ){0,3}[\w'-]+?)(?: again| now| these days)?$/i.exec(
      question,
    );
  if (noun !== null) {
    // "What's your opinion?" asks for nothing that lasts.
    const attribute = attributeOfThing(noun[1]!);
    const lasts = attribute !== undefined && attribute !== 'plan';
    return lasts ? said => `My ${noun[1]} is ${said}.` : undefined;
  }
  if (/^how old are you(?: now)?$/i.test(question)) return said => `I'm ${said}.`;
  if (/^how tall are you$/i.test(question)) return said => `I'm ${said} tall.`;
  if (/^what do you do(?: for (?:a living|work))?$/i.test(question))
    return said => (/^(?:an?|the) /i.test(said) ? `I'm ${said}.` : `I'm a ${said}.`);
  if (
    /^(?:what|who) are you allergic to$/i.test(question) ||
    /^(?:do you have )?any allergies$/i.test(question) ||
    /^are you allergic to anything$/i.test(question)
  )
    return said => `I'm allergic to ${said}.`;
  if (/^(?:what|which) languages? do you speak$/i.test(question)) return said => `I speak ${said}.`;
  return undefined;
}

interface Closed {
  yes: string;
  no: string;
  other?: (said: string) => string;
}

/** Reads "do you still live in Utrecht", "are you still at Nordbeam", "still at Nordbeam". */
function closedQuestion(question: string): Closed | undefined {
  const does = /^(?:do you |you )(still )?(live|work|study) (in|at|for) (.+)$/i.exec(question);
  if (does !== null) {
    const [, still, verb, preposition, place] = does;
    return {
      yes: `I ${verb!.toLowerCase()} ${preposition!.toLowerCase()} ${place}.`,
      no:
        still === undefined
          ? `I don't ${verb!.toLowerCase()} ${preposition!.toLowerCase()} ${place}.`
          : `I no longer ${verb!.toLowerCase()} ${preposition!.toLowerCase()} ${place}.`,
      other: said => `I ${verb!.toLowerCase()} ${preposition!.toLowerCase()} ${said}.`,
    };
  }
  const at = /^(?:are you |you )?still (?:working )?(at|with|for) (.+)$/i.exec(question);
  if (at !== null)
    return {
      yes: `I work at ${at[2]}.`,
      no: `I no longer work at ${at[2]}.`,
      other: said => `I work at ${said}.`,
    };
  const living = /^(?:[Aa]re you |[Yy]ou )?(?:[Ss]till )?(?:living )?in (\p{Lu}.+)$/u.exec(question);
  if (living !== null && /still|living/i.test(question))
    return {
      yes: `I live in ${living[1]}.`,
      no: `I no longer live in ${living[1]}.`,
      other: said => `I live in ${said}.`,
    };
  const takes = /^(?:do|are) you (still )?(taking|take|eat|drink|smoke|play|playing) (.+)$/i.exec(question);
  if (takes !== null) {
    const verb = takes[2]!.toLowerCase().replace('taking', 'take').replace('playing', 'play');
    return {
      yes: `I ${verb} ${takes[3]}.`,
      no: takes[1] === undefined ? `I don't ${verb} ${takes[3]}.` : `I no longer ${verb} ${takes[3]}.`,
    };
  }
  const what = /^(?:are you|you['’]?re|you are) (an? [\p{L} -]{3,40})$/iu.exec(question);
  if (what !== null)
    return { yes: `I'm ${what[1]}.`, no: `I'm not ${what[1]}.`, other: said => `I'm ${said}.` };
  const is =
    /^are you (still )?(?:an? )?(vegan|vegetarian|pescatarian|single|married|engaged|divorced|retired|gluten-free|diabetic|coeliac|celiac)$/i.exec(
      question,
    );
  if (is !== null)
    return {
      yes: `I'm ${is[2]}.`,
      no: is[1] === undefined ? `I'm not ${is[2]}.` : `I'm no longer ${is[2]}.`,
    };
  return undefined;
}
