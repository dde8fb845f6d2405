/** What JSON escapes, beside surrogates without their other half. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON escapes these.
const ESCAPED = /["\\\u0000-\u001f]/;

const bytesOfText = (text: string): number =>
  ESCAPED.test(text) ? Buffer.byteLength(JSON.stringify(text)) : Buffer.byteLength(text) + 2;

/** The bytes of a value's JSON in UTF-8, without making it where it is mostly text: that takes a fifth of the time. */
export const jsonBytes = (value: unknown): number => {
  if (typeof value === 'string') return bytesOfText(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value).length;
  if (Array.isArray(value)) return value.reduce((sum, item) => sum + jsonBytes(item) + 1, 2);
  return Object.entries(value).reduce(
    (sum, [name, member]) => (member === undefined ? sum : sum + bytesOfText(name) + jsonBytes(member) + 2),
    2,
  );
};
