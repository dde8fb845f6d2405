import { describe, expect, it } from 'vitest';
import { type ClockHistory, NO_HISTORY, surelyPast, withLook } from '../../../../core/timing/quarantine.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const MINUTE = 60_000;
const START = Date.UTC(2026, 2, 1);

/** The clock is looked at each minute of these hours of running, `ahead` of the true time. */
const run = (
  before: ClockHistory,
  { from, hours, ahead = 0 }: { from: number; hours: number; ahead?: number },
) => {
  let history = before;
  for (let ms = MINUTE; ms <= hours * HOUR; ms += MINUTE)
    history = withLook(history, { now: from + ms + ahead, elapsed: MINUTE }, DAY);
  return history;
};

describe('what is surely past', () => {
  it('is nothing until the service has run for the quarantine, and then what was past a quarantine ago', () => {
    expect(surelyPast(NO_HISTORY, DAY)).toBeUndefined();
    expect(surelyPast(run(NO_HISTORY, { from: START, hours: 23 }), DAY)).toBeUndefined();
    const past = surelyPast(run(NO_HISTORY, { from: START, hours: 60 }), DAY)!;
    expect(past).toBeLessThanOrEqual(START + 36 * HOUR);
    expect(past).toBeGreaterThanOrEqual(START + 34 * HOUR);
  });

  it('is not moved by a clock that runs ahead for less than the quarantine', () => {
    const before = run(NO_HISTORY, { from: START, hours: 48 });
    const wrong = run(before, { from: START + 2 * DAY, hours: 22, ahead: 31 * DAY });
    expect(surelyPast(wrong, DAY)!).toBeLessThanOrEqual(START + 2 * DAY);
    const mended = run(wrong, { from: START + 2 * DAY + 22 * HOUR, hours: 200 });
    for (const history of [wrong, mended]) expect(surelyPast(history, DAY)!).toBeLessThan(START + 12 * DAY);
  });

  it('waits for a clock that was behind', () => {
    const before = run(NO_HISTORY, { from: START, hours: 48 });
    const behind = withLook(before, { now: 0, elapsed: MINUTE }, DAY);
    expect(surelyPast(behind, DAY)).toBe(0);
    expect(surelyPast(run(behind, { from: START + 3 * DAY, hours: 26 }), DAY)!).toBeGreaterThan(
      START + 2 * DAY,
    );
  });

  it('counts the time that the service runs, not the time between', () => {
    const before = run(NO_HISTORY, { from: START, hours: 30 });
    const later = withLook(before, { now: START + 90 * DAY, elapsed: 0 }, DAY);
    expect(surelyPast(later, DAY)!).toBeLessThan(START + 2 * DAY);
    expect(surelyPast(run(later, { from: START + 90 * DAY, hours: 26 }), DAY)!).toBeGreaterThan(
      START + 89 * DAY,
    );
  });

  it('begins anew where the quarantine is of another length', () => {
    for (const [before, after] of [
      [3 * DAY, HOUR],
      [HOUR, 3 * DAY],
    ] as const) {
      let history = NO_HISTORY;
      for (let ms = 0; ms < 100 * HOUR; ms += MINUTE)
        history = withLook(history, { now: START + ms, elapsed: MINUTE }, before);
      const wrong = withLook(history, { now: START + 31 * DAY, elapsed: MINUTE }, after);
      expect(surelyPast(wrong, after) ?? 0).toBeLessThan(START + 5 * DAY);
    }
  });

  it('keeps no more of the past than it needs', () => {
    expect(run(NO_HISTORY, { from: START, hours: 500 }).slots.length).toBeLessThanOrEqual(26);
  });
});
