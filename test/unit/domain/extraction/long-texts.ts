/** The parts of texts that are as long as a turn may be, and hard for patterns. */
// biome-ignore format: one table
export const LONG_PARTS: readonly (readonly [name: string, part: string])[] = [
  ['letters', 'a'], ['capitals', 'A'], ['capitalised words', 'Aa '], ['spaces', ' '], ['newlines', '\n'], ['exclamation marks', '!'], ['dots and quotes', '.")'], ['brackets', '['], ['bracket pairs', '[a]'], ['backticks', '`'], ['fences', '```'],
  ['at signs', '@'], ['at the end of a word', 'a@'], ['quotes', '"A '], ['dashes', ' - '], ['dates', 'last Friday '], ['numbers', '12-'], ['first persons', 'I and I '], ['sentences', 'I went to Bern yesterday. '], ['lines', '- I like tea\n'],
  ['surrogates', '\ud83d'], ['emoji', '🙂'], ['Han', '北'], ['combining marks', 'e\u0301'], ['apostrophes', "I'm'"], ['URLs', 'https://'], ['commas', 'I,'],
  ['reasons', 'I left Acme after years after years after years. '], ['words after an end', 'after years '], ['newlines after a colon', ':\n\n'], ['names that left', 'Ben left me '], ['profiles', 'my profile: '],
];

const LENGTH = 65_536;

/** Texts of one part, with each of the ends that patterns look for. */
export const longTexts = (part: string): string[] =>
  ['', 'x', '@b', '`', ']'].map(
    end => part.repeat(Math.ceil(LENGTH / part.length)).slice(0, LENGTH - end.length) + end,
  );
