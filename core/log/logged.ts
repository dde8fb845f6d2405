import { PROJECTIONS } from '../../projections/all.ts';
import { tailTurnOf } from '../../projections/recall/tail/tail-turn.ts';
import { projectUsage } from '../../projections/usage/usage-projection.ts';
import type { MemoryRetracted } from '../../schemas/events/curation/retraction.ts';
import { eventOffsetOf } from '../../schemas/events/event-offset.ts';
import type { TurnRecorded, WriteAccepted } from '../../schemas/events/turns.ts';
import type { EventLog, Logged, Positions } from '../ports.ts';
import type { Decode, Event } from './events.ts';
import { readEvents } from './read.ts';

export interface RememberLogged {
  log: Pick<EventLog, 'read'>;
  decode: Decode;
  remember: (event: Logged) => void;
  /** Resolves when there is room for another page of events. */
  room: () => Promise<void>;
  /** Whether the projections already have an event with this id: the log may contain a second copy. */
  isProjected: (eventId: string) => boolean;
  positions: Positions;
  ends: Positions;
}

/**
 * Restores from the log, at start and before the first call is admitted, the events that the projections
 * don't have yet.
 */
export const rememberLogged = async ({
  log,
  decode,
  remember,
  room,
  isProjected,
  positions,
  ends,
}: RememberLogged): Promise<void> => {
  const seen = new Set<string>();
  const isFirst = (id: string): boolean => {
    if (seen.has(id) || isProjected(id)) return false;
    seen.add(id);
    return true;
  };
  for await (const events of readEvents(
    { log, decode },
    { topics: PROJECTIONS.usage.topics, from: positions, to: ends },
  )) {
    await room();
    for (const event of events) if (isFirst(event.id)) remember(loggedOf(event));
  }
};

/** Returns the fields of an event that admission needs. */
export const loggedOf = (event: Event): Logged => {
  const { id, org_id: org, topic, partition, index, attempt } = event;
  // Admission follows the log's own offsets, not the order that the projections use.
  const offset = event.readAt ?? event.offset;
  const [row] = projectUsage(event);
  const entry: Logged = {
    id,
    topic,
    partition,
    offset,
    attempt,
    org,
    day: event.recorded_at.slice(0, 10),
    tokens: { tokensIn: row?.tokensIn ?? 0, tokensOut: row?.tokensOut ?? 0 },
  };
  const keyId = event.keyId ?? '';
  if (event.data === undefined)
    return event.type === 'turn.recorded' ? { ...entry, erasedTurn: true } : entry;
  if (event.type === 'turn.recorded') {
    const data = event.data as TurnRecorded;
    const turn = tailTurnOf({ ...event, data, keyId, offset: eventOffsetOf({ offset, index }) });
    return { ...entry, turn };
  }
  if (event.type === 'memory.retracted') {
    const { turn_id: turnId, observation_id: observationId } = event.data as MemoryRetracted;
    return { ...entry, hides: { turnId, observationId: observationId ?? undefined } };
  }
  if (event.type === 'write.accepted') {
    const {
      job_id: id,
      user_id: user,
      session_id: session,
      turn_ids: turnIds,
      options,
    } = event.data as WriteAccepted;
    const passive = options.write_passive;
    const job = { id, org, user, session, turnIds, passive, keyId, partition, offset };
    return { ...entry, job };
  }
  return entry;
};
