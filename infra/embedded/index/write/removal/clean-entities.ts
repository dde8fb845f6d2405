import type { DatabaseSync } from 'node:sqlite';

export interface EntityCleaner {
  /**
   * Call it after mentions were deleted: removes those of these entities without a mention, and respells the
   * others.
   */
  clean(entities: readonly number[]): void;
}

export const openEntityCleaner = (database: DatabaseSync): EntityCleaner => {
  const NAMED = 'no IN (SELECT value FROM json_each(?))';
  const removeSpellings = database.prepare(
    `DELETE FROM spellings WHERE entity IN (SELECT value FROM json_each(?)) AND NOT EXISTS
       (SELECT 1 FROM named n WHERE n.entity = spellings.entity AND n.spelling = spellings.no)`,
  );
  const remove = database.prepare(
    `DELETE FROM entities WHERE ${NAMED} AND NOT EXISTS (SELECT 1 FROM spellings WHERE entity = entities.no)`,
  );
  const respell = database.prepare(
    `UPDATE entities SET label = (SELECT min(label) FROM spellings WHERE entity = entities.no),
       kind = (SELECT min(kind) FROM spellings WHERE entity = entities.no) WHERE ${NAMED}`,
  );
  return {
    clean: entities => {
      const named = JSON.stringify([...new Set(entities)]);
      removeSpellings.run(named);
      remove.run(named);
      respell.run(named);
    },
  };
};
