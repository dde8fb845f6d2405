/** Texts by lines, numbered as the tool's contract has it. */

const NUMBER_WIDTH = 6;

const numbered = (lines: readonly string[], from: number, to: number): string =>
  lines
    .slice(from, to)
    .map((line, i) => `${String(from + i + 1).padStart(NUMBER_WIDTH)}\t${line}`)
    .join('\n');

/** Returns the lines of a range, from 1, both inclusive; -1 is the end. Default: all. */
export const linesIn = (text: string, range?: readonly number[]): string => {
  const lines = text.split('\n');
  const [first = 1, last = -1] = range ?? [];
  return numbered(lines, Math.max(1, first) - 1, last === -1 ? lines.length : last);
};

/** Returns the lines in which an occurrence begins, from 1; one twice, if it has two. */
export const linesWith = (text: string, part: string): number[] => {
  const found: number[] = [];
  for (let at = text.indexOf(part); part !== '' && at >= 0; at = text.indexOf(part, at + part.length))
    found.push(text.slice(0, at).split('\n').length);
  return found;
};

/** Returns a line with the two before it and the two after it. */
export const linesAround = (text: string, line: number): string => {
  const lines = text.split('\n');
  return numbered(lines, Math.max(0, line - 3), line + 2);
};
