/** Quotes stored text for a model, so that it can be told from our own lines. */

/**
 * Characters that only a model reads, or that disguise a text. Some are part of scripts and emoji when they
 * follow a visible character: joiners and direction marks, Mongolian variants, and the emoji variation
 * selector U+FE0F.
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

/** Returns a name, without quotation marks if it is unambiguous. */
export const bareName = (name: string): string =>
  /^[\p{L}\p{M}\p{N} ._'’-]{1,80}$/u.test(oneLine(name)) ? oneLine(name) : named(name);

/** Direction overrides and isolates, which reorder what a person sees, and lone surrogates. */
const REORDERING = /[\u202a-\u202e\u2066-\u2069\p{Cs}]/gu;

/**
 * Returns the text as it may stand between two `"`: on one line, with single spaces, quotation marks and
 * backslashes escaped. A space breaks up anything that could end a prompt's own frame: a closing tag, a
 * model's control token, a code fence.
 */
export const inQuotes = (text: string): string =>
  cleaned(text)
    .replace(REORDERING, '')
    .replace(/<(?=[/|])/g, '< ')
    .replace(/`{3,}/g, fence => [...fence].join(' '))
    .replace(/\s+/gu, ' ')
    .replace(/["\\]/g, '\\$&')
    .trim();

/** Up to three words: a longer role could be read as a sentence of ours. */
const SHORT_NAME = /^[\p{L}\p{M}\p{N}._'’-]{1,30}(?: [\p{L}\p{M}\p{N}._'’-]{1,30}){0,2}$/u;

/** Returns a speaker, subject or attribute for our own line; quoted unless it can only be a name. */
export const speakerName = (name: string): string => {
  const line = inQuotes(name);
  return SHORT_NAME.test(line) ? line : `"${[...line].slice(0, MOST_OF_NAME).join('').replace(/\\+$/, '')}"`;
};
