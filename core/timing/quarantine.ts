/**
 * When something has been expired for long enough to be destroyed. A clock may be wrong, and a destroyed key
 * is gone for good, so a second source has to agree: the time that the service has run. An instant is past
 * when the clock has said so, at every look, for as long as the quarantine lasts.
 */

/** The least that the clock has said within each slot of the running time. All in milliseconds. */
export interface ClockHistory {
  /** How long the service has run, over all its starts. */
  ran: number;
  /** Oldest first; `from`: the running time at which the slot begins; `least`: Unix milliseconds. */
  slots: readonly { from: number; least: number }[];
}

export const NO_HISTORY: ClockHistory = { ran: 0, slots: [] };

/** A quarantine ends at most this share of itself late. */
const SLOTS = 24;

/**
 * Adds a look at the clock.
 *
 * @param now what it says, Unix milliseconds
 * @param elapsed how long the service has run since the last look, by a timer that nobody can set
 */
export const withLook = (
  { ran: before, slots }: ClockHistory,
  { now, elapsed }: { now: number; elapsed: number },
  quarantineMs: number,
): ClockHistory => {
  const ran = before + elapsed;
  const slotMs = quarantineMs / SLOTS;
  const from = Math.floor(ran / slotMs) * slotMs;
  const last = slots.at(-1);
  const least = last?.from === from ? Math.min(last.least, now) : now;
  const earlier = slots.filter(slot => slot.from !== from && slot.from + slotMs > ran - quarantineMs);
  return { ran, slots: [...earlier, { from, least }] };
};

/**
 * Returns the instant up to which what has expired may be destroyed, in Unix milliseconds; undefined while
 * the service has not run for as long as the quarantine lasts.
 */
export const surelyPast = ({ ran, slots }: ClockHistory, quarantineMs: number): number | undefined => {
  // Slots of a shorter quarantine, which an operator has made longer, don't reach as far back.
  const covers = slots.length > 0 && slots[0]!.from <= ran - quarantineMs;
  return covers ? Math.min(...slots.map(({ least }) => least)) : undefined;
};
