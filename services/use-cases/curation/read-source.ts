import { unavailable } from '../../../core/errors.ts';
import type { Decode, Event } from '../../../core/log/events.ts';
import type { EventLog, KeptObservation } from '../../../core/ports.ts';
import type { Metadata } from '../../../domain/filter/terms.ts';

export interface SourcePorts {
  log: Pick<EventLog, 'read'>;
  decode: Decode;
}

/** The members of an observation's event that describe its write. */
export interface Source {
  /** The id of the key that seals it. */
  keyId: string | null;
  metadata: Metadata | null;
  /** From when a retention counts: Unix milliseconds. */
  keptFrom: number;
}

/**
 * Reads the event that an observation comes from: indices have only the terms of its metadata. Undefined
 * where its session was erased. Throws `unavailable` where the log doesn't have it.
 */
export const readSource = async (
  { log, decode }: SourcePorts,
  { record: { topic, partition, offset }, sourceTurnId }: KeptObservation,
): Promise<Source | undefined> => {
  const [record] = await log.read(topic, partition, offset, 1);
  if (record?.offset !== offset) throw unlogged();
  const decoded = await decode(record);
  if (decoded.kind === 'erased') return undefined;
  const events = decoded.kind === 'events' ? decoded.events : [];
  const event = events.find(one => turnOf(one) === sourceTurnId);
  if (!event) throw unlogged();
  const { keyId, data, recorded_at, kept_from = recorded_at } = event;
  const { metadata = null } = data as { metadata?: Metadata };
  return { keyId, metadata, keptFrom: Date.parse(kept_from) };
};

/** The turn that an event recorded, or whose extraction it records. */
const turnOf = ({ id, type, data }: Event): string | undefined => {
  if (type === 'turn.recorded') return id;
  return type === 'observations.extracted' ? (data as { turn_id: string }).turn_id : undefined;
};

const unlogged = () => unavailable('The log does not have what is to be corrected.');
