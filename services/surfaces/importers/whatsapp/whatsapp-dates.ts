/** Finds out which of a date's three numbers is the day: the export uses the phone's region, unnamed. */
import { DAY_MS } from '../../../../core/time.ts';
import type { Header } from './whatsapp-lines.ts';

const DATE_ORDERS = ['dmy', 'mdy', 'ymd'] as const;
export type DateOrder = (typeof DATE_ORDERS)[number];

export interface PlainDate {
  year: number;
  month: number;
  day: number;
}

/** WhatsApp started in 2009. Years of other calendars, such as 2567 or 1403, must not be stored. */
const FIRST_YEAR = 2009;
/** Phone clocks are sometimes wrong, but by no more than this. */
const lastYear = (): number => new Date().getUTCFullYear() + 1;

/**
 * Returns the date that three numbers form in a given order; undefined if there is no such day since WhatsApp
 * started.
 */
export const dateIn = (order: DateOrder, [first, second, third]: Header['date']): PlainDate | undefined => {
  const [short, month, day] = {
    dmy: [third, second, first] as const,
    mdy: [third, first, second] as const,
    ymd: [first, second, third] as const,
  }[order];
  if (short >= 100 && short < 1_000) return undefined;
  const year = short < 100 ? 2_000 + short : short;
  if (year < FIRST_YEAR || year > lastYear()) return undefined;
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? { year, month, day } : undefined;
};

export type FoundOrder =
  | { order: DateOrder; because: string }
  | { candidates: DateOrder[]; example: string }
  /** No order fits all lines: the line at which the last candidate failed. */
  | { misfit: number }
  /** The first line whose date is invalid in every order. */
  | { impossible: number };

interface Candidate {
  order: DateOrder;
  /** The first line that does not fit. */
  misfit: number | undefined;
  last: number;
  /** Number of times that the dates go back by more than a day, although a chat is chronological. */
  backwards: number;
}

/**
 * Reads all dates of a file and determines their order, but only from evidence in the file: a number that
 * can't be a month or a day, a year before WhatsApp, dates that would run backwards, or dots, which only
 * day-first regions write unless the year is first.
 */
export const makeOrderFinder = () => {
  const candidates = DATE_ORDERS.map(
    (order): Candidate => ({ order, misfit: undefined, last: Number.NEGATIVE_INFINITY, backwards: 0 }),
  );
  let lines = 0;
  let hasPoints = true;
  let hasSpaces = false;
  let example = '';
  let impossible: number | undefined;

  return {
    /** Whether at least one line fits this order. */
    fitsAny: (order: DateOrder): boolean =>
      candidates.some(candidate => candidate.order === order && candidate.last > Number.NEGATIVE_INFINITY),
    add: ({ date, separator }: Header, line: number): void => {
      if (lines++ === 0) example = date.join(separator);
      hasPoints &&= separator.trim() === '.';
      hasSpaces ||= separator !== separator.trim();
      if (DATE_ORDERS.every(order => dateIn(order, date) === undefined)) impossible ??= line;
      for (const candidate of candidates) {
        const found = dateIn(candidate.order, date);
        if (found === undefined) {
          candidate.misfit ??= line;
          continue;
        }
        const day = Date.UTC(found.year, found.month - 1, found.day);
        if (day < candidate.last - DAY_MS) candidate.backwards++;
        candidate.last = day;
      }
    },
    found: (): FoundOrder => {
      if (impossible !== undefined) return { impossible };
      const left = candidates.filter(({ misfit }) => misfit === undefined);
      const [only] = left;
      if (only === undefined) return { misfit: Math.max(...candidates.map(({ misfit }) => misfit!)) };
      if (left.length === 1) return { order: only.order, because: 'no other order fits all dates' };
      // Dots followed by spaces may be Korean, with the year first: `26. 1. 12.`.
      if (hasPoints && !(hasSpaces && left.some(({ order }) => order === 'ymd')))
        return { order: 'dmy', because: 'dates with dots have the day first' };
      const forwards = left.filter(({ backwards }) => backwards === 0);
      if (forwards.length === 1)
        return { order: forwards[0]!.order, because: 'in any other order the chat would run backwards' };
      return { candidates: left.map(({ order }) => order), example };
    },
  };
};
