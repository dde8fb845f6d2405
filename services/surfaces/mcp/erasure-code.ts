import { createHmac, randomBytes } from 'node:crypto';
import { digestOf, isSameKey } from './guard.ts';

/** What a person was shown: the same user and session with other turns is another thing to agree to. */
export interface Shown {
  user: string;
  /** Undefined: all of the user's. */
  session?: string;
  /** Which turns; undefined where the key may not read them. */
  content?: string;
}

const VALID_SECONDS = 600;

/** Of this process alone: the one that showed what would be erased is the one that erases it. */
const SECRET = randomBytes(32);

const signed = ({ user, session, content }: Shown, end: string): string => {
  const text = JSON.stringify([user, session ?? null, content ?? null, end]);
  return `${end}-${createHmac('sha256', SECRET).update(text).digest('hex').slice(0, 16)}`;
};

/** For ten minutes from `now`, in Unix milliseconds. */
export const erasureCode = (shown: Shown, now: number): string =>
  signed(shown, (Math.floor(now / 1_000) + VALID_SECONDS).toString(36));

const endOf = (code: string): string => code.split('-', 1)[0]!;

/** Whether the ten minutes of one of our codes have passed. */
export const isOver = (code: string, now: number): boolean => now >= Number.parseInt(endOf(code), 36) * 1_000;

/** Whether `code` was made for just this, less than ten minutes ago. */
export const isErasureCode = (code: string, shown: Shown, now: number): boolean =>
  isSameKey(digestOf(code), digestOf(signed(shown, endOf(code)))) && !isOver(code, now);
