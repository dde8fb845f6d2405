/**
 * Ranks UTF-16 code units in code point order, which is also UTF-8's byte order: surrogates rank above all
 * other units.
 */
const rankOf = (unit: number): number =>
  unit >= 0xe000 ? unit - 0x800 : unit >= 0xd800 ? unit + 0x2000 : unit;

/** Compares texts in the engines' order, by UTF-8 bytes, without encoding them, since there may be many. */
export const compareText = (a: string, b: string): number => {
  if (a === b) return 0;
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at++) {
    const difference = rankOf(a.charCodeAt(at)) - rankOf(b.charCodeAt(at));
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
};
