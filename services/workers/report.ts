import type { Positions } from '../core/ports.ts';
import type { PoisonKind } from './projector/dead-letters.ts';
import type { LimitName } from './projector/poison-limits.ts';

/** What a projector or another consumer reports, wherever it runs; `Progress` keeps it. */
export type Report =
  | { kind: 'ready'; positions: Positions }
  | {
      kind: 'progress';
      positions: Positions;
      /** Handled since the last report. */
      events: number;
      deadLetters?: number;
      /** One for each dead letter. */
      kinds?: readonly PoisonKind[];
    }
  /** `limit`: the limit of dead letters that stopped it, if one did. */
  | { kind: 'stopped'; reason: string; limit?: LimitName | undefined }
  | { kind: 'trouble'; message: string }
  /** It was asked to hold, and has come to rest. */
  | { kind: 'held'; positions: Positions }
  | { kind: 'service'; state: ServiceState };

/** An external service that a consumer asks. */
export interface ServiceState {
  /** What people call it: "the language model". */
  service: string;
  /** Why it waits for the service; null while it waits for nothing. */
  waitsFor: string | null;
  /** Since the start, for the consumer's own metrics. */
  counts: Readonly<Record<string, number>>;
}

/** A fault's message: of an engine or of the code, never what it was working on. */
export const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : 'unknown fault';

/** A fault after which it retries. */
export const troubleOf = (error: unknown): Report => ({ kind: 'trouble', message: messageOf(error) });

/** What its reports say of a consumer now. */
export interface Reported {
  positions: Positions;
  /** It has stopped for good. */
  stopped?: { reason: string; limit: LimitName | undefined } | undefined;
  /** What it retries; `since` the first fault in a row, `at` the last one: milliseconds of the process's clock. */
  trouble?: { message: string; since: number; at: number } | undefined;
  /** Undefined before it first asked its service. */
  service?: ServiceState;
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
    case 'service':
      return { ...before, service: report.state };
    case 'held':
      return before;
  }
};
