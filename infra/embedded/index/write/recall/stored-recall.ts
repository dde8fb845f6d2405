import type { DatabaseSync } from 'node:sqlite';
import { followedBy, type RecallWrite } from '../../../../../projections/recall/recall-writes.ts';
import { bytesOfId } from '../../file/projections-database.ts';
import { derivedDifferences } from '../../read/verify/verifiable-structures.ts';
import { openEntityCleaner } from '../removal/clean-entities.ts';
import { openWordRemover } from '../removal/remove-words.ts';
import { openRetractionWriter } from '../removal/retractions.ts';
import { openScopeEraser } from '../removal/scope-eraser.ts';
import { openExpirySweeper } from '../removal/sweep.ts';
import { recallRows } from '../rows/recall-rows.ts';
import { READ_INDICES, RECALL_TABLES } from '../rows/recall-tables.ts';
import { openScopeWriter } from '../scopes/scope-writer.ts';
import type { StoredProjection, Writer, WriterPorts } from '../stored.ts';
import { makeTurnBytes } from '../turn-bytes.ts';
import { openCorrectionWriter } from './corrections.ts';
import { openEnrichmentWriter } from './enrichments.ts';
import { openEntityWriter } from './entities.ts';
import { openJobWriter } from './jobs.ts';
import { openMetadataWriter } from './metadata.ts';
import { openObservationWriter } from './observations.ts';
import { openTurnWriter } from './turns.ts';
import { openVectorWriter } from './vectors.ts';

const openRecallWriter = (
  database: DatabaseSync,
  { decodeDocument, turns }: WriterPorts,
): Writer<RecallWrite> => {
  const scopes = openScopeWriter(database, decodeDocument);
  const turnBytes = makeTurnBytes();
  const metadata = openMetadataWriter(database);
  const entities = openEntityWriter(database, scopes, metadata);
  const writeTurn = openTurnWriter(database, scopes, metadata, turns);
  const writeObservation = openObservationWriter(database, scopes, metadata);
  const writeEnrichment = openEnrichmentWriter(database, scopes);
  const writeVectors = openVectorWriter(database, scopes);
  const writeJob = openJobWriter(database, scopes);
  const writeCorrection = openCorrectionWriter(database, scopes);
  const cleaner = openEntityCleaner(database);
  const remove = openWordRemover(database, scopes, cleaner, metadata);
  const retractions = openRetractionWriter(database, scopes, remove);
  const sweeper = openExpirySweeper(database, remove, cleaner, metadata);
  const erase = openScopeEraser(database, scopes, cleaner, metadata);
  const forget = (): void => {
    scopes.forget();
    entities.forget();
    metadata.forget();
  };
  const isHidden = (turnId: string, ids: readonly string[] = []): boolean =>
    retractions.isHidden(turnBytes(turnId)) ||
    sweeper.isSwept(turnBytes(turnId)) ||
    ids.some(id => retractions.isHidden(bytesOfId(id)!));

  const writeOne = (one: RecallWrite): void => {
    switch (one.op) {
      case 'turn':
        writeTurn(one);
        break;
      case 'observation':
        if (!isHidden(one.turnId, [one.id, ...followedBy(one)])) writeObservation(one);
        break;
      case 'entity':
        if (!isHidden(one.turnId)) entities.write(one);
        break;
      case 'vectors':
        if (!isHidden(one.turnId)) writeVectors(one);
        break;
      case 'retract':
        retractions.add(one);
        break;
      case 'enriched':
        writeEnrichment(one);
        break;
      case 'job':
        writeJob(one);
        break;
      case 'correction':
        writeCorrection(one);
        break;
      case 'erase':
        retractions.apply();
        erase(one);
        forget();
        break;
    }
  };

  return {
    write: writes => {
      for (const one of writes) writeOne(one);
      if (retractions.apply()) entities.forget();
      scopes.flush();
    },
    sweep: now => {
      const swept = sweeper.sweep(now);
      if (swept > 0) entities.forget();
      return swept;
    },
    forget: () => {
      forget();
      retractions.forget();
      sweeper.forget();
    },
  };
};

export const RECALL: StoredProjection<RecallWrite> = {
  tables: RECALL_TABLES,
  readIndices: READ_INDICES,
  openWriter: openRecallWriter,
  rows: recallRows,
  derived: derivedDifferences,
};
