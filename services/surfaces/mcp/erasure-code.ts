import { createHmac, randomBytes } from 'node:crypto';
import { digestOf, isSameKey } from './transport/guard.ts';

/** The target shown to a person. Other turns of the same user and session need a new confirmation. */
export interface Shown {
  /** Id of a turn or an observation to hide. Undefined: the other members name the words to erase. */
  id?: string;
  user?: string;
  /** Undefined: all sessions of the user. */
  session?: string;
  /** Identifies the turns; undefined if the key may not read them. */
  content?: string;
}

const VALID_SECONDS = 600;

/** Generated per process: only the process that showed what would be erased can erase it. */
const SECRET = randomBytes(32);

const signed = ({ id, user, session, content }: Shown, end: string): string => {
  const text = JSON.stringify([id ?? null, user ?? null, session ?? null, content ?? null, end]);
  return `${end}-${createHmac('sha256', SECRET).update(text).digest('hex').slice(0, 16)}`;
};

/** Makes a code that is valid for ten minutes from `now`, in Unix milliseconds. */
export const erasureCode = (shown: Shown, now: number): string =>
  signed(shown, (Math.floor(now / 1_000) + VALID_SECONDS).toString(36));

const endOf = (code: string): string => code.split('-', 1)[0]!;

/** Whether a code of this process has expired. */
export const isOver = (code: string, now: number): boolean => now >= Number.parseInt(endOf(code), 36) * 1_000;

/** Whether `code` was made for exactly these values less than ten minutes ago. */
export const isErasureCode = (code: string, shown: Shown, now: number): boolean =>
  isSameKey(digestOf(code), digestOf(signed(shown, endOf(code)))) && !isOver(code, now);
