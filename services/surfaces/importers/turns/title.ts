const LONGEST = 60;

/** A title from the first words of a conversation. */
export const titleFrom = (text: string): string => {
  const [line = ''] = text.trim().split('\n', 1);
  const characters = [...line];
  return characters.length > LONGEST ? `${characters.slice(0, LONGEST - 1).join('')}…` : line;
};
