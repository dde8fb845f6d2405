/**
 * Answers of a few words to a question of the other one: "Where do you live?" "Leeds." says what "I live in
 * Leeds" says. Neither turn says it alone.
 */

import { closedQuestion } from './closed-questions.ts';
import { openQuestion } from './open-questions.ts';

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
  /^(?:yes|yep|yeah|yup|sure|correct|right|exactly|indeed|still (?:do|am)|i (?:do|am)|that['’]s right|of course|always|absolutely|definitely)(?: (?:i (?:do|am)|still(?: (?:do|am))?|please|indeed))?(?:[,.!]|$| (?:and|but|since|because|for)\b)\s*/i;
const NO =
  /^(?:no|nope|nah|not any ?more|no longer|(?:it['’]s |that['’]s |all )?over(?=$|[,.!]| since| now)|i (?:don['’]t|['’]m not))(?: (?:i (?:don['’]t|['’]m not)|any ?more|longer|since [\p{L}\d ]{2,20}|now))?(?:[,.!–—-]|$)\s*/iu;
/** Words that only say the no once more: "not any more", "I gave it up in the summer". */
const STOPPED =
  /^(?:not (?:any ?more|anymore|since\b.*|for (?:years|ages|months|a (?:long )?while)(?: now)?)|i(?:['’]ve| have)? (?:just )?(?:stopped|quit|left|moved (?:out|away)|gave (?:it|that|them) up|given (?:it|that|them) up|sold (?:it|that|them|him|her)|dropped (?:it|out)|got rid of it|cancelled(?: it)?)(?: (?:last|this) \w+| in (?:the )?\w+| (?:a|two|three|some|\d+) \w+ ago| ages ago| recently| yesterday)?)$/i;
/** An answer that is none, or a sentence of its own. */
const NO_ANSWER =
  /^(?:i\b|i['’]|my\b|we\b|our\b|why|what|who|where|when|how|which|maybe|perhaps|dunno|no idea|not sure|it depends|depends|guess|can|could|would|please|thanks|thank|the same|none|nothing|nobody|nowhere|not really|same|both|here|there|that|this|it\b|he\b|she\b|they\b|you\b|zero\b|far\b|only if\b|sorry\b|u+m+\b|u+h+\b|e+r+m*\b|refund\b|home$|work$|cancel\b|help\b|rather not\b|i['’]d rather\b|(?:well|h+m+|ok(?:ay)?|so|oh|ah|ha(?:ha)+|lol|let me|soon|later|good|fine|great|nice|hi|hello|hey)\W*$)/i;

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
  return rest === '' || STOPPED.test(rest) ? closed.no : undefined;
}

const withoutLead = (said: string): string =>
  said.replace(/^(?:in|at|it['’]s|that['’]s|she['’]s|he['’]s|near|just|well),? (?=\S)/i, '');
