import type { SQLInputValue } from 'node:sqlite';

export interface Insert<Column extends string> {
  /** What follows `INSERT INTO`: the table, its columns and a placeholder for each. */
  into: string;
  /** The values of a row in the order of the placeholders. */
  values(row: Readonly<Record<Column, SQLInputValue>>): SQLInputValue[];
}

/**
 * An INSERT whose columns and values come from one list, so that they can't diverge. Placeholders are positional:
 * node:sqlite binds 17 named parameters in 13.5 µs per row, 17 positional ones in 7 µs. Write a row's members out:
 * spreading other objects into it costs up to 3 µs.
 */
export const insertInto = <Column extends string>(
  table: string,
  columns: readonly Column[],
): Insert<Column> => ({
  into: `${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
  values: row => columns.map(column => row[column]),
});
