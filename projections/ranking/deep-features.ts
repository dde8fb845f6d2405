import type { Candidate } from '../recall/document.ts';
import { addTo, dot, unit } from './centred.ts';
import type { Prepared } from './features.ts';
import { byPlace } from './rank.ts';

/** What the second pass knows of a candidate beside the first one's features, in the order of a row; names as in weights.json. */
export const DEEP_FEATURES = ['likeBestHit', 'likeQueryAndHits', 'strengthSession'] as const;

/** Hits of the first pass that the second follows. */
const FOLLOWED = 8;
/** A hit counts for less by e with every two of the linear sum that it lies below the best. */
const HIT_SOFTNESS = 2;
/** A session's strength falls more slowly: the hits of a list are scattered over sessions, and are all strong. */
const SESSION_SOFTNESS = 4;
interface Hit {
  /** 1 for the best. */
  share: number;
  vector: Float32Array;
}

/**
 * Rows of the deep features. Likeness is the centred cosine of two texts: of a turn with the hit that it is most like, and
 * with the query and the hits together.
 * Last, how much of the first pass's strength lies in the other turns of the session.
 *
 * @param sums linear sums of the first pass, one a candidate
 */
export const deepFeatureRows = (
  { space, direction }: Pick<Prepared, 'space' | 'direction'>,
  candidates: readonly Candidate[],
  sums: Float64Array,
): Float32Array => {
  const width = DEEP_FEATURES.length;
  const rows = new Float32Array(candidates.length * width);
  if (candidates.length === 0) return rows;
  // Sums of floats are taken in this order, so that they don't depend on that of the candidates.
  const order = Array.from(candidates.keys()).sort(
    (a, b) => sums[b]! - sums[a]! || byPlace(candidates[a]!, candidates[b]!),
  );
  const best = sums[order[0]!]!;
  const hits = order.slice(0, FOLLOWED).map(
    (c): Hit => ({
      share: Math.exp((sums[c]! - best) / HIT_SOFTNESS),
      vector: space.of(candidates[c]!.document.vector),
    }),
  );
  const wanted = queryAndHits(direction, hits);
  const strengths = sums.map(sum => Math.exp((sum - best) / SESSION_SOFTNESS));
  const sessions = new Map<number, number>();
  for (const c of order) {
    const { session } = candidates[c]!;
    sessions.set(session, (sessions.get(session) ?? 0) + strengths[c]!);
  }

  candidates.forEach((candidate, c) => {
    const at = c * width;
    const vector = space.of(candidate.document.vector);
    rows[at] = hits.reduce((most, hit) => Math.max(most, hit.share * dot(hit.vector, vector)), 0);
    rows[at + 1] = dot(wanted, vector);
    rows[at + 2] = Math.log1p(sessions.get(candidate.session)! - strengths[c]!);
  });
  return rows;
};

/** Direction of the query and the hits together, each half (Rocchio 1971). */
const queryAndHits = (asked: Float32Array, hits: readonly Hit[]): Float32Array => {
  const found = new Float32Array(asked.length);
  for (const { share, vector } of hits) addTo(found, vector, share);
  const both = asked.slice();
  addTo(both, unit(found), 1);
  return unit(both);
};
