import type { Candidate } from '../recall/document.ts';
import { dotInt8 } from './dot.ts';
import { byPlace } from './rank.ts';

/** What the first pass's ranking says of a candidate, in the order of a row; names as in weights.json. */
export const DEEP_FEATURES = [
  'strength',
  'strengthPrevious',
  'strengthNext',
  'strengthPrevious2',
  'strengthNext2',
  'strengthSession',
  'likeHits',
  'likeBestHit',
  'wordsOfHits',
  'speakerOfHits',
] as const;

/** Hits of the first pass that the second follows. */
const FOLLOWED = 5;
/** Strength halves with every .7 of the linear sum (a factor of e with 1): how the weights were fitted. */
const strengthOf = (sum: number, best: number): number => Math.exp(sum - best);

/**
 * Rows of the deep features. A candidate's strength is exp(its sum - the best sum), so the best has 1.
 *
 * @param sums linear sums of the first pass, one a candidate
 */
export const deepFeatureRows = (candidates: readonly Candidate[], sums: Float64Array): Float32Array => {
  const width = DEEP_FEATURES.length;
  const rows = new Float32Array(candidates.length * width);
  if (candidates.length === 0) return rows;
  const best = sums.reduce((max, sum) => Math.max(max, sum), Number.NEGATIVE_INFINITY);
  const strengths = sums.map(sum => strengthOf(sum, best));
  const places = strengthsByPlace(candidates, strengths);
  const hits = Array.from(candidates.keys())
    .sort((a, b) => sums[b]! - sums[a]! || byPlace(candidates[a]!, candidates[b]!))
    .slice(0, FOLLOWED);
  const rare = rareStems(candidates, strengths, hits);
  const norms = candidates.map(candidate => norm(candidate.document.vector));

  candidates.forEach((candidate, c) => {
    const session = places.get(candidate.session)!;
    const at = c * width;
    rows[at] = strengths[c]!;
    candidate.neighbours.forEach((neighbour, n) => {
      if (neighbour) rows[at + 1 + n] = session.byTime.get(neighbour.timestamp) ?? 0;
    });
    rows[at + 5] = Math.log1p(session.sum - strengths[c]!);
    let weight = 0;
    let like = 0;
    let spoken = 0;
    for (const hit of hits) {
      if (hit === c) continue;
      const other = candidates[hit]!;
      const cosine =
        dot(candidate.document.vector, other.document.vector) / Math.max(1, norms[c]! * norms[hit]!);
      weight += strengths[hit]!;
      like += strengths[hit]! * cosine;
      if (other.role === candidate.role) spoken += strengths[hit]!;
      rows[at + 7] = Math.max(rows[at + 7]!, cosine * strengths[hit]!);
    }
    rows[at + 6] = weight > 0 ? like / weight : 0;
    let shared = 0;
    for (const stem of candidate.document.stems) {
      const found = rare.get(stem);
      if (found) shared += found.sum - (hits.includes(c) ? (found.own.get(c) ?? 0) : 0);
    }
    rows[at + 8] = shared;
    rows[at + 9] = weight > 0 ? spoken / weight : 0;
  });
  return rows;
};

/** Strengths of each session's turns by their time, and their sum. Turns of one instant share the greater. */
const strengthsByPlace = (candidates: readonly Candidate[], strengths: Float64Array) => {
  const places = new Map<number, { byTime: Map<number, number>; sum: number }>();
  candidates.forEach(({ session, timestamp, kind }, c) => {
    let place = places.get(session);
    if (!place) {
      place = { byTime: new Map(), sum: 0 };
      places.set(session, place);
    }
    place.sum += strengths[c]!;
    if (kind === 'turn')
      place.byTime.set(timestamp, Math.max(place.byTime.get(timestamp) ?? 0, strengths[c]!));
  });
  return places;
};

/** Stems of the hits by how rare they are among the candidates: names and things, not the common words. */
const rareStems = (candidates: readonly Candidate[], strengths: Float64Array, hits: readonly number[]) => {
  const holding = new Map<number, number>();
  for (const { document } of candidates) {
    for (const stem of document.stems) holding.set(stem, (holding.get(stem) ?? 0) + 1);
  }
  const rare = new Map<number, { sum: number; own: Map<number, number> }>();
  const total = hits.reduce((sum, hit) => sum + strengths[hit]!, 0) || 1;
  for (const hit of hits) {
    const { stems } = candidates[hit]!.document;
    for (const stem of stems) {
      const rareness = Math.max(0, Math.log(candidates.length / holding.get(stem)!) - 2) / 10;
      if (rareness === 0) continue;
      const found = rare.get(stem) ?? { sum: 0, own: new Map() };
      const given = (rareness * strengths[hit]!) / total;
      found.sum += given;
      found.own.set(hit, given);
      rare.set(stem, found);
    }
  }
  return rare;
};

const dot = (a: Int8Array, b: Int8Array): number => dotInt8(a, 0, b, 0, a.length);
const norm = (a: Int8Array): number => Math.sqrt(dot(a, a));
