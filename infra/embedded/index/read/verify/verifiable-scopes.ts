import type { DatabaseSync } from 'node:sqlite';
import { openSegment } from '../../../../../domain/search/segments/segment.ts';
import type { Difference } from '../../../../../projections/verify/compare.ts';
import { numbersOf, segmentIdsOf } from '../../file/projections-database.ts';
import { difference } from './derived-difference.ts';

/** The rows that recall searches: turns with a document, and clients' observations. */
const ACTIVE = `(kind = 0 OR (kind = 1 AND source = 'client'))`;

/** Compares the number of fragments that each scope lists with the actual number. */
export function* countDifferences(reader: DatabaseSync): Generator<Difference> {
  const present = new Map<number, number>();
  const parents = organizationScopes(reader);
  const counts = reader.prepare(
    `SELECT partition, count(*) AS count FROM fragments WHERE ${ACTIVE} GROUP BY partition`,
  );
  for (const { partition, count } of counts.iterate()) {
    for (const scope of [Number(partition), parents.get(Number(partition)) ?? -1])
      present.set(scope, (present.get(scope) ?? 0) + Number(count));
  }
  const sizes = reader.prepare('SELECT bytes FROM segments WHERE scope = ? AND first = ? AND level = ?');
  for (const row of reader.prepare('SELECT no, key, org, user, segments, loose FROM scopes').iterate()) {
    const no = Number(row.no);
    const names = row.user === null ? [row.org] : [row.org, row.user];
    if (row.key !== JSON.stringify(names))
      yield difference('scope', String(row.key), String(row.org), 'is listed under another name');
    let listed = numbersOf(row.loose as Uint8Array).length;
    for (const { level, first } of segmentIdsOf(row.segments as Uint8Array)) {
      const segment = sizes.get(no, first, level);
      if (!segment)
        yield difference('segment', `${row.key} ${first}/${level}`, String(row.org), 'is missing');
      else listed += openSegment(segment.bytes as Uint8Array).size;
    }
    const there = present.get(no) ?? 0;
    if (listed !== there)
      yield difference('scope', String(row.key), String(row.org), `lists ${listed} fragments of ${there}`);
  }
}

/** Returns the organization's scope of each user scope. */
export const organizationScopes = (reader: DatabaseSync): Map<number, number> => {
  const byKey = new Map(
    reader
      .prepare('SELECT no, key FROM scopes')
      .all()
      .map(({ no, key }) => [String(key), Number(no)]),
  );
  return new Map(
    [...byKey].map(([key, no]) => {
      const [org] = JSON.parse(key) as string[];
      return [no, byKey.get(JSON.stringify([org])) ?? -1];
    }),
  );
};
