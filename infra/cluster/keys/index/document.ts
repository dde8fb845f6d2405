import { decodeKey, encodeKey } from '../record.ts';
import type { StoredKey } from './key-index.ts';

/** The fields of a document in Elasticsearch, of any kind. */
export interface Source {
  kind: 'key' | 'position' | 'turn';
  owner?: string;
  session?: string;
  under?: string;
  /** The whole key as in its record; missing in a stub. */
  record?: string | undefined;
  partition?: number;
  offset?: number;
  first?: number;
  pass?: string;
  destroyed?: boolean;
  since?: number | undefined;
  unswept?: boolean | undefined;
  whole?: number;
}

export const documentOf = ({ keyId: _, key, isUnswept, ...fields }: StoredKey): Source => ({
  kind: 'key',
  ...fields,
  record: key && encodeKey(key),
  destroyed: key === undefined,
  unswept: isUnswept,
});

export const keyOfDocument = (keyId: string, source: Source): StoredKey => {
  const {
    owner = '',
    session = '',
    under = '',
    partition = 0,
    offset = 0,
    first = offset,
    pass = '',
  } = source;
  return {
    keyId,
    key: source.record === undefined ? undefined : decodeKey(source.record),
    owner,
    session,
    under,
    partition,
    offset,
    first,
    pass,
    since: source.since,
    isUnswept: source.unswept,
  };
};
