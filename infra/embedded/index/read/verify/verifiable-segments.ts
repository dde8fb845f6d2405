import { hash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { openSegment, type Segment } from '../../../../../domain/search/segments/segment.ts';
import { SIGNATURE_WORDS, signature } from '../../../../../domain/search/segments/signature.ts';
import type { Difference } from '../../../../../projections/verify/compare.ts';
import { inSample, type Sample } from '../../../../../projections/verify/sample.ts';
import { idOfBytes, numbersOf, segmentIdsOf } from '../../file/projections-database.ts';
import type { DecodeDocument } from '../decode-document.ts';
import { difference } from './derived-difference.ts';
import { organizationScopes } from './verifiable-scopes.ts';

/** The greatest length that a segment can store. */
const LONGEST = 65_535;

interface Fragment {
  id: string;
  unit: string;
  org: string;
  /** The scopes of its user and of its organization. */
  scopes: [number, number];
  /** Digest of its columns and postings in a segment. */
  digest: string;
  /** The number of times that each of its scopes lists it. */
  listed: [number, number];
}

export const sampledFragments = (
  reader: DatabaseSync,
  sample: Sample,
  decodeDocument: DecodeDocument,
): Map<number, Fragment> => {
  const parents = organizationScopes(reader);
  reader.function('in_sample', { deterministic: true }, id =>
    Number(inSample(sample, hexOf(id as Uint8Array))),
  );
  const rows = reader.prepare(
    `SELECT f.no, f.id, f.turn, f.kind, f.partition, f.session, f.timestamp, f.metadata, f.document, s.org
     FROM fragments f LEFT JOIN scopes s ON s.no = f.partition
     WHERE (f.kind = 0 OR (f.kind = 1 AND f.source = 'client')) AND in_sample(coalesce(f.turn, f.id))`,
  );
  const found = new Map<number, Fragment>();
  for (const row of rows.iterate()) {
    const { stems, counts, length, vector } = decodeDocument(row.document as Uint8Array);
    const signed = new Uint32Array(SIGNATURE_WORDS);
    signature(vector, signed, 0);
    const partition = Number(row.partition);
    const kind = Number(row.kind);
    found.set(Number(row.no), {
      id: idOfBytes(kind === 0 ? 'trn_' : 'obs_', row.id as Uint8Array),
      unit: hexOf((row.turn ?? row.id) as Uint8Array),
      org: String(row.org ?? ''),
      scopes: [partition, parents.get(partition) ?? -1],
      digest: entryDigest([
        [
          Number(row.session),
          Number(row.timestamp),
          kind,
          Math.min(length, LONGEST),
          Number(row.metadata ?? 0),
        ],
        signed,
        stems,
        counts,
      ]),
      listed: [0, 0],
    });
  }
  return found;
};

/** Compares each scope's list and segments with the fragments of the sample. */
export function* scopeDifferences(
  reader: DatabaseSync,
  fragments: ReadonlyMap<number, Fragment>,
): Generator<Difference> {
  const read = reader.prepare('SELECT bytes FROM segments WHERE scope = ? AND first = ? AND level = ?');
  const list = (scope: number, number: number): Fragment | undefined => {
    const fragment = fragments.get(number);
    const at = fragment?.scopes.indexOf(scope) ?? -1;
    if (!fragment || at < 0) return undefined;
    fragment.listed[at as 0 | 1]++;
    return fragment;
  };
  for (const row of reader.prepare('SELECT no, segments, loose FROM scopes').iterate()) {
    const scope = Number(row.no);
    for (const number of numbersOf(row.loose as Uint8Array)) list(scope, number);
    for (const { level, first } of segmentIdsOf(row.segments as Uint8Array)) {
      const stored = read.get(scope, first, level);
      if (!stored) continue;
      const segment = openSegment(stored.bytes as Uint8Array);
      const listed = new Map<number, Fragment>();
      segment.numbers.forEach((number, index) => {
        const fragment = list(scope, number);
        if (fragment) listed.set(index, fragment);
      });
      for (const [index, digest] of entryDigests(segment, listed)) {
        const fragment = listed.get(index)!;
        if (digest !== fragment.digest)
          yield difference('segment', fragment.id, fragment.org, 'has other columns', fragment.unit);
      }
    }
  }
  for (const { id, org, unit, listed } of fragments.values())
    for (const [i, scope] of ["its user's scope", "its organization's scope"].entries())
      if (listed[i] !== 1)
        yield difference('scope', id, org, `is in ${scope} ${listed[i]} times, not once`, unit);
}

/** Returns digests of the wanted fragments of a segment, by index. */
const entryDigests = (segment: Segment, wanted: ReadonlyMap<number, unknown>): Map<number, string> => {
  const postings = new Map(
    [...wanted.keys()].map(index => [index, { stems: [] as number[], counts: [] as number[] }]),
  );
  if (wanted.size > 0) {
    segment.terms.forEach((term, t) => {
      for (let i = segment.starts[t]!; i < segment.starts[t + 1]!; i++) {
        const posting = postings.get(segment.posted[i]!);
        posting?.stems.push(term);
        posting?.counts.push(segment.occurrences[i]!);
      }
    });
  }
  return new Map(
    [...postings].map(([index, { stems, counts }]) => {
      const { sessions, timestamps, kinds, lengths, metadata, signatures } = segment;
      const signed = signatures.subarray(index * SIGNATURE_WORDS, (index + 1) * SIGNATURE_WORDS);
      const columns = [
        sessions[index]!,
        timestamps[index]!,
        kinds[index]!,
        lengths[index]!,
        metadata[index]!,
      ];
      return [index, entryDigest([columns, signed, stems, counts])];
    }),
  );
};

const entryDigest = (parts: readonly ArrayLike<number>[]): string =>
  hash('sha256', JSON.stringify(parts.map(part => Array.from(part)))).slice(0, 32);

const hexOf = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex');
