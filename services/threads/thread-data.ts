import type { MessagePort } from 'node:worker_threads';
import type { ExtractorConfig } from '../../schemas/config.ts';
import type { ExtractorState } from '../enricher/extractor.ts';
import type { Positions } from '../ports.ts';
import type { PoisonKind } from '../projector/dead-letters.ts';
import type { LimitName, PoisonLimits } from '../projector/poison-limits.ts';

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
  poisonLimits: PoisonLimits;
  /** Milliseconds to add to the machine's clock. */
  clockOffset: number;
}

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
  /** `limit`: of dead letters, where one stopped it. */
  | { kind: 'stopped'; reason: string; limit?: LimitName | undefined }
  | { kind: 'trouble'; message: string }
  | { kind: 'extractor'; state: ExtractorState }
  | { kind: 'closed' };
