import type { DatabaseSync } from 'node:sqlite';
import { isErase } from '../../../projections/recall/projection.ts';
import type { ProjectionStore, RefusedWrites } from '../../../services/core/ports.ts';
import type { DecodeDocument } from './decode-document.ts';
import { positionsOf, READ_POSITIONS } from './positions.ts';
import { openAccountWriter } from './write/accounts.ts';
import { makePurge } from './write/purge.ts';
import { openRecallWriter } from './write/recall.ts';
import type { StepTurns } from './write/turns.ts';
import { openUsageWriter } from './write/usage.ts';

const NONE_REFUSED: RefusedWrites = new Set();

/** Writes what the projector folded: one transaction a batch, with the positions after it. */
export const openProjectionStore = (
  database: DatabaseSync,
  decodeDocument: DecodeDocument,
): ProjectionStore => {
  const readPositions = database.prepare(READ_POSITIONS);
  const setPosition = database.prepare(
    'INSERT INTO positions VALUES (?, ?) ON CONFLICT DO UPDATE SET offset = excluded.offset',
  );
  const turns: StepTurns = { fresh: new Set(), moved: new Map() };
  const recall = openRecallWriter(database, decodeDocument, turns);
  const writeUsage = openUsageWriter(database, turns);
  const writeAccounts = openAccountWriter(database);
  const purge = makePurge(database);

  return {
    positions: async () => positionsOf(readPositions.all()),
    apply: async batch => {
      const erases = batch.recall.some(isErase);
      turns.fresh.clear();
      turns.moved.clear();
      database.exec('BEGIN IMMEDIATE');
      try {
        for (const write of batch.recall) recall.write(write);
        if (erases) purge.due();
        recall.flush();
        writeUsage(batch.usage);
        writeAccounts(batch.accounts);
        for (const [partition, offset] of Object.entries(batch.positions)) setPosition.run(partition, offset);
        database.exec('COMMIT');
      } catch (error) {
        recall.forget();
        try {
          database.exec('ROLLBACK');
        } catch {}
        throw error;
      }
      if (erases) await purge.now();
      return NONE_REFUSED;
    },
    close: async () => {
      purge.stop();
      database.close();
    },
  };
};
