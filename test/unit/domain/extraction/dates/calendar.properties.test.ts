import fc from 'fast-check';
import { expect, it } from 'vitest';
import { startOfDay, utcDay } from '../../../../../core/time.ts';
import {
  addMonths,
  beginning,
  DAY,
  dayFrom,
  dayOf,
  isoLabel,
  localDay,
  localTime,
  mondayOf,
  monthOf,
  monthSpan,
  weekdayOf,
  yearOf,
} from '../../../../../domain/extraction/dates/calendar.ts';
import { parseInstant, utcOffsetOf } from '../../../../../schemas/http/queries/instant.ts';
import { expectProperty } from '../../../../support/properties.ts';

const EARLIEST = Date.parse('0000-01-01T00:00:00.000Z');
const LATEST = Date.parse('9999-12-31T23:59:59.999Z');
/** Instants of all years, those of ours, and those around the ends of years and leap days. */
const instant = fc.oneof(
  fc.integer({ min: EARLIEST, max: LATEST }),
  fc.integer({ min: Date.UTC(1999, 0), max: Date.UTC(2101, 0) }),
  fc
    .tuple(
      fc.integer({ min: 0, max: 9_998 }),
      fc.constantFrom('12-31', '02-28', '02-29', '01-01'),
      fc.integer({ min: -1, max: 1 }),
    )
    .map(([year, date, by]) => Date.parse(`${String(year).padStart(4, '0')}-${date}T23:59:59.999Z`) + by)
    .filter(at => at >= EARLIEST && at <= LATEST),
);
/** Minutes: those of time zones, halves and quarters of hours too, and any other. */
const utcOffset = fc.oneof(
  fc.constantFrom(-720, -570, -210, 0, 330, 345, 525, 840),
  fc.integer({ min: -1_439, max: 1_439 }),
);
const year = fc.integer({ min: 1, max: 9_998 });
const month = fc.integer({ min: 0, max: 11 });

const two = (value: number): string => String(value).padStart(2, '0');
const offsetText = (minutes: number): string =>
  `${minutes < 0 ? '-' : '+'}${two(Math.floor(Math.abs(minutes) / 60))}:${two(Math.abs(minutes) % 60)}`;

it('an instant is read as it was written, with any offset, and its offset with it', () =>
  expectProperty(instant, utcOffset, fc.constantFrom('T', 't', ' '), (at, offset, between) => {
    expect(parseInstant(new Date(at).toISOString())).toBe(at);
    const shown = at + offset * 60_000;
    if (shown < EARLIEST || shown > LATEST) return;
    const text = new Date(shown).toISOString().replace('T', between).replace('Z', offsetText(offset));
    expect(parseInstant(text)).toBe(at);
    expect(utcOffsetOf(text)).toBe(offset);
  }));

it('digits behind the millisecond change no instant', () =>
  expectProperty(instant, fc.stringMatching(/^\d{1,9}$/), (at, digits) => {
    expect(parseInstant(new Date(at).toISOString().replace('Z', `${digits}Z`))).toBe(at);
  }));

const date = fc.oneof(
  fc.tuple(fc.integer({ min: 0, max: 9_999 }), fc.nat({ max: 14 }), fc.nat({ max: 33 })),
  fc.tuple(
    fc.constantFrom(1896, 1900, 1999, 2000, 2100, 2400),
    fc.constantFrom(2, 4),
    fc.integer({ min: 28, max: 31 }),
  ),
);

it('a date is a day, and no other text of digits is one', () =>
  expectProperty(date, ([y, m, d]) => {
    const text = `${String(y).padStart(4, '0')}-${two(m)}-${two(d)}`;
    const at = parseInstant(`${text}T00:00:00Z`);
    // A date that rolls over is none.
    if (m >= 1 && m <= 12 && d >= 1) expect(dayFrom(y, m - 1, d)).toBe(at);
    if (at !== undefined) expect(utcDay(at)).toBe(text);
  }));

it('a day has its instants, a week its days from Monday on', () =>
  expectProperty(instant, at => {
    const day = dayOf(at);
    expect(day).toBe(startOfDay(at));
    expect([day <= at, at < day + DAY, dayOf(day), dayOf(day + DAY - 1)]).toEqual([true, true, day, day]);
    const monday = mondayOf(day);
    expect([weekdayOf(monday), mondayOf(monday), mondayOf(monday + 6 * DAY)]).toEqual([0, monday, monday]);
    expect([day >= monday, day < monday + 7 * DAY]).toEqual([true, true]);
    // 0 is Sunday to a Date.
    expect(weekdayOf(day)).toBe((new Date(day).getUTCDay() + 6) % 7);
    expect(dayFrom(yearOf(day), monthOf(day), new Date(day).getUTCDate())).toBe(day);
  }));

it('months there and back are the same month, one after the other', () =>
  expectProperty(
    instant,
    fc.integer({ min: -400, max: 400 }),
    fc.integer({ min: -400, max: 400 }),
    (at, n, m) => {
      const first = addMonths(dayOf(at), 0).day;
      expect(first).toBe(monthSpan(yearOf(dayOf(at)), monthOf(dayOf(at))).day);
      expect(addMonths(addMonths(first, n).day, m).day).toBe(addMonths(first, n + m).day);
      expect(addMonths(addMonths(first, n).day, -n).day).toBe(first);
      expect(addMonths(first, n).day < addMonths(first, n + 1).day).toBe(true);
    },
  ));

it('labels sort as their days do, and a week has one', () =>
  expectProperty(year, month, fc.nat({ max: 400 }), (y, m, days) => {
    const day = monthSpan(y, m).day;
    const later = day + days * DAY;
    for (const unit of ['day', 'month', 'year', 'week'] as const)
      expect(isoLabel({ day, unit }) <= isoLabel({ day: later, unit })).toBe(true);
    expect(isoLabel({ day: mondayOf(day), unit: 'week' })).toBe(isoLabel({ day, unit: 'week' }));
    expect(isoLabel({ day: mondayOf(day) + 7 * DAY, unit: 'week' })).not.toBe(
      isoLabel({ day, unit: 'week' }),
    );
    expect(isoLabel({ day, unit: 'day' })).toBe(utcDay(day));
  }));

it("days are the speaker's: its clock, moved back, is the instant", () =>
  expectProperty(instant, utcOffset, (at, offset) => {
    const shown = localTime(at, offset);
    expect(localTime(shown, -offset)).toBe(at);
    if (shown < EARLIEST || shown > LATEST) return;
    expect(localDay(at, offset)).toBe(utcDay(shown));
  }));

it('a named day begins at none after a moment at which it was today, and before none at which it was to come', () =>
  expectProperty(instant, fc.integer({ min: -3, max: 3 }), utcOffset, (at, by, offset) => {
    const today = dayOf(localTime(at, offset));
    const start = today + by * DAY;
    const begins = beginning(start, at, offset);
    if (by <= 0) expect(begins).toBeLessThanOrEqual(at);
    else expect(begins).toBeGreaterThan(at);
    expect(Math.abs(begins - start)).toBeLessThanOrEqual(Math.abs(offset) * 60_000);
  }));
