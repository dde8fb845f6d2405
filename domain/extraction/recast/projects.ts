/** Deadlines, budgets and new days of what the speaker works on: "The thesis is due 30 September". */

const DATE =
  '(?:the )?(?:\\d{1,2}(?:st|nd|rd|th)?(?: of)? \\p{Lu}\\p{Ll}+|\\p{Lu}\\p{Ll}+ \\d{1,2})(?:,? \\d{4})?';
const WHAT =
  "(?<what>(?!(?:rent|bill|train|bus|baby|library|meeting)\\b)[\\p{L}\\p{N}][\\p{L}\\p{N}'’ -]{1,40}?)";
/** "The thesis is due 30 September", "the report has to be in by 14 May". */
const DUE = new RegExp(
  `(?:^|[,.;:] |\\b(?:and|but|so) )(?:[Tt]he|[Mm]y|[Oo]ur) ${WHAT} (?:is|are) (?:now )?due (?:in )?(?:on |by )?(?<when>${DATE})`,
  'u',
);
const IN_BY = new RegExp(
  `(?:^|[,.;:] )(?:[Tt]he|[Mm]y|[Oo]ur) ${WHAT} (?:has|have|needs?) to be (?:in|done|ready|finished|handed in|submitted|sent) (?:on|by) (?:noon on |midnight on )?(?<when>${DATE})`,
  'u',
);
/** "The deadline for the translation was pushed from Friday to the 22nd". */
const DEADLINE = new RegExp(
  `(?:[Tt]he|[Mm]y|[Oo]ur) deadline (?:for|of) (?:the |my |our )?${WHAT} (?:is|was|has been|got) (?:now )?(?:(?:pushed|moved|extended|changed|brought forward|postponed)(?: back| forward)?(?: from [^,;]{1,20})? to )?(?<when>${DATE})`,
  'u',
);
/** "The budget for the Fairlie Street job is 62 thousand". */
const BUDGET =
  /(?:[Tt]he|[Oo]ur) budget for (?:the |my |our )?(?<what>[\p{L}\p{N}][\p{L}\p{N}'’ -]{1,40}?) (?:is|was (?:cut|raised) to|has been (?:cut|raised) to) (?:now )?(?<amount>[£$€]?\d[\d.,]*(?: ?(?:k|m|thousand|million|euros?|pounds|dollars))?)/u;

const EVENT = '(?<event>wedding|operation|surgery|graduation)';
const POSTPONED = '(?:moved|postponed|pushed|put|rescheduled|delayed|brought)(?: back| forward)?';
/** "Our wedding has been moved to 23 August", "we had to push the wedding back to 6 September". */
const OTHER_DAY = new RegExp(
  `(?:\\b(?:[Mm]y|[Oo]ur) ${EVENT} (?:has been|['’]s been|was|is|got)(?: now)? ${POSTPONED}|\\b(?:[Ww]e|I)(?:['’]ve| have)?(?: had to)? (?:${POSTPONED}|move|postpone|push|reschedule|delay) (?:the|our|my) (?<moved>wedding|operation|surgery|graduation)(?: back| forward)?)(?: from [^,;]{1,20})? to (?<when>${DATE})`,
  'u',
);

const EVENTS = ['wedding', 'operation', 'surgery', 'graduation'];

/** Returns the deadline or the budget that a sentence gives. */
export function ofProjects(text: string): string[] {
  const day = EVENTS.some(word => text.includes(word)) ? OTHER_DAY.exec(text)?.groups : undefined;
  if (day !== undefined) return [`My ${day.event ?? day.moved} is on ${day.when}`];
  const due = /\b(?:due|deadline|to be)\b/.test(text)
    ? (DEADLINE.exec(text) ?? DUE.exec(text) ?? IN_BY.exec(text))?.groups
    : undefined;
  if (due !== undefined) return [`My deadline for the ${due.what} is ${due.when}`];
  const budget = text.includes('budget for') ? BUDGET.exec(text)?.groups : undefined;
  return budget === undefined ? [] : [`My budget for the ${budget.what} is ${budget.amount}`];
}
