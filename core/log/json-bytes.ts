/** Characters that JSON escapes, apart from lone surrogates. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON escapes these.
const ESCAPED = /["\\\u0000-\u001f]/;

const bytesOfText = (text: string): number =>
  ESCAPED.test(text) ? Buffer.byteLength(JSON.stringify(text)) : Buffer.byteLength(text) + 2;

/**
 * Returns the size of a value's JSON in UTF-8. Text-heavy values are measured without serialising, in a fifth
 * of the time.
 */
export const jsonBytes = (value: unknown): number => {
  if (typeof value === 'string') return bytesOfText(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value).length;
  if (Array.isArray(value)) return value.reduce((sum, item) => sum + jsonBytes(item) + 1, 2);
  return Object.entries(value).reduce(
    (sum, [name, member]) => (member === undefined ? sum : sum + bytesOfText(name) + jsonBytes(member) + 2),
    2,
  );
};

/** JSON needs at most six bytes for a UTF-16 unit: `\\u0000`. */
const MOST_OF_UNIT = 6;
/** Most bytes of a value that is neither a text nor an object: a number of 24 digits and signs. */
const MOST_OF_OTHER = 32;

/** Returns an upper bound of `jsonBytes` without reading the texts. */
export const mostJsonBytes = (value: unknown): number => {
  if (typeof value === 'string') return MOST_OF_UNIT * value.length + 2;
  if (typeof value !== 'object' || value === null) return MOST_OF_OTHER;
  let bytes = 2;
  if (Array.isArray(value)) for (const item of value) bytes += mostJsonBytes(item) + 1;
  else
    for (const name in value)
      bytes += MOST_OF_UNIT * name.length + 4 + mostJsonBytes((value as Record<string, unknown>)[name]);
  return bytes;
};
