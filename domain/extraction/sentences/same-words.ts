/** Returns the words of a text in lower case: equal for texts that differ only in case and punctuation. */
export const normaliseWords = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

const lower = (code: number): number => (code >= 65 && code <= 90 ? code + 32 : code);
const isInWord = (code: number): boolean => (code >= 97 && code <= 122) || (code >= 48 && code <= 57);

/** Whether two texts have the same words, regardless of punctuation. */
export function sameWords(one: string, other: string): boolean {
  // Most pairs differ within a few words; normalising every fact would cost as much as its grammar.
  for (let i = 0, j = 0; i < one.length && j < other.length; ) {
    const a = lower(one.charCodeAt(i));
    const b = lower(other.charCodeAt(j));
    if (a > 127 || b > 127) break;
    if (!isInWord(a)) i++;
    else if (!isInWord(b)) j++;
    else if (a !== b) return false;
    else {
      i++;
      j++;
    }
  }
  return normaliseWords(one) === normaliseWords(other);
}
