/** Which items an answer must have, and which it must not have. */
import type { Item } from './model.ts';

/** A write of it is under way. */
const isOpen = ({ writes }: Item): boolean => writes.some(({ to }) => to === Number.POSITIVE_INFINITY);

const hasExpired = ({ expiresAt }: Item, now: number): boolean => expiresAt !== undefined && expiresAt <= now;

/** @param now Unix milliseconds, when the answer was made or later */
export const mustShow = (item: Item, now: number): boolean =>
  item.stored === 'yes' &&
  item.hidden === 'no' &&
  item.erased === 'no' &&
  !item.isExpiryUnsure &&
  !hasExpired(item, now) &&
  !item.isDestroyed &&
  !isOpen(item);

/** @param now Unix milliseconds, when the answer was made or earlier */
export const mustHide = (item: Item, now: number): boolean =>
  !isOpen(item) &&
  (item.erased === 'yes' ||
    item.hidden === 'yes' ||
    (item.stored === 'yes' && !item.isExpiryUnsure && hasExpired(item, now)));

/** Whether a look may say what is not known of it. */
export const isUnsure = (item: Item, now: number): boolean =>
  !isOpen(item) &&
  !item.isExpiryUnsure &&
  !hasExpired(item, now) &&
  !item.isDestroyed &&
  [item.stored, item.hidden, item.erased].includes('maybe');
