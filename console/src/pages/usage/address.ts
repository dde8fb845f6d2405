/** The choices of the usage page, in its address. */
import type { UsageSplit } from '../../api/types.ts';
import { pathOf } from '../../paths.ts';
import { monthOf } from '../../words/numbers.ts';
import { SORTS, type Sort } from './rows.ts';

export type By = UsageSplit['by'];
export const BY: Record<By, string> = { user: 'user', session: 'session', key: 'key' };

export interface Choices {
  by: By;
  /** YYYY-MM. */
  month: string;
  /** YYYY-MM-DD in the month; undefined: all of it. */
  day: string | undefined;
  sort: Sort;
}

const MONTH = /^(19[7-9]\d|[2-9]\d{3})-(0[1-9]|1[0-2])$/;

const isDayOf = (month: string, day: string): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(day) && day.startsWith(month) && !Number.isNaN(Date.parse(day));

/** Returns what an address chooses; what it can't mean is left out. */
export const choicesIn = (query: URLSearchParams, now: number): Choices => {
  const month = MONTH.exec(query.get('month') ?? '')?.[0] ?? monthOf(now);
  const day = query.get('day') ?? '';
  return {
    by: (['user', 'session', 'key'] as const).find(by => by === query.get('by')) ?? 'user',
    month,
    day: isDayOf(month, day) ? day : undefined,
    sort: SORTS.find(sort => sort === query.get('sort')) ?? 'total',
  };
};

export const usagePath = ({ by, month, day, sort }: Choices): string =>
  pathOf('/usage', { by, month, day, sort: sort === 'total' ? undefined : sort });

/** Returns the days of a month up to today, YYYY-MM-DD, the last one first. */
export const daysOf = (month: string, now: number): string[] => {
  const [year = 0, ordinal = 0] = month.split('-').map(Number);
  const days = new Date(Date.UTC(year, ordinal, 0)).getUTCDate();
  const today = new Date(now).toISOString().slice(0, 10);
  return Array.from({ length: days }, (_, i) => `${month}-${String(days - i).padStart(2, '0')}`).filter(
    day => day <= today,
  );
};
