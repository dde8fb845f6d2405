import type { EventLog, ProjectionStore, Tokens } from '../../../core/ports.ts';
import type { RecallIndex } from './projections.ts';

/** Everything that is projected of a log, empty at first. */
export interface OpenReadModels {
  store: Pick<ProjectionStore, 'apply'>;
  index: RecallIndex;
  /** Billed to acme on these UTC days, inclusive. */
  billed(from: string, to: string): Promise<Tokens>;
}

export interface OpenDeadLetters {
  log: EventLog;
  readModels(): Promise<OpenReadModels>;
  close(): Promise<void>;
}
