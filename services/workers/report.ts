import type { Positions } from '../../core/ports.ts';
import type { ConsumedStep } from '../../core/tracing/stages.ts';
import type { PoisonKind } from './projector/poison.ts';
import type { LimitName } from './projector/poison-limits.ts';

/** A report of a projector or another consumer, wherever it runs; `Progress` keeps it. */
export type Report =
  | { kind: 'ready'; positions: Positions }
  | {
      kind: 'progress';
      positions: Positions;
      /** Events handled since the last report. */
      events: number;
      deadLetters?: number;
      /** One for each dead letter. */
      kinds?: readonly PoisonKind[];
      /** For its span, where requests are linked to it. */
      step?: ConsumedStep | undefined;
    }
  /** `limit`: the limit of dead letters that stopped it, if one did. */
  | { kind: 'stopped'; reason: string; limit?: LimitName | undefined }
  | { kind: 'trouble'; message: string }
  /** Its store holds something else than was written. */
  | { kind: 'damaged'; reason: string }
  /** An order to hold has taken effect. */
  | { kind: 'held'; positions: Positions }
  | { kind: 'service'; state: ServiceState }
  /** Sessions of which all has expired, and which keep their keys for now (expiry-share.ts). */
  | { kind: 'held back'; held: HeldBack };

/** By organization: its sessions. */
export type HeldBack = ReadonlyMap<string, number>;

/** The state of an external service that a consumer calls. */
export interface ServiceState {
  /** Its display name, for example "the language model". */
  service: string;
  /** Why the consumer waits for the service; null while it doesn't wait. */
  waitsFor: string | null;
  /** Counts since the start, for the consumer's own metrics. */
  counts: Readonly<Record<string, number>>;
}

/** The message of an error of an engine or of the code. It never has the data being processed. */
export const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : 'unknown fault';

/** The report of an error after which the consumer retries. */
export const troubleOf = (error: unknown): Report => ({ kind: 'trouble', message: messageOf(error) });

/** The current state of a consumer, folded from its reports. */
export interface Reported {
  positions: Positions;
  /** It has stopped for good. */
  stopped?: { reason: string; limit: LimitName | undefined } | undefined;
  /**
   * The error that it retries; `since` the first in a row, `at` the last one, in milliseconds of the
   * process's clock.
   */
  trouble?: { message: string; since: number; at: number } | undefined;
  /** Undefined before the first call of its service. */
  service?: ServiceState;
  heldBack?: HeldBack;
}

export const reportedAfter = (before: Reported, report: Report): Reported => {
  switch (report.kind) {
    case 'ready':
      // Another projector may take over from one that had stopped.
      return { ...before, positions: report.positions, stopped: undefined, trouble: undefined };
    case 'progress':
      return { ...before, positions: { ...before.positions, ...report.positions }, trouble: undefined };
    case 'trouble': {
      const at = performance.now();
      return { ...before, trouble: { message: report.message, since: before.trouble?.since ?? at, at } };
    }
    case 'stopped':
      return { ...before, stopped: { reason: report.reason, limit: report.limit } };
    case 'damaged':
      return { ...before, stopped: { reason: report.reason, limit: undefined } };
    case 'service':
      return { ...before, service: report.state };
    case 'held back':
      return { ...before, heldBack: report.held };
    case 'held':
      return before;
  }
};
