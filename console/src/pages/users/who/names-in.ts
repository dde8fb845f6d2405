/** Returns the names of a text, one a line. */
export const namesIn = (text: string): string[] => [
  ...new Set(
    text
      .split('\n')
      .map(name => name.trim())
      .filter(name => name !== ''),
  ),
];
