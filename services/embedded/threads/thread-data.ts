import type { MessagePort } from 'node:worker_threads';
import type { ExtractorConfig } from '../../../schemas/config.ts';
import type { Positions, Topic } from '../../core/ports.ts';
import type { ExtractorState } from '../../workers/enricher/extractor.ts';
import type { PoisonKind } from '../../workers/projector/dead-letters.ts';
import type { LimitName, PoisonLimits } from '../../workers/projector/poison-limits.ts';

/** What a thread of the embedded service starts with. */
export interface ThreadData {
  paths: { log: string; keys: string };
  installationKey: Uint8Array;
  /** The static table, shared by all threads. */
  table: SharedArrayBuffer;
  writer: MessagePort;
  /** See load.ts. */
  load: SharedArrayBuffer;
  extractor: ExtractorConfig;
  poisonLimits: PoisonLimits;
  /** Milliseconds to add to the machine's clock. */
  clockOffset: number;
}

/** Of the projector's thread: the generation's file that it alone writes. */
export interface ProjectorData extends ThreadData {
  projections: string;
}

/** Of the thread that writes what others fold. */
export interface BuilderData {
  projections: string;
  batches: MessagePort[];
}

/** Of a thread that reads, decodes and folds some topics for a builder, from the file's positions on. */
export interface FolderData extends ThreadData {
  topics: readonly Topic[];
  positions: Positions;
  batches: MessagePort;
  /** Events a second, of each such thread. */
  throttle: number | undefined;
}

/** To a thread. Only a projector's is held. */
export type ThreadOrder = 'close' | 'go on' | { hold: Positions | undefined };

export type ThreadMessage =
  | { kind: 'ready'; positions: Positions }
  | {
      kind: 'progress';
      positions: Positions;
      events: number;
      deadLetters: number;
      /** Of each dead letter. */
      kinds?: readonly PoisonKind[];
    }
  | { kind: 'held'; positions: Positions }
  /** `limit`: of dead letters, where one stopped it. */
  | { kind: 'stopped'; reason: string; limit?: LimitName | undefined }
  | { kind: 'trouble'; message: string }
  | { kind: 'extractor'; state: ExtractorState }
  | { kind: 'closed' };
