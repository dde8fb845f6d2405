import type { MessagePort } from 'node:worker_threads';
import type { ExtractorConfig } from '../../schemas/config.ts';
import type { ExtractorState } from '../enricher/extractor.ts';
import type { Positions } from '../ports.ts';

/** What a thread of the embedded service starts with. */
export interface ThreadData {
  paths: { log: string; keys: string; projections: string };
  installationKey: Uint8Array;
  /** The static table, shared by all threads. */
  table: SharedArrayBuffer;
  writer: MessagePort;
  /** See load.ts. */
  load: SharedArrayBuffer;
  extractor: ExtractorConfig;
  /** Milliseconds to add to the machine's clock. */
  clockOffset: number;
}

export type ThreadMessage =
  | { kind: 'ready'; positions: Positions }
  | { kind: 'progress'; positions: Positions; events: number; deadLetters: number }
  | { kind: 'stopped'; reason: string }
  | { kind: 'trouble'; message: string }
  | { kind: 'extractor'; state: ExtractorState }
  | { kind: 'closed' };
