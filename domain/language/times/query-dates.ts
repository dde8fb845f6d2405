import { asciiDigits } from '../words/fold.ts';

/** A date named in a query; parts that the query omits are undefined. Months are 1 to 12. */
export interface QueryDate {
  year?: number;
  month?: number;
  day?: number;
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const MONTH =
  '(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)';
const ISO = /\b(\d{4})-(\d{1,2})(?:-(\d{1,2}))?\b/g;
/** `5.1.2026`, as in much of Europe: with dots, the day comes first. */
const DOTTED = /\b(\d{1,2})\.\s?(\d{1,2})\.\s?((?:19|20)\d\d)\b/g;
/** `2026年1月5日`, `1월 5일`. */
const EAST_ASIAN = /(?:(\d{4})\s*[年년]\s*)?(?<!\d)(\d{1,2})\s*[月월](?:\s*(\d{1,2})\s*[日号號일])?/g;
const WORDED = new RegExp(
  `(?:\\b(\\d{1,2})(?:st|nd|rd|th)?(?:\\s+of)?\\s+)?\\b${MONTH}\\b\\.?(?:\\s+(\\d{1,2})(?:st|nd|rd|th)?\\b(?!\\d))?(?:,?\\s+(?:of\\s+)?((?:19|20)\\d\\d))?`,
  'gi',
);
/** Maximum dates: each is compared with each turn, and a pasted page may have hundreds. */
const MOST_DATES = 32;
const YEAR = /\b((?:19|20)\d\d)\b/g;
/** `may` and `march` count as months only with evidence: a capital inside the query or a number beside it. */
const DOUBTFUL = /^(may|march|mar)$/;

/**
 * Finds dates in a query, in numbers or English words; of many, the first ones. Times by the clock and
 * ranges: asked-times.ts.
 */
export const queryDates = (q: string): QueryDate[] => {
  const dates: QueryDate[] = [];
  const number = (text: string | undefined) => (text === undefined ? undefined : Number(text));
  const add = (all: string, year: string | undefined, month: string, day: string | undefined): string => {
    if (Number(month) < 1 || Number(month) > 12) return all;
    dates.push({ year: number(year), month: Number(month), day: number(day) });
    return ' ';
  };
  let rest = asciiDigits(q)
    .replace(ISO, add)
    .replace(DOTTED, (all, day, month, year) => add(all, year, month, day))
    .replace(EAST_ASIAN, add);
  rest = rest.replace(WORDED, (all, before, name: string, after, year, at: number) => {
    if (
      (DOUBTFUL.test(name) || (at === 0 && name === 'May')) &&
      before === undefined &&
      after === undefined &&
      year === undefined
    )
      return all;
    const month = MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1;
    dates.push({ year: number(year), month, day: number(before ?? after) });
    return ' ';
  });
  for (const match of rest.matchAll(YEAR)) dates.push({ year: Number(match[1]) });
  return dates.slice(0, MOST_DATES);
};
