import { hash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import type { RowIds } from '../scopes/scope-row-ids.ts';

export interface MetadataWriter {
  /** Returns the number of a metadata with these terms in a session; null without any. */
  numberOf(ids: RowIds, terms: readonly string[] | undefined): number | null;
  /** Removes those of these metadata that have lost their last row. */
  clean(numbers: Iterable<number | null>): void;
  /** Called after a rollback. */
  forget(): void;
}

const DIGEST_BYTES = 16;

export const openMetadataWriter = (database: DatabaseSync): MetadataWriter => {
  const find = database.prepare('SELECT no FROM metadata WHERE session = ? AND digest = ?');
  const insert = database.prepare(
    'INSERT INTO metadata (organization, partition, session, digest, terms) VALUES (?, ?, ?, ?, ?)',
  );
  const insertTerm = database.prepare('INSERT INTO metadata_terms (scope, term, metadata) VALUES (?, ?, ?)');
  const remove = database.prepare(
    `DELETE FROM metadata WHERE no IN (SELECT value FROM json_each(?))
       AND NOT EXISTS (SELECT 1 FROM fragments f WHERE f.metadata = metadata.no)
       AND NOT EXISTS (SELECT 1 FROM findings m WHERE m.metadata = metadata.no)
     RETURNING no, organization, partition, terms`,
  );
  const removeTerm = database.prepare(
    'DELETE FROM metadata_terms WHERE scope = ? AND term = ? AND metadata = ?',
  );
  /** Remembers the last metadata: the rows of a turn are consecutive, and so are the turns of a write. */
  let last: { session: number; terms: readonly string[]; number: number } | undefined;

  const add = ({ organization, partition, session }: RowIds, terms: readonly string[]): number => {
    const json = Buffer.from(JSON.stringify(terms));
    const digest = hash('sha256', json, 'buffer').subarray(0, DIGEST_BYTES);
    const found = find.get(session, digest);
    if (found) return Number(found.no);
    const number = Number(insert.run(organization, partition, session, digest, json).lastInsertRowid);
    for (const scope of [partition, organization])
      for (const term of terms) insertTerm.run(scope, Buffer.from(term), number);
    return number;
  };

  return {
    numberOf: (ids, terms) => {
      if (!terms || terms.length === 0) return null;
      if (last?.session !== ids.session || last.terms !== terms)
        last = { session: ids.session, terms, number: add(ids, terms) };
      return last.number;
    },
    clean: numbers => {
      const named = [...new Set(numbers)].filter(number => number !== null);
      if (named.length === 0) return;
      last = undefined;
      for (const { no, organization, partition, terms } of remove.all(JSON.stringify(named)))
        for (const term of termsOfBytes(terms))
          for (const scope of [partition, organization]) removeTerm.run(scope!, Buffer.from(term), no!);
    },
    forget: () => {
      last = undefined;
    },
  };
};

/** Parses the terms of a row of `metadata`. */
export const termsOfBytes = (bytes: unknown): string[] =>
  JSON.parse(Buffer.from(bytes as Uint8Array).toString());
