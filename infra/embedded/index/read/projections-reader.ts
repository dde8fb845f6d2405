import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite';
import { withOutages } from '../../sqlite-errors.ts';
import { openAnswersReader } from './search/answers-reader.ts';

type Row = Record<string, SQLOutputValue>;

export interface ReadStatement {
  get(...values: SQLInputValue[]): Row | undefined;
  all(...values: SQLInputValue[]): Row[];
}

/**
 * Reads the projections' file; throws `unavailable` for a disk error. A `DatabaseSync` has the same methods
 * without that translation, as long as its file serves.
 */
export interface ProjectionsReader {
  prepare(sql: string): ReadStatement;
  exec(sql: string): void;
}

/** Runs the synchronous `read` in one transaction, which always ends. */
export const inSnapshot = <T>(reader: Pick<ProjectionsReader, 'exec'>, read: () => T): T => {
  reader.exec('BEGIN');
  let found: T;
  try {
    found = read();
  } catch (error) {
    // The disk error that ended `read` may have ended the transaction too.
    try {
      reader.exec('ROLLBACK');
    } catch {}
    throw error;
  }
  reader.exec('COMMIT');
  return found;
};

/** A reader that can switch from one generation's file to another's between two statements. */
export interface SwitchedReader extends ProjectionsReader {
  /** Opens the file and prepares every statement on it, so that `commit` is one step that can't fail. */
  prepareSwitch(path: string): { commit(): void; abandon(): void };
  close(): void;
}

/**
 * Opens statements that are prepared once and run on the file that serves. For a consistent view, run several
 * without awaiting in between: row numbers differ between files.
 */
export const openSwitchedReader = (
  path: string,
  clock: () => number,
  onDamage?: (path: string) => void,
): SwitchedReader => {
  let serving = path;
  let database = openAnswersReader(path, clock);
  const guarded = <T>(work: () => T): T => withOutages(work, () => onDamage?.(serving));
  const prepared: { sql: string; statement: StatementSync }[] = [];
  return {
    prepare: sql => {
      const own = { sql, statement: database.prepare(sql) };
      prepared.push(own);
      return {
        get: (...values) => guarded(() => own.statement.get(...values)),
        all: (...values) => guarded(() => own.statement.all(...values)),
      };
    },
    exec: sql => guarded(() => database.exec(sql)),
    prepareSwitch: path => {
      const next: DatabaseSync = openAnswersReader(path, clock);
      let statements: StatementSync[];
      try {
        statements = prepared.map(({ sql }) => next.prepare(sql));
      } catch (error) {
        next.close();
        throw error;
      }
      return {
        commit: () => {
          const before = database;
          database = next;
          serving = path;
          prepared.forEach((own, i) => {
            own.statement = statements[i] ?? next.prepare(own.sql);
          });
          before.close();
        },
        abandon: () => next.close(),
      };
    },
    close: () => database.close(),
  };
};
