import { ANY_MONTH } from '../../extraction/dates/calendar.ts';

/** A time before now, or a change: "used to", "before", "former", "in 2019", "last year", "changed". */
const PAST = new RegExp(
  '\\b(?:used to|previous(?:ly)?|former(?:ly)?|before|earlier|originally|at first|back (?:in|then|when)|in the past|no longer|any ?more|once|ex|ago|until|till|last (?:year|month|week|spring|summer|autumn|fall|winter)|(?:in|since|during|by) (?:(?:early|late|mid) )?(?:\\d{4}|' +
    ANY_MONTH +
    ')|\\d{4}-\\d{2}|history|ever|chang(?:e|ed|es)|over the years|old (?:job|home|house|flat|apartment|address|place|car|phone|number|boss|employer|company|school|team|name|partner|doctor|email|city|town))\\b',
  'i',
);
/**
 * "Where did I live?", "What was my job?", "Who was her boss?": a state of the past. "Where did I move to?"
 * asks for its result.
 */
const STATE_IN_PAST =
  /\b(?:was|were)\b(?! (?:born|named|called))|\bdid\b.{1,60}\b(?:live|work|have|own|drive|study|like|prefer|love|weigh|date|rent|play|speak|eat|teach)\b/i;

/** Whether a question is about a past state rather than the current one. An error shows more, never less. */
export const asksAboutPast = (question: string): boolean =>
  PAST.test(question) || STATE_IN_PAST.test(question);
