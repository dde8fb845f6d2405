export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

/** The UTC day of an instant in Unix milliseconds: YYYY-MM-DD. */
export const utcDay = (now: number): string => new Date(now).toISOString().slice(0, 10);

/** Unix milliseconds at which the instant's UTC day began. */
export const startOfDay = (now: number): number => Math.floor(now / DAY_MS) * DAY_MS;
