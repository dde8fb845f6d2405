import type { NewFragment } from '../../../projections/recall/fragment.ts';
import type { FragmentPlace } from '../../../projections/recall/projection.ts';
import { indexOfPlace, offsetOfPlace, placeOf } from '../../../schemas/events/place.ts';
import { MOST_RECORDS } from '../../../services/core/log/positions.ts';
import type { StoredFragment } from '../../../services/core/ports.ts';

/** A fragment as a recall reads it. */
export interface PackedFragment {
  fragment: StoredFragment;
  /** The session's number. */
  sessionKey: number;
  /** An encoded `Document`. */
  document: Uint8Array;
}

/** Extracted observations have no address of their own: only their turn orders them. */
const NOWHERE = -1;
/** Bits for a part, for the event's index in its record and for the record's offset; ten are left for the partition. */
const PART = 2 ** 7;
const INDEX = 2 ** 8;
const OFFSET = MOST_RECORDS;

/**
 * A fragment's number, computed from its log address: the same in every process and request, before and after the
 * fragment is indexed. Within a partition, numbers ascend in log order. Throws `RangeError` at the bound of a partition: the
 * number would be one of the next partition.
 */
export const keyOf = ({ partition, offset: place, part }: FragmentPlace): number => {
  const offset = offsetOfPlace(place);
  if (offset >= OFFSET)
    throw new RangeError(`partition ${partition} of turns has more than ${OFFSET} records`);
  return ((partition * OFFSET + offset) * INDEX + indexOfPlace(place)) * PART + part;
};

/** The place of a number's event in its partition. */
export const placeIn = (key: number): number => {
  const event = Math.floor(key / PART);
  return placeOf({ offset: Math.floor(event / INDEX) % OFFSET, index: event % INDEX });
};

/** The address that a number was computed from; undefined when the number stands for no address. */
export const placeOfKey = (key = NOWHERE): FragmentPlace | undefined =>
  key < 0
    ? undefined
    : { partition: Math.floor(key / PART / INDEX / OFFSET), offset: placeIn(key), part: key % PART };

/** Bits for an offset in a stored address: 36, as when every record held one event. Its index is stored beside it. */
const STORED_OFFSET = 2 ** 36;

const storedAddress = ({ partition, offset: place, part }: FragmentPlace) => ({
  key: (partition * STORED_OFFSET + offsetOfPlace(place)) * PART + part,
  index: indexOfPlace(place) || undefined,
});

const numberOf = ({ key, index }: { key: number; index?: number }): number => {
  if (key < 0) return NOWHERE;
  const [record, part] = [Math.floor(key / PART), key % PART];
  const offset = placeOf({ offset: record % STORED_OFFSET, index });
  return keyOf({ partition: Math.floor(record / STORED_OFFSET), offset, part });
};

/**
 * Packs everything that recall reads of a fragment into one column, since each additional field costs more than its
 * bytes. Format: u32 length of the document, little endian, then the document, then JSON. The document begins at a
 * multiple of 4, so it is readable without a copy.
 */
export const packFragment = (
  fragment: NewFragment,
  place: FragmentPlace | undefined,
  sessionKey: number,
  document: Uint8Array,
): string => {
  const address = place ? storedAddress(place) : { key: NOWHERE };
  const json = Buffer.from(JSON.stringify({ ...fragment, ...address, sessionKey }));
  const bytes = Buffer.allocUnsafe(4 + document.length + json.length);
  bytes.writeUInt32LE(document.length, 0);
  bytes.set(document, 4);
  bytes.set(json, 4 + document.length);
  return bytes.toString('base64');
};

export const unpackFragment = (base64: string): PackedFragment => {
  const bytes = Buffer.from(base64, 'base64');
  const end = 4 + bytes.readUInt32LE(0);
  const { sessionKey, key, index, ...fragment } = JSON.parse(bytes.toString('utf8', end));
  return {
    fragment: { key: numberOf({ key, index }), ...fragment },
    sessionKey,
    document: bytes.subarray(4, end),
  };
};

/** The columns that `fragmentOf` reads. */
export const FRAGMENT = ['fragment'] as const;
export interface FragmentFields {
  fragment: [packed: string];
}

/** The fragment of a hit. */
export const fragmentOf = ({ fragment: [packed] }: FragmentFields): PackedFragment => unpackFragment(packed);
