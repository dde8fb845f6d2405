/**
 * Accounts as a compacted state by entity: a document for each thing that lives, and a marker for each event
 * whose second copy must still be recognised. It is a function of the log alone, so it may be folded again
 * from any position that it has reached.
 */

import {
  type AccountEvent,
  type AccountKind,
  type AccountState,
  foldAccount,
  type GetDocument,
} from './accounts-projection.ts';
import { CLOCK_SLACK_MS, endOfEvent, hasEffect } from './lifetimes.ts';

/** An event with where the log has it. All events of an organization are in one partition. */
export type LoggedAccountEvent = AccountEvent & {
  partition: number;
  offset: number;
  /** The attempt that appended it. */
  attempt?: string | undefined;
};

/** Marks an event id as recorded, with its first copy and the attempt that appended it. */
export interface EventMarker {
  org: string;
  id: string;
  /** '' where the record names none. */
  attempt: string;
  /** Until when the event may be recorded again; undefined: for ever. Unix milliseconds. */
  end: number | undefined;
  partition: number;
  offset: number;
}

/** The state before some events. It may be ahead of them: then they change nothing. */
export interface KnownEntities {
  get: GetDocument;
  /** The offset of the first copy of an event. */
  firstCopy(org: string, id: string): number | undefined;
}

export interface FoldedEntities {
  /** With the offset of the last event that changed each. */
  states: { state: AccountState; offset: number }[];
  markers: EventMarker[];
}

const nameOf = (...parts: string[]): string => JSON.stringify(parts);

/**
 * Folds events of one partition, in order, into their changes. Leaves out what has ended at `now` (Unix
 * milliseconds).
 */
export const foldEntities = (
  known: KnownEntities,
  events: readonly LoggedAccountEvent[],
  now: number,
): FoldedEntities => {
  const states = new Map<string, { state: AccountState; offset: number }>();
  const markers = new Map<string, EventMarker>();
  const get = ((kind: AccountKind, id: string) =>
    states.get(nameOf(kind, id))?.state.document ?? known.get(kind, id)) as GetDocument;
  for (const event of events) {
    const { org_id: org, id, partition, offset, attempt = '' } = event;
    if (!hasEffect(event, now)) continue;
    const name = nameOf(org, id);
    // The same offset is this event again, of which a part may have been written.
    const first = markers.get(name)?.offset ?? known.firstCopy(org, id);
    if (first !== undefined && first < offset) continue;
    markers.set(name, { org, id, attempt, end: endOfEvent(event), partition, offset });
    for (const state of foldAccount(get, event)) states.set(nameOf(state.kind, state.id), { state, offset });
  }
  return {
    states: [...states.values()],
    markers: [...markers.values()].filter(({ end }) => (end ?? Infinity) + CLOCK_SLACK_MS > now),
  };
};
