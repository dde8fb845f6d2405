import type { DatabaseSync } from 'node:sqlite';
import type { StoredFragment } from '../../../../../core/ports.ts';
import { documentBytes } from '../../../../../domain/search/document.ts';
import { entryExpiry } from '../../../../../domain/search/segments/segment.ts';
import type { Indexed } from '../../../../../projections/recall/tail/indexed.ts';
import { makeRecent } from '../../../../../projections/recall/tail/recent.ts';
import type { DecodeDocument } from '../decode-document.ts';
import { fragmentOf, selectChosen } from '../read-fragment.ts';

/** Decoded documents in memory; they never change. Usually about 1 KiB each. */
const CACHED = {
  entries: 6_000,
  bytes: 24 * 1024 * 1024,
  bytesOf: ({ document }: Indexed) => documentBytes(document),
};

type DocumentRow = [
  number,
  string,
  number,
  number,
  number,
  number | null,
  number | null,
  number,
  string,
  number,
  Uint8Array,
];

export interface FragmentReader {
  /** Returns entries sorted by number. */
  read(numbers: readonly number[]): Indexed[];
  /** Returns fragments by number; erased ones are missing. */
  stored(numbers: readonly number[]): Map<number, StoredFragment>;
}

export const openFragmentReader = (reader: DatabaseSync, decodeDocument: DecodeDocument): FragmentReader => {
  // By numbers that a search has chosen: fragments that had expired are not among them; those that expire
  // meanwhile are still read.
  const readDocuments = reader.prepare(
    `SELECT no, lower(hex(id)), session, timestamp, recorded, expires, kept_from, kind, role, ifnull(metadata, 0), document
     FROM main.fragments
     WHERE no IN (SELECT value FROM json_each(?))`,
  );
  readDocuments.setReturnArrays(true);
  const readStored = reader.prepare(
    `${selectChosen} WHERE f.no IN (SELECT value FROM json_each(?)) AND f.kind < 2`,
  );
  const recent = makeRecent<number, Indexed>(CACHED);

  return {
    read: numbers => {
      const found: Indexed[] = [];
      const missing: number[] = [];
      for (const number of numbers) {
        const entry = recent.get(number);
        if (entry) found.push(entry);
        else missing.push(number);
      }
      if (missing.length > 0) {
        const rows = readDocuments.all(JSON.stringify(missing)) as unknown as DocumentRow[];
        for (const [
          number,
          id,
          session,
          timestamp,
          recorded,
          at,
          from,
          kind,
          role,
          metadata,
          bytes,
        ] of rows) {
          const document = decodeDocument(bytes);
          const times = { timestamp, recorded, expires: entryExpiry(at, from, recorded) };
          found.push(recent.set(number, { number, id, session, ...times, kind, role, metadata, document }));
        }
        found.sort((a, b) => a.number - b.number);
      }
      return found;
    },
    stored: numbers => {
      const rows = numbers.length === 0 ? [] : readStored.all(JSON.stringify(numbers));
      return new Map(rows.map(row => [Number(row.no), fragmentOf(row)]));
    },
  };
};
