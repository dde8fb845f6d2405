import { type Candidate, type Neighbour, type ScopeStatistics, wholeOf } from '../../search/document.ts';
import { addTo, unit, windowCosine } from '../vectors/centred.ts';
import { byTime } from './by-time.ts';
import type { Prepared } from './features.ts';

/**
 * Features of a turn relative to the first hits, in the order of a row; the names are the keys of
 * weights.json. Deep mode adds their weighted sum to that of active mode.
 */
export const DEEP_FEATURES = ['windowLikeQueryAndHits', 'nearHit'] as const;

/** Number of first-pass hits that are followed. */
const HITS = 10;
/** Number of them that form a direction together with the query. */
const LIKENED = 8;
/** Up to this many turns of one timestamp are compared one by one. */
const FEW = 4;
/** Strength falls by a factor of e for every 2 by which a turn's linear sum is below the best. */
const HIT_SOFTNESS = 2;
/**
 * At or below this average session length, in turns, the hits say nothing about the turns near them: each
 * session has only one turn that belongs to the answer.
 */
const SHORT_SESSION = 14;
/**
 * Longer sessions count as this long: otherwise a group that never starts a new session would count as a
 * meeting of days.
 */
const LONG_SESSION = 100;
/** Number of turns that count as near a hit, itself included. */
const NEAR_TURNS = 5;
/** Nearness of the neighbours at -2, -1, +1, +2. */
const NEARNESS = [0.5, 1, 1, 0.5];

/** Turns of one timestamp, distinguished only by their content. */
interface SameInstant {
  turns: number[];
  /** The first turn of each content; computed on first use. */
  byContent?: Map<string, number>;
}

interface Hit {
  /** 1 for the best hit. */
  strength: number;
  vector: Float32Array;
}

/**
 * Computes the deep features from the first pass: the centred cosine of a turn and its window with the query
 * and the hits together, and whether the turn stands next to a hit. Both count more the longer the scope's
 * sessions are, up to a hundred turns: parts of an answer stand together in a meeting, and are rarely said
 * twice in a short talk.
 *
 * @param sums linear sums of the first pass, one per candidate
 */
export const deepFeatureRows = (
  { space, direction, statistics }: Pick<Prepared, 'space' | 'direction' | 'statistics'>,
  candidates: readonly Candidate[],
  sums: Float64Array,
): Float32Array => {
  const width = DEEP_FEATURES.length;
  const rows = new Float32Array(candidates.length * width);
  const { turns, sessions } = statistics;
  const length = Math.log(Math.min(turns / (sessions || 1), LONG_SESSION) / SHORT_SESSION);
  if (candidates.length === 0 || !(length > 0)) return rows;
  // Floats are summed in this order, so that the result doesn't depend on the order of the candidates.
  const order = Array.from(candidates.keys()).sort(
    (a, b) => sums[b]! - sums[a]! || byTime(candidates[a]!, candidates[b]!),
  );
  const best = sums[order[0]!]!;
  const likened = order.slice(0, LIKENED).map(
    (c): Hit => ({
      strength: Math.exp((sums[c]! - best) / HIT_SOFTNESS),
      vector: space.of(candidates[c]!.document.vector),
    }),
  );
  const wanted = queryAndHits(direction, likened);
  const hits = order.filter(c => candidates[c]!.kind === 'turn').slice(0, HITS);
  const nearness = nearnessToHits(candidates, hits, statistics);

  candidates.forEach((candidate, c) => {
    const at = c * width;
    rows[at] = windowCosine(space, candidate, wanted) * length;
    rows[at + 1] = (nearness.get(c) ?? 0) * length;
  });
  return rows;
};

/**
 * Returns, for turns next to a hit, their nearness times the information that it carries: in a session of 250
 * turns hardly any turn is next to a hit by chance, in one of ten most are.
 */
const nearnessToHits = (
  candidates: readonly Candidate[],
  hits: readonly number[],
  statistics: Pick<ScopeStatistics, 'session' | 'meanLength'>,
): Map<number, number> => {
  const information = new Map<number, number>();
  for (const { session } of hits.map(c => candidates[c]!)) {
    if (information.has(session)) continue;
    const turns = statistics.session(session).length / (statistics.meanLength || 1);
    information.set(session, Math.max(0, Math.log(turns / NEAR_TURNS)));
  }
  const turns = turnsOf(candidates, information);
  const nearness = new Map<number, number>();
  for (const c of hits) {
    const { session, neighbours } = candidates[c]!;
    for (const [i, neighbour] of neighbours.entries()) {
      const found = neighbour && turnOf(neighbour, turns.get(session)!.get(neighbour.timestamp), candidates);
      if (found === undefined) continue;
      const near = NEARNESS[i]! * information.get(session)!;
      nearness.set(found, Math.max(nearness.get(found) ?? 0, near));
    }
  }
  return nearness;
};

/** Indexes the candidates that are turns of these sessions by session and timestamp. */
const turnsOf = (
  candidates: readonly Candidate[],
  sessions: Pick<ReadonlyMap<number, unknown>, 'keys'>,
): Map<number, Map<number, SameInstant>> => {
  const found = new Map(Array.from(sessions.keys(), session => [session, new Map<number, SameInstant>()]));
  for (const [c, { kind, session, timestamp }] of candidates.entries()) {
    const instants = kind === 'turn' ? found.get(session) : undefined;
    if (!instants) continue;
    const then = instants.get(timestamp);
    if (then) then.turns.push(c);
    else instants.set(timestamp, { turns: [c] });
  }
  return found;
};

/**
 * Finds the candidate that is this neighbour among the turns of its session and timestamp; a neighbour has no
 * candidate id.
 */
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

/** Returns the direction of the query and the hits together, in equal parts (Rocchio 1971). */
const queryAndHits = (asked: Float32Array, hits: readonly Hit[]): Float32Array => {
  const found = new Float32Array(asked.length);
  for (const { strength, vector } of hits) addTo(found, vector, strength);
  const both = asked.slice();
  addTo(both, unit(found), 1);
  return unit(both);
};
