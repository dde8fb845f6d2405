import { closeSync, constants, openSync, readFileSync, writeSync } from 'node:fs';
import { type ClockHistory, NO_HISTORY, surelyPast, withLook } from '../../core/timing/quarantine.ts';

/** How often the clock is looked at, and how often the file is written. */
const LOOK_MS = 1_000;
const WRITE_MS = 60_000;
/** A clock that is set back, or that runs ahead with a short quarantine, differs by more than this. */
const JUMP_MS = 5 * 60_000;
/** Enough for all slots; padded, so that a write replaces the former content. */
const SIZE = 2_048;
const HOUR_MS = 3_600_000;

export interface SureClock {
  /** For threads: see `sureInstant`. */
  shared: SharedArrayBuffer;
  /** The same instant for this thread. */
  upTo(): number | undefined;
  /** Rejects while the clock and the running time disagree, with what follows from it. */
  probe(): Promise<string>;
  close(): Promise<void>;
}

export interface SureClockOptions {
  /** The file that keeps the running time over starts; it isn't synced: a lost minute is run again. */
  path: string;
  /** Unix milliseconds. */
  clock: () => number;
  /** Milliseconds that only pass while the process runs; default: `performance.now`. */
  timer?: () => number;
  /** How long the quarantine lasts. */
  hours: number;
}

const historyIn = (path: string): ClockHistory => {
  try {
    const { ran, slots } = JSON.parse(readFileSync(path, 'utf8')) as ClockHistory;
    const isWhole = Number.isFinite(ran) && slots.every(one => Number.isFinite(one.from + one.least));
    return isWhole ? { ran, slots } : NO_HISTORY;
  } catch {
    // There is none yet, or the machine's end has torn it: the quarantine begins anew.
    return NO_HISTORY;
  }
};

/** Opens the clock by which a data folder destroys what has expired (core/timing/quarantine.ts). */
export const openSureClock = ({
  path,
  clock,
  timer = () => performance.now(),
  hours,
}: SureClockOptions): SureClock & { look(): void } => {
  const quarantineMs = hours * HOUR_MS;
  const file = openSync(path, constants.O_RDWR | constants.O_CREAT, 0o600);
  const shared = new SharedArrayBuffer(Float64Array.BYTES_PER_ELEMENT);
  const told = new Float64Array(shared);
  let history = historyIn(path);
  let lookedAt = timer();
  let writtenAt = Number.NEGATIVE_INFINITY;
  /** How far the clock has run ahead of the timer since the start. */
  const offset = (): number => clock() - timer();
  let usual = offset();
  let jump: { by: number; ranUntil: number } | undefined;

  const watchJumps = (): void => {
    const by = offset() - usual;
    // Ahead by less than the quarantine, as after a night's sleep, nothing is destroyed too early.
    if (by >= -JUMP_MS && by <= Math.max(JUMP_MS, quarantineMs)) jump = undefined;
    else if (jump === undefined || Math.abs(by - jump.by) > JUMP_MS)
      jump = { by, ranUntil: history.ran + quarantineMs };
    else if (history.ran >= jump.ranUntil) {
      // Both agree by now: it was the clock before that was wrong, or the machine slept.
      usual = offset();
      jump = undefined;
    }
  };

  const look = (): void => {
    const at = timer();
    const now = clock();
    if (quarantineMs > 0) history = withLook(history, { now, elapsed: at - lookedAt }, quarantineMs);
    lookedAt = at;
    told[0] = quarantineMs === 0 ? now : (surelyPast(history, quarantineMs) ?? Number.NaN);
    watchJumps();
    if (at - writtenAt < WRITE_MS) return;
    writtenAt = at;
    try {
      writeSync(file, JSON.stringify(history).padEnd(SIZE), 0);
    } catch {
      // A full disk: what it says already is earlier, and so destroys less.
    }
  };
  look();
  const looking = setInterval(look, LOOK_MS).unref();
  return {
    shared,
    upTo: sureInstant(shared),
    look,
    probe: async () => {
      if (jump === undefined) return 'runs evenly';
      const { by, ranUntil } = jump;
      const jumped = `the clock jumped ${by > 0 ? 'ahead' : 'back'} by ${inHours(Math.abs(by))}`;
      const left = inHours(Math.max(0, ranUntil - history.ran));
      throw new Error(`${jumped}: what expires by it is hidden, and not destroyed for ${left}`);
    },
    close: async () => {
      clearInterval(looking);
      writtenAt = Number.NEGATIVE_INFINITY;
      look();
      closeSync(file);
    },
  };
};

const inHours = (ms: number): string => `${(ms / HOUR_MS).toFixed(1)} h`;

/** Returns the instant up to which what has expired may be destroyed, as another thread's clock tells it. */
export const sureInstant = (shared: SharedArrayBuffer): (() => number | undefined) => {
  const told = new Float64Array(shared);
  return () => (Number.isNaN(told[0]) ? undefined : told[0]);
};
