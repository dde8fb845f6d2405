import type { DatabaseSync } from 'node:sqlite';
import { COLUMNS } from '../../../../../projections/recall/columns.ts';
import { MENTIONS } from '../rows/recall-tables.ts';
import type { ScopeWriter } from '../scopes/scope-writer.ts';
import { addressColumns, type Write } from './fragments.ts';
import type { MetadataWriter } from './metadata.ts';

const REMEMBERED_ENTITIES = 20_000;
const valuesOf = MENTIONS.valuesOf(COLUMNS.mention);

/** Writes an entity and the turn's mention of it. */
export const openEntityWriter = (
  database: DatabaseSync,
  scopes: ScopeWriter,
  metadata: MetadataWriter,
): { write(entity: Write<'entity'>): void; forget(): void } => {
  const insert = database.prepare(
    `INSERT INTO entities (partition, normalised, id, label, kind) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
  );
  // Keep the smallest of several spellings: it doesn't depend on the order of arrival.
  const respell = database.prepare(
    `UPDATE entities SET label = min(label, ?), kind = min(kind, ?) WHERE partition = ? AND normalised = ?
     RETURNING no`,
  );
  const insertMention = database.prepare(`INSERT OR IGNORE INTO ${MENTIONS.into}`);
  /** Row numbers by partition, kind and label. */
  const numbers = new Map<string, number>();
  let lastPartition: { org: string; user: string; number: number } | undefined;

  const partitionOf = ({ org, user }: Write<'entity'>): number => {
    if (lastPartition?.org !== org || lastPartition.user !== user)
      lastPartition = { org, user, number: scopes.partition(org, user) };
    return lastPartition.number;
  };

  const numberOf = (entity: Write<'entity'>): number => {
    const { normalised, id, label, kind } = entity;
    const partition = partitionOf(entity);
    const name = `${partition}\n${kind}\n${label}`;
    const known = numbers.get(name);
    if (known !== undefined) return known;
    const { changes, lastInsertRowid } = insert.run(partition, normalised, id, label, kind);
    const number = Number(
      changes === 1 ? lastInsertRowid : respell.get(label, kind, partition, normalised)!.no,
    );
    if (numbers.size >= REMEMBERED_ENTITIES) numbers.clear();
    numbers.set(name, number);
    return number;
  };

  return {
    write: entity => {
      const ids = scopes.rowIds(entity.org, entity.user, entity.session);
      const row = valuesOf(entity, {
        entity: numberOf(entity),
        session: ids.session,
        metadata: metadata.numberOf(ids, entity.metadata),
        ...addressColumns(entity.origin),
      });
      insertMention.run(...row);
    },
    /** Forgets the remembered numbers, which may no longer exist after a rollback or an erasure. */
    forget: () => {
      numbers.clear();
      lastPartition = undefined;
    },
  };
};
