/**
 * Returns the date and time that the speaker's clock showed, as `2026-04-02T09:30:00.000`, for an instant in
 * Unix milliseconds: in UTC where the offset isn't known.
 */
export const speakersClock = (instant: number, utcOffset = 0): string =>
  new Date(instant + utcOffset * 60_000).toISOString().slice(0, -1);

/** Returns the speaker's day, as `2026-04-02`. */
export const speakersDay = (instant: number, utcOffset?: number): string =>
  speakersClock(instant, utcOffset).slice(0, 10);
