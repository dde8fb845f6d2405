import type { DatabaseSync } from 'node:sqlite';
import type { RecallWrite } from '../../../../projections/recall/projection.ts';
import type { DecodeDocument } from '../decode-document.ts';
import { openEnrichmentWriter } from './enrichments.ts';
import { openEntityWriter } from './entities.ts';
import { openJobWriter } from './jobs.ts';
import { openObservationWriter } from './observations.ts';
import { openScopeEraser } from './scope-eraser.ts';
import { openScopeWriter } from './scope-writer.ts';
import { makeTurnBytes } from './turn-bytes.ts';
import { openTurnWriter, type StepTurns } from './turns.ts';

export interface RecallWriter {
  write(write: RecallWrite): void;
  /** Writes what is kept in memory until the end of a batch. */
  flush(): void;
  /** After a rollback: nothing that is remembered of the file is true. */
  forget(): void;
}

export const openRecallWriter = (
  database: DatabaseSync,
  decodeDocument: DecodeDocument,
  turns: StepTurns,
): RecallWriter => {
  const scopes = openScopeWriter(database, decodeDocument);
  const turnBytes = makeTurnBytes();
  const entities = openEntityWriter(database, scopes, turnBytes);
  const writeTurn = openTurnWriter(database, scopes, turns);
  const writeObservation = openObservationWriter(database, scopes, turnBytes);
  const writeEnrichment = openEnrichmentWriter(database, scopes, turnBytes);
  const writeJob = openJobWriter(database, scopes);
  const erase = openScopeEraser(database, scopes);
  const forget = (): void => {
    scopes.forget();
    entities.forget();
  };

  const write = (one: RecallWrite): void => {
    switch (one.op) {
      case 'turn':
        writeTurn(one);
        break;
      case 'observation':
        writeObservation(one);
        break;
      case 'entity':
        entities.write(one);
        break;
      case 'enriched':
        writeEnrichment(one);
        break;
      case 'job':
        writeJob(one);
        break;
      case 'erase':
        erase(one);
        forget();
        break;
    }
  };

  return { write, flush: scopes.flush, forget };
};
