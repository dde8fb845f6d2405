import { isDeepStrictEqual } from 'node:util';
import { jsonBytes } from '../../../core/log/json-bytes.ts';
import type { NewRecord, SessionKey } from '../../../core/ports.ts';
import type { TurnEmbedded } from '../../../schemas/events/embeddings.ts';
import type { ObservationsExtracted } from '../../../schemas/events/observations.ts';
import type { TurnRecorded, WriteAccepted } from '../../../schemas/events/turns.ts';
import { type Group, type ImportedEvent, makeGroupRecords } from './group-records.ts';

/** The most bytes held until their record is made. */
const MOST_BYTES = 1024 * 1024;

/**
 * Makes the records of an organization's imported events, given in the order of the file. A write's turns
 * follow it there and become one record with it, as when they were said, and so does what was extracted from
 * them; other events are a record each, a turn that doesn't follow its write with a write of it alone.
 *
 * @param keyOf the key of an event's session when its record is made: the one that it came with may have been
 * replaced
 */
export const makeImportedRecords = (
  org: string,
  keyOf = async ({ key }: ImportedEvent): Promise<SessionKey> => key!,
) => {
  const { recordOf, recordsOfTurns, recordsOf } = makeGroupRecords(org, keyOf);
  let group: Group | undefined;

  /** The records of the group that is held. */
  const close = async (): Promise<NewRecord[]> => {
    if (!group) return [];
    const records = await recordsOf(group);
    group = { ...group, events: [], bytes: 0, isStored: true };
    return records;
  };

  const hold = async (event: ImportedEvent): Promise<NewRecord[]> => {
    if (event.isKnown) return [];
    group!.events.push(event);
    group!.bytes += jsonBytes(event.data);
    return group!.bytes < MOST_BYTES ? [] : close();
  };

  return {
    /** The records that are complete with this event. */
    take: async (event: ImportedEvent): Promise<NewRecord[]> => {
      if (group && belongs(event, group.first)) return hold(event);
      const records = await close();
      group = undefined;
      if (event.type === 'write.accepted' || isOfTurns(event))
        group = { first: event, events: [], bytes: 0, isStored: false };
      if (isOfTurns(event)) return [...records, ...(await hold(event))];
      if (group || event.isKnown) return records;
      if (event.type === 'turn.recorded')
        return [...records, ...(await recordsOfTurns(writeOf(event), [event], event.has))];
      return [...records, recordOf(event)];
    },
    /** The remaining records, at the end. */
    rest: close,
  };
};

/** Whether the event was derived from a turn, and is recorded together with others of its kind. */
const isOfTurns = ({ type }: ImportedEvent): boolean =>
  type === 'observations.extracted' || type === 'turn.embedded';

/**
 * The write of a turn that doesn't follow its own: a write of this turn alone, unless the log has its write
 * already.
 */
const writeOf = (turn: ImportedEvent): ImportedEvent => {
  const { user_id, session_id, job_id, active, passive, metadata = null } = turn.data as TurnRecorded;
  const options = { write_active: active, write_passive: passive };
  const data: WriteAccepted = { user_id, session_id, job_id, turn_ids: [turn.id], options, metadata };
  return { ...turn, type: 'write.accepted', id: job_id, data };
};

type About = Partial<Omit<TurnRecorded, 'observations'> & ObservationsExtracted & TurnEmbedded>;

/** A file may be made by hand, so that a turn names the write of another session. */
const belongs = (event: ImportedEvent, first: ImportedEvent): boolean => {
  const own: About = event.data;
  const others: About = first.data;
  const isSame = (names: readonly (keyof About)[]): boolean =>
    event.correlation_id === first.correlation_id && names.every(name => own[name] === others[name]);
  if (event.type === 'turn.recorded' && first.type === 'write.accepted')
    return isSame(['user_id', 'session_id', 'job_id']);
  if (event.type === 'observations.extracted' && first.type === 'observations.extracted')
    return (
      isSame(['user_id', 'session_id', 'extractor', 'source']) &&
      isDeepStrictEqual(own.metadata, others.metadata)
    );
  if (event.type === 'turn.embedded' && first.type === 'turn.embedded')
    return isSame(['user_id', 'session_id', 'model', 'dimensions']);
  return false;
};
