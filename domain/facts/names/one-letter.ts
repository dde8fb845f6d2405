/** Finds names that differ in one letter: added, missing, replaced, or swapped with the next. */

/** Letters of two units: a word without them is cut quickly. */
const SURROGATE = /[\ud800-\udfff]/;

/**
 * Returns the word, and the word without each of its letters: two words that are one letter apart have one of
 * these in common.
 */
const without = (word: string): string[] => {
  if (!SURROGATE.test(word))
    return [word, ...Array.from(word, (_, at) => word.slice(0, at) + word.slice(at + 1))];
  const letters = [...word];
  return [
    word,
    ...letters.map((_, at) =>
      letters
        .slice(0, at)
        .concat(letters.slice(at + 1))
        .join(''),
    ),
  ];
};

/** Counts the letters that two words share at their beginning. */
const shared = (one: readonly string[], other: readonly string[]): number => {
  let at = 0;
  while (at < one.length && at < other.length && one[at] === other[at]) at++;
  return at;
};

const isOneLetterApart = (a: string, b: string): boolean => {
  const [one, other] = a.length <= b.length ? [[...a], [...b]] : [[...b], [...a]];
  const at = shared(one, other);
  if (other.length - one.length > 1 || a === b) return false;
  const rest = (letters: readonly string[], from: number) => letters.slice(from).join('');
  if (one.length < other.length) return rest(one, at) === rest(other, at + 1);
  const replaced = rest(one, at + 1) === rest(other, at + 1);
  const swapped =
    one[at] === other[at + 1] && one[at + 1] === other[at] && rest(one, at + 2) === rest(other, at + 2);
  return replaced || swapped;
};

export interface Neighbours {
  /** Returns the given words that are one letter apart from this one. */
  of(word: string): string[];
}

/** Takes time in proportion to the words' letters, regardless of the number of words. */
export const neighboursAmong = (words: Iterable<string>): Neighbours => {
  const byPart = new Map<string, string[]>();
  for (const word of words)
    for (const part of new Set(without(word))) {
      const same = byPart.get(part);
      if (same) same.push(word);
      else byPart.set(part, [word]);
    }
  return {
    of: word => {
      const near = new Set(without(word).flatMap(part => byPart.get(part) ?? []));
      return [...near].filter(other => isOneLetterApart(word, other));
    },
  };
};
