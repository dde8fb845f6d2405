/** Days per month in a common year. */
const MONTH_DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const DAY_MS = 86_400_000;

const RFC_3339 = /^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:[Zz]|([+-])(\d\d):(\d\d))?$/;

/** The range of RFC 3339: 0000-01-01T00:00:00.000Z to 9999-12-31T23:59:59.999Z. */
const EARLIEST = -62_167_219_200_000;
const LATEST = 253_402_300_799_999;

const isLeap = (year: number): boolean => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);

const daysOf = (year: number, month: number): number =>
  month === 2 && isLeap(year) ? 29 : (MONTH_DAYS[month - 1] ?? 0);

/**
 * Days from 1970-01-01 in the proleptic Gregorian calendar.
 * Source: Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", days_from_civil.
 */
const daysFromEpoch = (year: number, month: number, day: number): number => {
  const y = month <= 2 ? year - 1 : year;
  const era = Math.floor(y / 400);
  const yearOfEra = y - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146_097 + dayOfEra - 719_468;
};

/**
 * The offset from UTC that an RFC 3339 timestamp is written with, in minutes, positive to the east. Undefined
 * where it names none: nothing, `Z`, as programs write any instant, or `-00:00`, by which RFC 3339 says that
 * the local time is unknown.
 */
export const utcOffsetOf = (text: string): number | undefined => {
  const [, , , , , , , , sign, hours, minutes] = RFC_3339.exec(text) ?? [];
  if (sign === undefined) return undefined;
  const offset = Number(hours) * 60 + Number(minutes);
  return sign === '+' ? offset : offset === 0 ? undefined : -offset;
};

/**
 * Unix milliseconds of an RFC 3339 timestamp; undefined when the text is not one. Accepts `T`, `t` or a space
 * between date and time, and `Z`, `z`, an offset or nothing (UTC) at the end. Digits past the millisecond are
 * truncated, not rounded, so that no instant moves into the next second. Rejects a date alone, a day that
 * does not exist, hour 24, second 60, and instants outside the years 0000 to 9999 in UTC.
 */
export const parseInstant = (text: string): number | undefined => {
  const match = RFC_3339.exec(text);
  if (!match) return undefined;
  const year = Number(match[1]);
  const month = Number(match[2]);
  const day = Number(match[3]);
  const hour = Number(match[4]);
  const minute = Number(match[5]);
  const second = Number(match[6]);
  if (day < 1 || day > daysOf(year, month) || hour > 23 || minute > 59 || second > 59) return undefined;
  let offset = 0;
  if (match[8] !== undefined) {
    const hours = Number(match[9]);
    const minutes = Number(match[10]);
    if (hours > 23 || minutes > 59) return undefined;
    offset = (match[8] === '-' ? -1 : 1) * (hours * 60 + minutes) * 60_000;
  }
  const fraction = match[7] === undefined ? 0 : Number(match[7].slice(0, 3).padEnd(3, '0'));
  const instant =
    daysFromEpoch(year, month, day) * DAY_MS +
    hour * 3_600_000 +
    minute * 60_000 +
    second * 1_000 +
    fraction -
    offset;
  return instant >= EARLIEST && instant <= LATEST ? instant : undefined;
};
