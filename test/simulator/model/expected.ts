/** Which items an answer must have, and which it must not have. */
import type { Item } from './item.ts';

/** A write of it is under way. */
const isOpen = ({ writes }: Item): boolean => writes.some(({ to }) => to === Number.POSITIVE_INFINITY);

/** A title or a name has none of its own: it goes with its session or its user. */
const isTimed = ({ kind }: Item): boolean => kind === 'turn' || kind === 'said';

/** Whether it has surely expired at `now`, by itself or by a retention. */
export const hasExpired = (item: Item, now: number): boolean => {
  const { expiresAt, recorded, retentions } = item;
  if (expiresAt !== undefined) return expiresAt <= now;
  return isTimed(item) && recorded.to <= retentions.gone(now).least;
};

/** Whether it may have expired at `now`. */
export const mayHaveExpired = (item: Item, now: number): boolean => {
  const { expiresAt, recorded, retentions } = item;
  if (expiresAt !== undefined) return expiresAt <= now;
  return isTimed(item) && recorded.from <= retentions.gone(now).most;
};

/** @param now Unix milliseconds, when the answer was made or later */
export const mustShow = (item: Item, now: number): boolean =>
  item.stored === 'yes' &&
  item.hidden === 'no' &&
  item.erased === 'no' &&
  item.replaced === 'no' &&
  !item.isExpiryUnsure &&
  !mayHaveExpired(item, now) &&
  !item.isDestroyed &&
  !isOpen(item);

/** @param now Unix milliseconds, when the answer was made or earlier */
export const mustHide = (item: Item, now: number): boolean =>
  !isOpen(item) &&
  (item.erased === 'yes' ||
    item.hidden === 'yes' ||
    (item.kind === 'title' && item.replaced === 'yes') ||
    (item.stored === 'yes' && !item.isExpiryUnsure && hasExpired(item, now)));

/** Whether a look may say what is not known of it. */
export const isUnsure = (item: Item, now: number): boolean =>
  !isOpen(item) &&
  !item.isExpiryUnsure &&
  !mayHaveExpired(item, now) &&
  !item.isDestroyed &&
  [item.stored, item.hidden, item.erased].includes('maybe');
