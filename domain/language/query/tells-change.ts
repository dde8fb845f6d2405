/**
 * Words by which people mention in passing that something is different from now on: "now", "from monday", "as
 * of June", "switched to", "day one at", "turns out". Among turns about a state, most that tell a new one
 * contain such words, and few others do.
 */
import { ANY_MONTH } from '../../extraction/dates/calendar.ts';
import { WEEKDAYS } from '../../extraction/dates/date-words.ts';

const WHEN = `${ANY_MONTH}|${WEEKDAYS.join('|')}|today|tomorrow|yesterday|tonight|now|then|spring|summer|autumn|fall|winter`;
const CHANGE = new RegExp(
  [
    // Start
    'now(?! and then)',
    `(?:from|since|starting|beginning|effective) (?:now|(?:on |about )?(?:next |last |this |the )?(?:${WHEN}|week|month|year|new|\\d))`,
    'as of',
    'until further notice',
    'these days|nowadays|currently|lately',
    'any ?more|no longer|instead|after all|for good|at last|finally|final',
    // Novelty
    '(?:brand[- ])?new|update',
    '(?:first|second|third) (?:day|night|week|month|shift|lesson|term|semester)|(?:day|week|month|night) (?:one|two|three)|(?:two|three|four|\\d+) weeks? (?:in|into|w/o|without|as|at)',
    // Verbs of change
    '(?:switch|swap|chang|replac|mov|relocat|upgrad|downgrad|transferr|rotat|promot|adopt|retir|resign|inherit|enroll?|hir|approv|rewrit|abandon|cancell?|postpon|shift)(?:e|ed|es|ing)',
    'switch|swap|move|trade[ds]?|sold|quit|stopped|dropped|joined|signed|started|shut|closed|broke up|got (?:into|myself|himself|herself|married|engaged)|rewritten',
    '(?:gave|give|given) (?:it |that |her |his |them |my )?(?:\\w+ )?(?:up|away|back)|(?:took|taken|takes) (?:it |everything )?over|hand(?:ed|s) (?:\\w+ ){0,3}(?:over|to)|passed on|picked up|(?:put|going|went) (?:\\w+ )?(?:in|with|for)',
    'turn(?:s|ed) out|done with|over and done|is (?:out|off|history)|are history|(?:are|am|is|was) (?:off|gone)',
    "(?:upped|bumped|raised|lowered|cut) (?:me |it |him |her |them )?(?:to|down)|(?:it'?s|will be|'ll be|going to be)",
  ]
    .map(words => `\\b(?:${words})\\b`)
    .join('|'),
  'i',
);
/** Number of characters of a turn that are read. */
const READ = 2_000;

/** Whether a turn tells that something has changed, or begins. Pure; takes microseconds. */
export const tellsChange = (text: string): boolean => CHANGE.test(text.slice(0, READ));
