import type { DatabaseSync } from 'node:sqlite';
import { entityId } from '../../../../../domain/identity/identity.ts';
import type { Difference } from '../../../../../projections/verify/compare.ts';
import type { Sample } from '../../../../../projections/verify/sample.ts';
import { termsOfBytes } from '../../write/recall/metadata.ts';
import type { DecodeDocument } from '../decode-document.ts';
import { difference } from './derived-difference.ts';
import { countDifferences } from './verifiable-scopes.ts';
import { sampledFragments, scopeDifferences } from './verifiable-segments.ts';

/**
 * Compares redundant data in the file: every active fragment of the sample is exactly once in its user's
 * scope and in its organization's, with its own columns and postings; a scope has the names of its key and
 * lists as many fragments as there are; an entity has the smallest of its spellings, and all turns that name
 * it; a correction is found by all that it is hidden with.
 */
export function* derivedDifferences(
  reader: DatabaseSync,
  sample: Sample,
  decodeDocument: DecodeDocument,
): Generator<Difference> {
  yield* entityDifferences(reader);
  yield* namedDifferences(reader);
  yield* countDifferences(reader);
  yield* metadataDifferences(reader);
  yield* followedDifferences(reader);
  yield* scopeDifferences(reader, sampledFragments(reader, sample, decodeDocument));
}

function* entityDifferences(reader: DatabaseSync): Generator<Difference> {
  const entities = reader.prepare(
    `SELECT e.id, e.normalised, e.label, e.kind, s.key AS scope, min(m.label) AS first_label, min(m.kind) AS first_kind,
       min(EXISTS (SELECT 1 FROM named n WHERE n.entity = m.entity AND n.spelling = m.no)) AS named
     FROM entities e LEFT JOIN spellings m ON m.entity = e.no LEFT JOIN scopes s ON s.no = e.partition
     GROUP BY e.no`,
  );
  for (const row of entities.iterate()) {
    const [org = '', user = ''] = row.scope === null ? [] : (JSON.parse(String(row.scope)) as string[]);
    const id = String(row.id);
    if (id !== entityId(org, user, String(row.normalised)))
      yield difference('entity', id, org, 'its id is of another label');
    if (row.first_label === null || row.named === 0) yield difference('entity', id, org, 'no turn names it');
    else if (row.label !== row.first_label || row.kind !== row.first_kind)
      yield difference('entity', id, org, 'not the first of its spellings');
  }
}

/** Compares the turns by which an entity is found with those that name it. */
function* namedDifferences(reader: DatabaseSync): Generator<Difference> {
  // A damaged list names nothing.
  const said = `SELECT s.entity, v.value AS spelling, f.no AS finding FROM findings f,
    json_each(iif(json_valid(f.named), f.named, '[]')) v LEFT JOIN spellings s ON s.no = v.value`;
  const found = 'SELECT entity, spelling, finding FROM named';
  const rows = reader.prepare(
    `WITH said AS (${said}), found AS (${found}) SELECT DISTINCT d.entity AS no, e.id, s.org
     FROM (SELECT * FROM (SELECT * FROM said EXCEPT SELECT * FROM found)
       UNION ALL SELECT * FROM (SELECT * FROM found EXCEPT SELECT * FROM said)) d
     LEFT JOIN entities e ON e.no = d.entity LEFT JOIN scopes s ON s.no = e.partition`,
  );
  for (const { no, id, org } of rows.iterate())
    yield difference(
      'entity',
      String(id ?? no),
      String(org ?? ''),
      'has other turns than those that name it',
    );
}

/** Compares what corrections are found by, when that is hidden, with what they follow. */
function* followedDifferences(reader: DatabaseSync): Generator<Difference> {
  // A damaged column is a difference of its row.
  const said = `SELECT unhex(substr(j.value, 5)) AS id, f.no AS fragment FROM fragments f,
    json_each(iif(json_valid(f.corrects), f.corrects, '{}'), '$.follows') j WHERE f.corrected_id IS NOT NULL`;
  const found = 'SELECT id, fragment FROM followed';
  const rows = reader.prepare(
    `WITH said AS (${said}), found AS (${found}) SELECT lower(hex(coalesce(f.id, d.id))) AS id, s.org
     FROM (SELECT * FROM (SELECT * FROM said EXCEPT SELECT * FROM found)
       UNION ALL SELECT * FROM (SELECT * FROM found EXCEPT SELECT * FROM said)) d
     LEFT JOIN fragments f ON f.no = d.fragment LEFT JOIN scopes s ON s.no = f.organization`,
  );
  for (const { id, org } of rows.iterate())
    yield difference('observation', `obs_${id}`, String(org ?? ''), 'is not found by what it follows');
}

/** Compares the terms by which each metadata is found with its own terms. */
function* metadataDifferences(reader: DatabaseSync): Generator<Difference> {
  const orgs = new Map(
    reader
      .prepare('SELECT no, org FROM scopes')
      .all()
      .map(({ no, org }) => [Number(no), String(org)]),
  );
  const find = reader.prepare('SELECT 1 FROM metadata_terms WHERE scope = ? AND term = ? AND metadata = ?');
  let expected = 0;
  for (const { no, organization, partition, terms } of reader.prepare('SELECT * FROM metadata').iterate()) {
    const scopes = [partition!, organization!];
    const own = termsOfBytes(terms).map(term => Buffer.from(term));
    expected += own.length * scopes.length;
    if (!own.every(term => scopes.every(scope => find.get(scope, term, no!))))
      yield difference(
        'metadata',
        String(no),
        orgs.get(Number(organization)) ?? '',
        'is not found by a term',
      );
  }
  const { found } = reader.prepare('SELECT count(*) AS found FROM metadata_terms').get()!;
  if (Number(found) !== expected)
    yield difference('metadata', 'terms', '', `has ${found} terms, not ${expected}`);
}
