import type { Envelope } from '../../schemas/events/envelope.ts';
import type { Topic } from '../ports/log/event-log.ts';
import type { Fault } from './transfer.ts';

/** A line of a list of removals: an event as it is in the log, and the partition that it is in. */
export interface Removal {
  topic: Topic;
  partition: number;
  event: Envelope;
}

/** The last line of a list, without which it was cut short. */
export interface RemovalsEnd {
  end: true;
  events: number;
}

/**
 * The messages of the call `removals.repeat`. `skipped`: the other lines are repeated all the same. `known`:
 * those that the log has already.
 */
export type RemovalsMessage =
  | { kind: 'faults'; faults: Fault[]; omitted: number; skipped: boolean }
  | { kind: 'checked'; events: number; known: number; dryRun: boolean }
  | { kind: 'repeated'; events: number; applied: boolean };
