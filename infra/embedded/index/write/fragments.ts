import type { DatabaseSync } from 'node:sqlite';
import { keptFromOf, type Origin, type RecallWrite } from '../../../../projections/recall/projection.ts';
import { BY_RETENTION } from '../../../../projections/recall/segment.ts';
import { partitionNumber } from '../projections-database.ts';
import { insertInto } from './insert.ts';

export type Write<Op extends RecallWrite['op']> = Extract<RecallWrite, { op: Op }>;

/** A row of `fragments`, which holds turns and observations. */
export const FRAGMENT = insertInto('fragments', [
  'id',
  'kind',
  'organization',
  'partition',
  'session',
  'timestamp',
  'passive',
  'turn',
  'source',
  'role',
  'document',
  'text',
  'fact',
  'fact_key',
  'fact_from',
  'corrects',
  'corrects_key',
  'metadata',
  'told',
  'place',
  'offset',
  'recorded',
  'expires',
  'kept_from',
]);

/** The columns, in every table, that identify the event of a row. */
export const originColumns = (origin: Origin): { place: number; offset: number; recorded: number } => ({
  place: partitionNumber(origin),
  offset: origin.offset,
  recorded: origin.recordedAt,
});

/** The columns that decide when a row has expired (projections-reader.ts). One of them is null. */
export const expiryColumns = (origin: Origin): { expires: number | null; kept_from: number | null } => ({
  expires: origin.expiresAt ?? null,
  kept_from: keptFromOf(origin) ?? null,
});

/** What a list of fragments keeps of their times (segment.ts). */
export const entryTimes = (origin: Origin): { recorded: number; expires: number } => ({
  recorded: origin.recordedAt,
  expires: origin.expiresAt ?? BY_RETENTION,
});

/** The offset at which the feed reports the event. */
export const toldAt = ({ offset, readAt = offset }: Origin): number => readAt;

/**
 * Moves a fragment in the feed to the offset of a requeued copy, even when its first copy became readable: docs/adr/0017.
 */
export const openTell = (database: DatabaseSync): ((id: Uint8Array, origin: Origin) => void) => {
  const update = database.prepare(
    'UPDATE fragments SET told = max(told, ?) WHERE id = ? AND place = ? AND offset = ?',
  );
  return (id, { readAt, ...origin }) => {
    if (readAt !== undefined) update.run(readAt, id, partitionNumber(origin), origin.offset);
  };
};
