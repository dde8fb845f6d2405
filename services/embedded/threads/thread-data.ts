import type { MessagePort } from 'node:worker_threads';
import type { Config } from '../../../schemas/config.ts';
import type { Positions, Topic } from '../../core/ports.ts';
import type { ConsumerDefinition } from '../../workers/consumer.ts';
import type { Report } from '../../workers/report.ts';

/** What a thread of the embedded service starts with. */
export interface ThreadData {
  paths: { log: string; keys: string };
  installationKey: Uint8Array;
  /** The static table, shared by all threads. */
  table: SharedArrayBuffer;
  writer: MessagePort;
  /** See load.ts. */
  load: SharedArrayBuffer;
  config: Config;
  /** Milliseconds to add to the machine's clock. */
  clockOffset: number;
}

/** Of the projector's thread: the generation's file that it alone writes. */
export interface ProjectorData extends ThreadData {
  projections: string;
}

/** Of the thread of another consumer of the log: `consumersOf` has the one of this name. */
export interface ConsumerData extends ThreadData {
  name: ConsumerDefinition['name'];
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
export type ThreadOrder = 'close' | 'resume' | { hold: Positions | undefined };

export type ThreadMessage = Report;
