import type { NewFragment } from '../../../domain/search/fragment.ts';
import type { FragmentAddress } from '../../../projections/recall/recall-writes.ts';
import { eventOffsetOf, indexInRecord, recordOffsetOf } from '../../../schemas/events/event-offset.ts';

/** A fragment as a recall reads it. */
export interface PackedFragment {
  fragment: NewFragment;
  /** Undefined for extracted observations, which only their turn orders. */
  address: FragmentAddress | undefined;
  /** The session's number. */
  sessionKey: number;
  /** An encoded `Document`. */
  document: Uint8Array;
}

/** Encodes a missing address. */
const NOWHERE = -1;
/** Reserves 7 bits for a part. */
const PART = 2 ** 7;
/** Reserves 36 bits for an offset in a stored address. The index in the record is stored beside it. */
const STORED_OFFSET = 2 ** 36;

const storedAddress = ({ partition, offset: eventOffset, part }: FragmentAddress) => ({
  key: (partition * STORED_OFFSET + recordOffsetOf(eventOffset)) * PART + part,
  index: indexInRecord(eventOffset) || undefined,
});

const addressOf = ({ key, index }: { key: number; index?: number }): FragmentAddress | undefined => {
  if (key < 0) return undefined;
  const [record, part] = [Math.floor(key / PART), key % PART];
  const offset = eventOffsetOf({ offset: record % STORED_OFFSET, index });
  return { partition: Math.floor(record / STORED_OFFSET), offset, part };
};

/**
 * Packs everything that recall reads of a fragment into one column, since each additional field costs more
 * than its bytes. Format: u32 length of the document, little endian, then the document, then JSON. The
 * document begins at a multiple of 4, so it is readable without a copy.
 */
export const packFragment = (
  fragment: NewFragment,
  address: FragmentAddress | undefined,
  sessionKey: number,
  document: Uint8Array,
): string => {
  const stored = address ? storedAddress(address) : { key: NOWHERE };
  const json = Buffer.from(JSON.stringify({ ...fragment, ...stored, sessionKey }));
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
    fragment,
    address: addressOf({ key, index }),
    sessionKey,
    document: bytes.subarray(4, end),
  };
};

/** The columns that `fragmentOf` reads. */
export const FRAGMENT = ['fragment'] as const;
export interface FragmentFields {
  fragment: [packed: string];
}

/** Returns the fragment of a hit. */
export const fragmentOf = ({ fragment: [packed] }: FragmentFields): PackedFragment => unpackFragment(packed);
