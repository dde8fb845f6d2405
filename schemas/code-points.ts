/** The number of a text's characters, as the contract counts them. */
export const codePoints = (text: string): number => {
  let count = text.length;
  for (let at = 1; at < text.length; at++)
    if (isLow(text.charCodeAt(at)) && isHigh(text.charCodeAt(at - 1))) count--;
  return count;
};
const isHigh = (unit: number): boolean => (unit & 0xfc00) === 0xd800;
const isLow = (unit: number): boolean => (unit & 0xfc00) === 0xdc00;
