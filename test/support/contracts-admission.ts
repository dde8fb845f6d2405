import type { Event } from '../../services/events.ts';
import type { Admission, Topic, UsageReader } from '../../services/ports.ts';

/** An admission adapter with what it stands on, as its contract needs it. */
export interface AdmissionBench {
  admission: Admission;
  usage: UsageReader;
  /** Into the log; resolves with the places. */
  append(events: readonly Event[]): Promise<{ topic: Topic; partition: number; offset: number }[]>;
  /** The projector catches up with the log. */
  project(): Promise<void>;
  close(): Promise<void>;
}
