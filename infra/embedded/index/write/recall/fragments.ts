import type { DatabaseSync } from 'node:sqlite';
import { entryExpiry } from '../../../../../domain/search/segments/segment.ts';
import {
  keptFromOf,
  type Origin,
  type RecallWrite,
} from '../../../../../projections/recall/recall-writes.ts';
import { partitionNumber } from '../../file/projections-database.ts';
import type { RowIds } from '../scopes/scope-row-ids.ts';

export type Write<Op extends RecallWrite['op']> = Extract<RecallWrite, { op: Op }>;

/** Returns the values of a fragment's row beside its columns. */
export const fragmentColumns = (ids: RowIds, metadata: number | null, origin: Origin) => ({
  organization: ids.organization,
  partition: ids.partition,
  session: ids.session,
  metadata,
  log_partition: partitionNumber(origin),
  offset: origin.offset,
  read_offset: origin.readAt ?? origin.offset,
});

/** Returns the columns, in every table, that identify the event of a row. */
export const addressColumns = (origin: Origin): { log_partition: number; offset: number } => ({
  log_partition: partitionNumber(origin),
  offset: origin.offset,
});

/** Returns the times that a list of fragments stores (segment.ts). */
export const entryTimes = (origin: Origin): { recorded: number; expires: number } => ({
  recorded: origin.recordedAt,
  expires: entryExpiry(origin.expiresAt, keptFromOf(origin), origin.recordedAt),
});

/**
 * Moves a fragment in the feed to the offset of a requeued copy, even if its first copy has become readable:
 * docs/internals/decisions/calls/0017.
 */
export const openTell = (database: DatabaseSync): ((id: Uint8Array, origin: Origin) => void) => {
  const update = database.prepare(
    'UPDATE fragments SET read_offset = max(read_offset, ?) WHERE id = ? AND log_partition = ? AND offset = ?',
  );
  return (id, { readAt, ...origin }) => {
    if (readAt !== undefined) update.run(readAt, id, partitionNumber(origin), origin.offset);
  };
};
