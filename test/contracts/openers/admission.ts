import type { Event } from '../../../core/log/events.ts';
import type { Admission, Topic, UsageReader } from '../../../core/ports.ts';

/** An admission adapter with what it stands on, as its contract needs it. */
export interface AdmissionBench {
  readonly admission: Admission;
  readonly usage: UsageReader;
  /** Into the log; resolves with the addresses. */
  append(events: readonly Event[]): Promise<{ topic: Topic; partition: number; offset: number }[]>;
  /** The projector catches up with the log. */
  project(): Promise<void>;
  /** The process that admits ends without notice, and another begins; the projector stays where it was. */
  restart(): Promise<void>;
  close(): Promise<void>;
}
