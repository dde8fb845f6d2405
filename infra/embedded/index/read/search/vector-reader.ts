import type { DatabaseSync } from 'node:sqlite';
import { SERVED_MODEL } from '../../file/projections-database.ts';
import type { ProjectionsReader } from '../projections-reader.ts';

/**
 * Sets the model by which the file is searched. A file holds the vectors of every model, but a serving one
 * keeps its first model, so that no answer changes before a replay.
 */
export const setServedModel = (
  database: Pick<DatabaseSync, 'prepare'>,
  model: string,
  { isServing }: { isServing: boolean },
): void => {
  database
    .prepare(`INSERT OR ${isServing ? 'IGNORE' : 'REPLACE'} INTO meta VALUES ('${SERVED_MODEL}', ?)`)
    .run(model);
};

/** Returns the model of the vectors by which the file is searched; undefined while it has none. */
export const openServedModel = (reader: Pick<ProjectionsReader, 'prepare'>): (() => string | undefined) => {
  const read = reader.prepare(`SELECT value FROM meta WHERE name = '${SERVED_MODEL}'`);
  return () => {
    const row = read.get();
    return row && String(row.value);
  };
};

/** Reads a model's vectors of turns, by the turns' ids in hexadecimal digits. */
export const openVectorReader = (reader: Pick<DatabaseSync, 'prepare'>) => {
  const read = reader.prepare(
    `SELECT lower(hex(turn)) AS id, vectors FROM vectors
     WHERE turn IN (SELECT unhex(value) FROM json_each(?)) AND model = ?`,
  );
  return (ids: readonly string[], model: string): { id: string; vectors: Uint8Array }[] =>
    ids.length === 0
      ? []
      : read
          .all(JSON.stringify(ids), model)
          .map(row => ({ id: String(row.id), vectors: row.vectors as Uint8Array }));
};
