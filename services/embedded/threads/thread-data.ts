import type { MessagePort } from 'node:worker_threads';
import type { Positions } from '../../../core/ports.ts';
import type { Config } from '../../../schemas/config.ts';
import type { ConsumerDefinition } from '../../workers/consumer.ts';
import type { Report } from '../../workers/report.ts';
import type { Half } from './replay/halves.ts';

/** The data that a thread of the embedded service starts with. */
export interface ThreadData {
  paths: { log: string; keys: string; installationKeys: string };
  /** The static table, shared by all threads. */
  table: SharedArrayBuffer;
  writer: MessagePort;
  /** See shared-load.ts. */
  load: SharedArrayBuffer;
  config: Config;
  /** Milliseconds to add to the machine's clock. */
  clockOffset: number;
}

/** The data of a projector's thread, which is the only writer of the generation's file. */
export interface ProjectorData extends ThreadData {
  projections: string;
  /** See expiries-file.ts. */
  budgets: string;
  /** See sure-clock.ts. */
  sureClock: SharedArrayBuffer;
  /** It replaces a thread that ended by itself. */
  threadDied: boolean;
}

/** The data of another consumer's thread: `consumersOf` has the consumer of this name. */
export interface ConsumerData extends ThreadData {
  name: ConsumerDefinition['name'];
  threadDied: boolean;
}

/** The data of a thread that builds half of a generation's file (replay/halves.ts). */
export interface BuilderData extends ThreadData {
  projections: string;
  half: Half;
  /** See replay/shared-lock.ts. */
  lock: SharedArrayBuffer;
  /** The embedding model to serve, where one is configured. */
  model: string | undefined;
  /** Events a second for each such thread. */
  throttle: number | undefined;
}

/** An order to a thread. Only a projector's thread can be held. */
export type ThreadOrder = 'close' | 'resume' | { hold: Positions | undefined };

export type ThreadMessage = Report;
