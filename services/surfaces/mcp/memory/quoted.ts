/** Quotes stored text in a tool's answer, and prints moments and numbers. */
import { cleaned } from '../../../../domain/context/quote.ts';

/** Cleans the text and begins every line after the first with `mark`. */
export const quoted = (text: string, mark: string): string => cleaned(text).replaceAll('\n', `\n${mark}`);

/** Returns `2026-04-02 09:30Z` for an RFC 3339 instant in UTC: precise enough for a model. */
export const minute = (instant: string): string => `${instant.slice(0, 10)} ${instant.slice(11, 16)}Z`;

export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;

/**
 * Writes `from trn_1, trn_2 and 3 more` for the turns that state a fact, naming the first `most`; there may
 * be none.
 */
export const turnsText = (ids: readonly string[], most = Number.POSITIVE_INFINITY): string => {
  if (ids.length === 0) return 'said without a turn';
  const more = ids.length - most;
  return `from ${ids.slice(0, most).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
};

/** Returns `2026-04-02` or `2026-04-02 to 2026-05-01`, the first to the last day; empty without any. */
export const periodOf = (spans: { first_at: string | null; last_at: string | null }[]): string => {
  const days = spans
    .flatMap(({ first_at, last_at }) => [first_at, last_at])
    .filter(at => at !== null)
    .map(at => at.slice(0, 10))
    .sort();
  return [...new Set([days[0], days.at(-1)])].filter(Boolean).join(' to ');
};
