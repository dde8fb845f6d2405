import type { DatabaseSync } from 'node:sqlite';
import type { ScopeWriter } from '../scopes/scope-writer.ts';
import type { Write } from './fragments.ts';

const REMEMBERED = 20_000;

/** The numbers of an entity and of one of its spellings. */
export interface Spelled {
  entity: number;
  spelling: number;
}

/** Finds entities and their spellings by their labels, and writes those that are new. */
export const openSpellings = (
  database: DatabaseSync,
  scopes: Pick<ScopeWriter, 'partition'>,
): { of(entity: Write<'entity'>): Spelled; forget(): void } => {
  const insert = database.prepare(
    `INSERT INTO entities (partition, normalised, id, label, kind) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
  );
  // Keep the smallest of several spellings: it doesn't depend on the order of arrival.
  const respell = database.prepare(
    `UPDATE entities SET label = min(label, ?), kind = min(kind, ?) WHERE partition = ? AND normalised = ?
     RETURNING no`,
  );
  const insertSpelling = database.prepare(
    'INSERT INTO spellings (entity, label, kind) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
  );
  const findSpelling = database.prepare(
    'SELECT no FROM spellings WHERE entity = ? AND label = ? AND kind = ?',
  );
  /** By partition, kind and label. */
  const remembered = new Map<string, Spelled>();
  let last: { org: string; user: string; partition: number } | undefined;

  const partitionOf = ({ org, user }: Write<'entity'>): number => {
    if (last?.org !== org || last.user !== user) last = { org, user, partition: scopes.partition(org, user) };
    return last.partition;
  };

  const spell = (partition: number, { normalised, id, label, kind }: Write<'entity'>): Spelled => {
    const added = insert.run(partition, normalised, id, label, kind);
    const isNew = added.changes === 1;
    const entity = Number(
      isNew ? added.lastInsertRowid : respell.get(label, kind, partition, normalised)!.no,
    );
    const { changes, lastInsertRowid } = insertSpelling.run(entity, label, kind);
    const spelling = Number(changes === 1 ? lastInsertRowid : findSpelling.get(entity, label, kind)!.no);
    return { entity, spelling };
  };

  return {
    of: entity => {
      const partition = partitionOf(entity);
      const name = `${partition}\n${entity.kind}\n${entity.label}`;
      const known = remembered.get(name);
      if (known) return known;
      const spelled = spell(partition, entity);
      if (remembered.size >= REMEMBERED) remembered.clear();
      remembered.set(name, spelled);
      return spelled;
    },
    /** Forgets the remembered numbers, which may no longer exist after a rollback or an erasure. */
    forget: () => {
      remembered.clear();
      last = undefined;
    },
  };
};
