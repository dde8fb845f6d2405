/** The events of a webhook: turns, facts, erasures, and caps of a day that are nearly or all used. */
export const WEBHOOK_EVENTS = ['turn', 'fact', 'erased', 'quota'] as const;
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

/**
 * Why a webhook is paused. `failing`: every attempt of 24 hours failed; `gone`: its receiver answered 410;
 * `key`: the key that it acts for is revoked or has expired; `position`: the log ends before its position,
 * after a restore from an older copy.
 */
export const PAUSE_REASONS = ['failing', 'gone', 'key', 'position'] as const;
export type PauseReason = (typeof PAUSE_REASONS)[number];

/** The longest address of a receiver. */
export const MOST_URL = 2_048;
