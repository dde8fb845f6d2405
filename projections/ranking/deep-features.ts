import { type Candidate, type Neighbour, wholeOf } from '../recall/document.ts';
import { byPlace } from './by-place.ts';
import { addTo, dot, unit, windowCosine } from './centred.ts';
import type { Prepared } from './features.ts';

/**
 * The features that the second pass adds to those of the first, in the order of a row; names as in
 * weights.json.
 */
export const DEEP_FEATURES = [
  'likeBestHit',
  'likeQueryAndHits',
  'windowLikeQueryAndHits',
  'strengthNext',
  'strengthSession',
] as const;

/** Number of first-pass hits that the second pass follows. */
const FOLLOWED = 8;
/** Turns of one timestamp that are compared one by one. */
const FEW = 4;
/** Strength falls by a factor of e for every 2 by which a turn's linear sum is below the best. */
const HIT_SOFTNESS = 2;
/**
 * A session's strength falls more slowly: the items of a list are spread over several sessions, and all of them are
 * strong hits.
 */
const SESSION_SOFTNESS = 4;

interface Session {
  /** Sum of its candidates' strengths. */
  sum: number;
  /** Its turns among the candidates, by timestamp. */
  turns: Map<number, SameInstant>;
}

/** Turns of one timestamp, which only their content distinguishes. */
interface SameInstant {
  turns: number[];
  /** The first turn of each content, once it was asked for. */
  byContent?: Map<string, number>;
}

interface Hit {
  /** 1 for the best hit. */
  strength: number;
  vector: Float32Array;
}

/**
 * Makes the rows of the deep features. Similarity is a centred cosine: of a turn with its most similar hit, and of the
 * turn and its window with the query and the hits together. Strength comes from the first pass: that of the two turns
 * that follow (a turn before a strong hit shares its window, so the first pass rates it too high), and that of all other
 * candidates of the session.
 *
 * @param sums linear sums of the first pass, one per candidate
 */
export const deepFeatureRows = (
  { space, direction }: Pick<Prepared, 'space' | 'direction'>,
  candidates: readonly Candidate[],
  sums: Float64Array,
): Float32Array => {
  const width = DEEP_FEATURES.length;
  const rows = new Float32Array(candidates.length * width);
  if (candidates.length === 0) return rows;
  // Floats are summed in this order, so that the result doesn't depend on the order of the candidates.
  const order = Array.from(candidates.keys()).sort(
    (a, b) => sums[b]! - sums[a]! || byPlace(candidates[a]!, candidates[b]!),
  );
  const best = sums[order[0]!]!;
  const strengths = sums.map(sum => Math.exp((sum - best) / HIT_SOFTNESS));
  const hits = order
    .slice(0, FOLLOWED)
    .map((c): Hit => ({ strength: strengths[c]!, vector: space.of(candidates[c]!.document.vector) }));
  const wanted = queryAndHits(direction, hits);
  const inSession = sums.map(sum => Math.exp((sum - best) / SESSION_SOFTNESS));
  const sessions = new Map<number, Session>();
  for (const c of order) {
    const { session, kind, timestamp } = candidates[c]!;
    const found = sessions.get(session) ?? { sum: 0, turns: new Map() };
    sessions.set(session, found);
    found.sum += inSession[c]!;
    if (kind !== 'turn') continue;
    const then = found.turns.get(timestamp);
    if (then) then.turns.push(c);
    else found.turns.set(timestamp, { turns: [c] });
  }

  candidates.forEach((candidate, c) => {
    const at = c * width;
    const vector = space.of(candidate.document.vector);
    const session = sessions.get(candidate.session)!;
    rows[at] = hits.reduce((most, hit) => Math.max(most, hit.strength * dot(hit.vector, vector)), 0);
    rows[at + 1] = dot(wanted, vector);
    rows[at + 2] = windowCosine(space, candidate, wanted);
    for (const next of candidate.neighbours.slice(2)) {
      const found = next && turnOf(next, session.turns.get(next.timestamp), candidates);
      if (found !== undefined) rows[at + 3]! += strengths[found]!;
    }
    rows[at + 4] = Math.log1p(session.sum - inSession[c]!);
  });
  return rows;
};

/** The turn among those of its session and timestamp that is this neighbour, which has no candidate id. */
const turnOf = (
  neighbour: Neighbour,
  instant: SameInstant | undefined,
  candidates: readonly Candidate[],
): number | undefined => {
  if (!instant) return undefined;
  if (instant.turns.length <= FEW) return instant.turns.find(turn => isSame(candidates[turn]!, neighbour));
  // A whole session may have one timestamp: comparing each of its turns with each takes a tenth of a second.
  instant.byContent ??= new Map(
    instant.turns.toReversed().map(turn => [contentOf(candidates[turn]!), turn] as const),
  );
  return instant.byContent.get(contentOf(neighbour));
};

const isSame = (turn: Candidate, { role, document: { stems, length } }: Neighbour): boolean => {
  // A neighbour is a whole turn.
  const own = wholeOf(turn);
  return (
    turn.role === role &&
    own.length === length &&
    own.stems.length === stems.length &&
    own.stems.every((stem, i) => stem === stems[i])
  );
};

const contentOf = (turn: Pick<Candidate, 'role' | 'document' | 'part'>): string => {
  const { stems, length } = wholeOf(turn);
  return `${length} ${stems.join(' ')} ${turn.role}`;
};

/** Direction of the query and the hits together, in equal parts (Rocchio 1971). */
const queryAndHits = (asked: Float32Array, hits: readonly Hit[]): Float32Array => {
  const found = new Float32Array(asked.length);
  for (const { strength, vector } of hits) addTo(found, vector, strength);
  const both = asked.slice();
  addTo(both, unit(found), 1);
  return unit(both);
};
