/** Which of a date's three numbers is the day: WhatsApp's export writes dates as the phone's region does, and doesn't say. */
import type { Header } from './whatsapp-lines.ts';

const DATE_ORDERS = ['dmy', 'mdy', 'ymd'] as const;
export type DateOrder = (typeof DATE_ORDERS)[number];

export interface PlainDate {
  year: number;
  month: number;
  day: number;
}

const DAY_MS = 86_400_000;

/** WhatsApp is of 2009; a year of another calendar, as 2567 or 1403, is none that this reader may store. */
const FIRST_YEAR = 2009;
/** Clocks of phones are wrong now and then, but not by more. */
const lastYear = (): number => new Date().getUTCFullYear() + 1;

/** The date that three numbers are in an order; undefined when there is no such day, or not in WhatsApp's time. */
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
  /** No order fits all lines: the line that the last of them failed at. */
  | { misfit: number }
  /** The first line whose date is none in any order. */
  | { impossible: number };

interface Candidate {
  order: DateOrder;
  /** The first line that it can't be. */
  misfit: number | undefined;
  last: number;
  /** Times that it steps back by more than a day: a chat is in the order of time. */
  backwards: number;
}

/**
 * Reads all dates of a file and tells their order, only where the file itself says it: a number that can be no month or
 * no day, a year that is not WhatsApp's, dates that would run backwards, or points, which only regions with the day
 * first write where the year is not in front.
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
    /** Whether it is the order of one line at least. */
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
      // With spaces behind them points may be Korea's, which has the year first: `26. 1. 12.`.
      if (hasPoints && !(hasSpaces && left.some(({ order }) => order === 'ymd')))
        return { order: 'dmy', because: 'dates with points have the day first' };
      const forwards = left.filter(({ backwards }) => backwards === 0);
      if (forwards.length === 1)
        return { order: forwards[0]!.order, because: 'in another order the chat would run backwards' };
      return { candidates: left.map(({ order }) => order), example };
    },
  };
};
