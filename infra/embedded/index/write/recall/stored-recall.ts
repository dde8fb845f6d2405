import type { DatabaseSync } from 'node:sqlite';
import { followedBy, type RecallWrite } from '../../../../../projections/recall/recall-writes.ts';
import { bytesOfId } from '../../file/projections-database.ts';
import { derivedDifferences } from '../../read/verify/verifiable-structures.ts';
import { openEntityCleaner } from '../removal/clean-entities.ts';
import { openMentionRemover } from '../removal/remove-mentions.ts';
import { openWordRemover } from '../removal/remove-words.ts';
import { openRetractionWriter } from '../removal/retractions.ts';
import { openScopeEraser } from '../removal/scope-eraser.ts';
import { openExpirySweeper } from '../removal/sweep.ts';
import { recallRows } from '../rows/recall-rows.ts';
import { READ_INDICES, RECALL_TABLES } from '../rows/recall-tables.ts';
import { openScopeWriter } from '../scopes/scope-writer.ts';
import type { StoredProjection, Writer, WriterPorts } from '../stored.ts';
import { turnBytes } from '../turn-bytes.ts';
import { openCorrectionWriter } from './corrections.ts';
import { openFindingWriter } from './findings.ts';
import { openJobWriter } from './jobs.ts';
import { openMetadataWriter } from './metadata.ts';
import { openObservationWriter } from './observations.ts';
import { openSpellings } from './spellings.ts';
import { openTurnWriter } from './turns.ts';
import { openVectorWriter } from './vectors.ts';

const openRecallWriter = (
  database: DatabaseSync,
  { decodeDocument, turns }: WriterPorts,
): Writer<RecallWrite> => {
  const scopes = openScopeWriter(database, decodeDocument);
  const metadata = openMetadataWriter(database);
  const spellings = openSpellings(database, scopes);
  const findings = openFindingWriter(database, scopes, metadata, spellings);
  const writeTurn = openTurnWriter(database, scopes, metadata, turns);
  const writeObservation = openObservationWriter(database, scopes, metadata);
  const writeVectors = openVectorWriter(database, scopes);
  const writeJob = openJobWriter(database, scopes);
  const writeCorrection = openCorrectionWriter(database, scopes);
  const cleaner = openEntityCleaner(database);
  const mentions = openMentionRemover(database, cleaner, metadata);
  const remove = openWordRemover(database, scopes, mentions, metadata);
  const retractions = openRetractionWriter(database, scopes, remove);
  const sweeper = openExpirySweeper(database, remove, mentions);
  const erase = openScopeEraser(database, scopes, mentions, metadata);
  const forget = (): void => {
    scopes.forget();
    findings.forget();
    spellings.forget();
    metadata.forget();
  };
  const isHidden = (turnId: string, ids: readonly string[] = []): boolean =>
    (retractions.hasAny() &&
      (retractions.isHidden(turnBytes(turnId)) || ids.some(id => retractions.isHidden(bytesOfId(id)!)))) ||
    (sweeper.hasAny() && sweeper.isSwept(turnBytes(turnId)));

  const writeOne = (one: RecallWrite): void => {
    switch (one.op) {
      case 'turn':
        writeTurn(one);
        break;
      case 'observation':
        if (!isHidden(one.turnId, [one.id, ...followedBy(one)])) writeObservation(one);
        break;
      case 'entity':
        if (!isHidden(one.turnId)) findings.name(one);
        break;
      case 'vectors':
        if (!isHidden(one.turnId)) writeVectors(one);
        break;
      case 'retract':
        retractions.add(one);
        break;
      case 'enriched':
        findings.enriched(one);
        break;
      case 'job':
        writeJob(one);
        break;
      case 'correction':
        writeCorrection(one);
        break;
      case 'erase':
        findings.flush();
        retractions.apply();
        erase(one);
        forget();
        break;
    }
  };

  return {
    write: writes => {
      for (const one of writes) writeOne(one);
      findings.flush();
      if (retractions.apply()) spellings.forget();
      scopes.flush();
    },
    sweep: now => {
      const swept = sweeper.sweep(now);
      if (swept > 0) spellings.forget();
      return swept;
    },
    forget: () => {
      forget();
      retractions.forget();
      sweeper.forget();
    },
    reread: scopes.reread,
  };
};

export const RECALL: StoredProjection<RecallWrite> = {
  tables: RECALL_TABLES,
  readIndices: READ_INDICES,
  openWriter: openRecallWriter,
  rows: recallRows,
  derived: derivedDifferences,
};
