/** English words for numbers. */

/** From zero, by their value. */
const TO_TWENTY =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty'.split(
    ' ',
  );
const TENS = 'thirty forty fifty sixty seventy eighty ninety'.split(' ');

const VALUE_OF: ReadonlyMap<string, number> = new Map([
  ...TO_TWENTY.map((word, value) => [word, value] as const),
  ...TENS.map((word, i) => [word, 30 + 10 * i] as const),
]);

/** From one on: nobody counts zero of anything. */
export const NUMBER_WORDS: readonly string[] = [...VALUE_OF.keys()].slice(1);

/** Returns the number that a word in lower case says; undefined for any other word. */
export const numberIn = (lower: string): number | undefined => VALUE_OF.get(lower);
