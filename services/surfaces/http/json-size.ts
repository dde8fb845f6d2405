const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** A string whose end is at least as far is jumped over; in a shorter one, looking for its end costs more than reading it. */
const FAR = 64;

/**
 * Counts the values of a JSON text, at least as many as it has, by its brackets and commas outside of strings: a byte costs
 * a nanosecond or two, and in long strings next to nothing, whereas parsing a mebibyte of brackets takes a third of a
 * second. Stops beyond `most`. `isClosed`: false if a string or a bracket has no end, so that it is no JSON.
 */
export const jsonSize = (
  text: Uint8Array,
  most = Number.POSITIVE_INFINITY,
): { values: number; isClosed: boolean } => {
  let depth = 0;
  let values = 1;
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const byte = text[at];
    if (inString) {
      if (byte === BACKSLASH) at++;
      else if (byte === QUOTE) inString = false;
    } else if (byte === QUOTE) {
      inString = true;
      at = farEnd(text, at + 1) - 1;
    } else if (byte === COMMA) values++;
    else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) {
      values++;
      depth++;
    } else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) depth--;
    if (values > most) return { values, isClosed: true };
  }
  return { values, isClosed: depth === 0 && !inString };
};

/** Where to read on in a string that begins at `from`: at its end if that is far and nothing before it is escaped. */
const farEnd = (text: Uint8Array, from: number): number => {
  const end = text.indexOf(QUOTE, from);
  if (end < from + FAR) return from;
  return text.subarray(from, end).includes(BACKSLASH) ? from : end;
};
