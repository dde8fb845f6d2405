/** Formats numbers and instants in English and UTC, like the service's days. */
const whole = new Intl.NumberFormat('en');
const short = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

export const number = (value: number): string => whole.format(value);
export const compact = (value: number): string => short.format(value);
export const counted = (value: number, one: string, many = `${one}s`): string =>
  `${number(value)} ${value === 1 ? one : many}`;

const parts = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', ...options });

const dates = parts({ day: 'numeric', month: 'long', year: 'numeric' });
const weekdays = parts({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });
const times = parts({ hour: '2-digit', minute: '2-digit' });
const months = parts({ month: 'long', year: 'numeric' });

type Instant = string | number;
export const date = (instant: Instant): string => dates.format(new Date(instant));
export const weekday = (instant: Instant): string => weekdays.format(new Date(instant));
export const time = (instant: Instant): string => times.format(new Date(instant));
export const dateTime = (instant: Instant): string => `${date(instant)}, ${time(instant)}`;
/** `month`: YYYY-MM. */
export const monthName = (month: string): string => months.format(new Date(`${month}-01T00:00:00Z`));

/** Returns a date, or `otherwise` for a session whose turns were never stored: it has none. */
export const dateOr = (instant: string | null, otherwise: string): string =>
  instant === null ? otherwise : date(instant);

/** Returns the time until an instant: `5 h 20 min`, `3 min`. */
export const until = (instant: Instant, now: number): string => {
  const minutes = Math.max(Math.ceil((new Date(instant).getTime() - now) / 60_000), 0);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
};

/** Formats a share as `0.01 %` or `12 %`; larger shares are rounded down, because 99.6 % is not all. */
export const percent = (share: number): string => {
  const value = share * 100;
  if (value === 0) return '0 %';
  if (value >= 10) return `${number(Math.floor(value + 1e-9))} %`;
  return value < 0.01 ? 'less than 0.01 %' : `${Number(value.toPrecision(2))} %`;
};

/** Formats a probability with three digits; a small one is not shown as zero. */
export const chance = (value: number): string => (value > 0 && value < 0.001 ? '< 0.001' : value.toFixed(3));

/** Returns YYYY-MM of an instant. */
export const monthOf = (now: number): string => new Date(now).toISOString().slice(0, 7);
/** Returns the month `months` later; earlier if negative. */
export const monthBeside = (month: string, months: number): string => {
  const [year = 0, ordinal = 0] = month.split('-').map(Number);
  return monthOf(Date.UTC(year, ordinal - 1 + months, 1));
};
