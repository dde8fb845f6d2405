import { printable } from '../client/terminal.ts';

/** A value of several lines, or of a thousand characters, would break a table. */
const WIDEST = 60;

/** Returns stored text as a cell. */
export const shortened = (text: string): string => {
  const characters = [...printable(text)];
  return characters.length > WIDEST ? `${characters.slice(0, WIDEST - 1).join('')}…` : characters.join('');
};

/** Columns as wide as their widest cell; numbers right-aligned, text left-aligned. No trailing spaces. */
export const table = (heading: string[], rows: (string | number)[][]): string[] => {
  const cells = [
    heading,
    ...rows.map(row => row.map(cell => (typeof cell === 'number' ? cell.toLocaleString('en-US') : cell))),
  ];
  const widths = heading.map((_, column) => Math.max(...cells.map(row => row[column]!.length)));
  const isNumeric = heading.map(
    (_, column) => rows.length > 0 && rows.every(row => typeof row[column] === 'number'),
  );
  return cells.map(row =>
    row
      .map((cell, column) =>
        isNumeric[column] ? cell.padStart(widths[column]!) : cell.padEnd(widths[column]!),
      )
      .join('  ')
      .trimEnd(),
  );
};
