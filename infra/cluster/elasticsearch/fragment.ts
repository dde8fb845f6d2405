import type { NewFragment } from '../../../projections/recall/fragment.ts';
import type { FragmentPlace } from '../../../projections/recall/projection.ts';
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
/** Bits for a part and for an offset; ten are left for the partition. */
const PART = 2 ** 7;
const OFFSET = 2 ** 36;

/**
 * A fragment's number, computed from its log address: the same in every process and request, before and after the
 * fragment is indexed. Within a partition, numbers ascend in log order.
 */
export const keyOf = ({ partition, offset, part }: FragmentPlace): number =>
  (partition * OFFSET + offset) * PART + part;

export const offsetOf = (key: number): number => Math.floor(key / PART) % OFFSET;

/** The address that a number was computed from; undefined when the number stands for no address. */
export const placeOfKey = (key = NOWHERE): FragmentPlace | undefined =>
  key < 0
    ? undefined
    : { partition: Math.floor(key / PART / OFFSET), offset: offsetOf(key), part: key % PART };

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
  const key = place ? keyOf(place) : NOWHERE;
  const json = Buffer.from(JSON.stringify({ ...fragment, key, sessionKey }));
  const bytes = Buffer.allocUnsafe(4 + document.length + json.length);
  bytes.writeUInt32LE(document.length, 0);
  bytes.set(document, 4);
  bytes.set(json, 4 + document.length);
  return bytes.toString('base64');
};

export const unpackFragment = (base64: string): PackedFragment => {
  const bytes = Buffer.from(base64, 'base64');
  const end = 4 + bytes.readUInt32LE(0);
  const { sessionKey, ...fragment } = JSON.parse(bytes.toString('utf8', end));
  return { fragment, sessionKey, document: bytes.subarray(4, end) };
};

/** The columns that `fragmentOf` reads. */
export const FRAGMENT = ['fragment'] as const;
export interface FragmentFields {
  fragment: [packed: string];
}

/** The fragment of a hit. */
export const fragmentOf = ({ fragment: [packed] }: FragmentFields): PackedFragment => unpackFragment(packed);
