/**
 * Facts of one attribute of one subject, or of one attribute, that are read to decide what holds: those that began last. Whoever
 * says more of them gets no history that is older.
 */
export const MOST_FACTS = 500;
/** Corrections of a user's names that count: the last ones. */
export const MOST_CORRECTIONS = 1_000;
/** Attributes of subjects that one recall decides. */
export const MOST_KEYS = 64;
