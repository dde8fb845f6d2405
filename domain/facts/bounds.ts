/**
 * Maximum facts read to decide which are current, of one attribute of one subject or of one attribute: those
 * that stand last. Older history is left out.
 */
export const MOST_FACTS = 500;
/** Maximum corrections of a user's names that count: the last ones. */
export const MOST_CORRECTIONS = 1_000;
/** Maximum names that they say in all; of more, older corrections don't count. */
export const MOST_CORRECTED_NAMES = 10_000;
/** Maximum keys (attributes of subjects) decided in one recall. */
export const MOST_KEYS = 128;
