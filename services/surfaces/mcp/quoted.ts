/** Quotes stored text for a model: it must be distinguishable from our own lines. */

/**
 * Characters that only a model reads, or that disguise a text. A few of them are part of scripts and emoji, each after a
 * visible character: joiners and direction marks, Mongolian variants, and the emoji variation selector U+FE0F.
 */
const HIDDEN =
  /(?<=[\p{DI}--\ufe0f])\p{DI}|[\p{DI}--[\u061c\u180b-\u180d\u180f\u200c-\u200f\ufe0f]]|(?<!\p{Emoji})\ufe0f/gv;

/** Removes hidden characters and control characters, except line breaks. */
export const cleaned = (text: string): string =>
  text
    .replace(HIDDEN, '')
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(/[^\P{Cc}\n]+/gu, ' ')
    .trim();

/** Cleans the text and begins every line after the first with `mark`. */
export const quoted = (text: string, mark: string): string => cleaned(text).replaceAll('\n', `\n${mark}`);

/** Cleans names and other single lines. */
export const oneLine = (text: string): string => cleaned(text).replaceAll('\n', ' ');

const MOST_OF_NAME = 80;

/** Quotes an id within our own line, so that it can't be read as part of that line. */
export const named = (id: string): string => {
  const characters = [...oneLine(id)];
  return JSON.stringify(
    characters.length > MOST_OF_NAME ? `${characters.slice(0, MOST_OF_NAME).join('')}…` : characters.join(''),
  );
};

/** A name, without quotation marks if it is unambiguous. */
export const bareName = (name: string): string =>
  /^[\p{L}\p{M}\p{N} ._'’-]{1,80}$/u.test(oneLine(name)) ? oneLine(name) : named(name);

/** `2026-04-02 09:30Z` from an RFC 3339 instant in UTC: precise enough for a model. */
export const minute = (instant: string): string => `${instant.slice(0, 10)} ${instant.slice(11, 16)}Z`;

export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;

/** `2026-04-02` or `2026-04-02 to 2026-05-01`: the first to the last day; empty without any. */
export const periodOf = (spans: { first_at: string | null; last_at: string | null }[]): string => {
  const days = spans
    .flatMap(({ first_at, last_at }) => [first_at, last_at])
    .filter(at => at !== null)
    .map(at => at.slice(0, 10))
    .sort();
  return [...new Set([days[0], days.at(-1)])].filter(Boolean).join(' to ');
};
