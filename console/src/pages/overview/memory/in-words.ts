/** Sums of the statistics, and what their charts say. */
import type { Stats } from '../../../api/types.ts';
import { date, number } from '../../../words/numbers.ts';
import type { Bar } from './bars.tsx';

export type Counted = 'turns' | 'facts' | 'recalls' | 'users';

export const barsOf = ({ days }: Stats, of: Counted): Bar[] =>
  days.map(day => ({ name: date(day.day), value: day[of] }));

/** Returns the sum of days; of users, who may come on several days, the most of one day. */
export const figureOf = ({ days }: Stats, of: Counted): number =>
  of === 'users'
    ? Math.max(0, ...days.map(({ users }) => users))
    : days.reduce((sum, day) => sum + day[of], 0);

const milliseconds = (value: number): string => (value < 1_000 ? `${value} ms` : `${value / 1_000} s`);

export const latencyBars = ({ latency_ms }: Stats): Bar[] =>
  latency_ms.map(({ up_to, recalls }, index) => ({
    name:
      up_to === null
        ? `more than ${milliseconds(latency_ms[index - 1]?.up_to ?? 0)}`
        : `up to ${milliseconds(up_to)}`,
    value: recalls,
  }));

export const confidenceBars = ({ confidence }: Stats): Bar[] =>
  confidence.map(({ from, to, recalls }) => ({
    name: `${from.toFixed(1)} to ${to.toFixed(1)}`,
    value: recalls,
  }));

/** Returns the name of the bin in which the middle recall is; undefined without any. */
export const middleOf = (bars: readonly Bar[]): string | undefined => {
  const total = bars.reduce((sum, { value }) => sum + value, 0);
  let before = 0;
  for (const { name, value } of bars) {
    before += value;
    if (total > 0 && before * 2 >= total) return name;
  }
  return undefined;
};

/** Returns a chart in words: its highest bar. */
export const highest = (what: string, bars: readonly Bar[]): string => {
  const [most] = bars.toSorted((a, b) => b.value - a.value);
  return most && most.value > 0 ? `${what}. Most: ${number(most.value)}, ${most.name}.` : `${what}: none.`;
};
