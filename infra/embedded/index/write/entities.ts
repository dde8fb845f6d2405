import type { DatabaseSync } from 'node:sqlite';
import { expiryColumns, originColumns, type Write } from './fragments.ts';
import { insertInto } from './insert.ts';
import type { MetadataWriter } from './metadata.ts';
import type { ScopeWriter } from './scope-writer.ts';

const REMEMBERED_ENTITIES = 20_000;
const MENTION = insertInto('mentions', [
  'entity',
  'turn',
  'label',
  'kind',
  'place',
  'offset',
  'recorded',
  'session',
  'metadata',
  'expires',
  'kept_from',
]);

/** Writes an entity and the turn's mention of it. */
export const openEntityWriter = (
  database: DatabaseSync,
  scopes: ScopeWriter,
  metadata: MetadataWriter,
  turnBytes: (id: string) => Uint8Array,
): { write(entity: Write<'entity'>): void; forget(): void } => {
  const insert = database.prepare(
    `INSERT INTO entities (partition, normalised, id, label, kind) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
  );
  // Keep the smallest of several spellings: it doesn't depend on the order of arrival.
  const respell = database.prepare(
    `UPDATE entities SET label = min(label, ?), kind = min(kind, ?) WHERE partition = ? AND normalised = ?
     RETURNING no`,
  );
  const insertMention = database.prepare(`INSERT OR IGNORE INTO ${MENTION.into}`);
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
      const { label, kind } = entity;
      const { place, offset, recorded } = originColumns(entity.origin);
      const ids = scopes.rowIds(entity.org, entity.user, entity.session);
      const { expires, kept_from } = expiryColumns(entity.origin);
      const row = MENTION.values({
        entity: numberOf(entity),
        turn: turnBytes(entity.turnId),
        label,
        kind,
        place,
        offset,
        recorded,
        session: ids.session,
        metadata: metadata.numberOf(ids, entity.metadata),
        expires,
        kept_from,
      });
      insertMention.run(...row);
    },
    /** Called after a rollback or an erasure: the remembered numbers may no longer exist. */
    forget: () => {
      numbers.clear();
      lastPartition = undefined;
    },
  };
};
