import type { DatabaseSync } from 'node:sqlite';
import {
  ALL_WRITTEN,
  type ProjectionStore,
  type Sweeping,
  type SweptSessions,
} from '../../../../core/ports/projection/projection-store.ts';
import type { ProjectionName } from '../../../../projections/all.ts';
import { isErase } from '../../../../projections/recall/recall-writes.ts';
import type { DecodeDocument } from '../read/decode-document.ts';
import { deferPurge, makePurge } from '../write/removal/purge.ts';
import { SWEPT_AT_ONCE } from '../write/removal/sweep.ts';
import { openSweptSessions } from '../write/removal/swept-sessions.ts';
import type { StepTurns, StoredProjection, Writer, WriterPorts } from '../write/stored.ts';
import { openCheckpoints } from './checkpoints.ts';
import { positionsOf, READ_POSITIONS } from './positions.ts';
import { STORED_PROJECTIONS } from './stored-projections.ts';

export interface ProjectionStoreOptions {
  /** Called once, with the number of a damaged page. */
  onDamage?: (page: number) => void;
  /** The size from which the write-ahead log is checkpointed. */
  mostWalBytes?: number;
  /**
   * The file is being built by several connections in turns (services/embedded/threads/replay): between two
   * batches this one does nothing to it.
   */
  isShared?: boolean;
}

interface EmbeddedProjectionStore extends ProjectionStore, Sweeping {
  swept: SweptSessions;
  /**
   * Call it before a batch when another connection has written since the last one. `removed`: rows, too.
   */
  reread(meanwhile: { removed: boolean }): void;
}

/**
 * Opens the writer of the projector's folds: one transaction per batch, which also writes the positions after
 * it.
 */
export const openProjectionStore = (
  database: DatabaseSync,
  decodeDocument: DecodeDocument,
  { onDamage, mostWalBytes, isShared = false }: ProjectionStoreOptions = {},
): EmbeddedProjectionStore => {
  const checkpoints = openCheckpoints(database, onDamage, mostWalBytes, undefined, !isShared);
  const readPositions = database.prepare(READ_POSITIONS);
  const setPosition = database.prepare(
    'INSERT INTO positions VALUES (?, ?) ON CONFLICT DO UPDATE SET offset = excluded.offset',
  );
  const turns: StepTurns = { fresh: new Set(), moved: new Map() };
  const writers = openWriters(database, { decodeDocument, turns });
  const purge = (isShared ? deferPurge : makePurge)(database, checkpoints);

  const forget = (): void => {
    for (const { writer } of writers) writer.forget?.();
  };

  const inTransaction = <T>(write: () => T): T => {
    checkpoints.makeRoom();
    turns.fresh.clear();
    turns.moved.clear();
    database.exec('BEGIN IMMEDIATE');
    try {
      const written = write();
      database.exec('COMMIT');
      return written;
    } catch (error) {
      forget();
      try {
        database.exec('ROLLBACK');
      } catch {}
      checkpoints.due();
      throw error;
    }
  };

  return {
    positions: async () => positionsOf(readPositions.all()),
    swept: openSweptSessions(database),
    reread: ({ removed }) => {
      if (removed) forget();
      else for (const { writer } of writers) writer.reread?.();
    },
    sweep: async now => {
      const swept = inTransaction(() =>
        writers.reduce((sum, { writer }) => sum + (writer.sweep?.(now) ?? 0), 0),
      );
      if (swept > 0) checkpoints.due();
      return swept >= SWEPT_AT_ONCE;
    },
    apply: async batch => {
      const erases = batch.recall.some(isErase);
      inTransaction(() => {
        if (erases) purge.due();
        for (const { name, writer } of writers) writer.write(batch[name]);
        for (const [partition, offset] of Object.entries(batch.positions)) setPosition.run(partition, offset);
      });
      if (erases) await purge.now();
      else checkpoints.due();
      return ALL_WRITTEN;
    },
    close: async () => {
      purge.stop();
      try {
        checkpoints.close();
      } finally {
        database.close();
      }
    },
  };
};

const openWriters = (
  database: DatabaseSync,
  ports: WriterPorts,
): { name: ProjectionName; writer: Writer<unknown> }[] =>
  (Object.entries(STORED_PROJECTIONS) as [ProjectionName, StoredProjection<unknown>][]).map(
    ([name, stored]) => ({ name, writer: stored.openWriter(database, ports) }),
  );
