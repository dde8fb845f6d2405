import { type Candidate, type Neighbour, type ScopeStatistics, wholeOf } from '../recall/document.ts';
import { byPlace } from './by-place.ts';
import { addTo, unit, windowCosine } from './centred.ts';
import type { Prepared } from './features.ts';

/**
 * What the first hits say of the turns behind them, in the order of a row; names as in weights.json. The sum of deep mode is
 * that of active mode and these.
 */
export const DEEP_FEATURES = ['windowLikeQueryAndHits', 'nearHit'] as const;

/** Number of first-pass hits that are followed. */
const HITS = 10;
/** Number of them that the direction of query and hits is made of. */
const LIKENED = 8;
/** Turns of one timestamp that are compared one by one. */
const FEW = 4;
/** Strength falls by a factor of e for every 2 by which a turn's linear sum is below the best. */
const HIT_SOFTNESS = 2;
/** In sessions of so many turns, on average, the hits say nothing of the turns behind them: of each, one turn belongs to the answer. */
const SHORT_SESSION = 14;
/** Longer ones are no more of a meeting: a group that never begins a new session would count as one of days. */
const LONG_SESSION = 100;
/** The turns around a hit that count as near, with the hit. */
const NEAR_TURNS = 5;
/** How near are the neighbours at -2, -1, +1, +2. */
const NEARNESS = [0.5, 1, 1, 0.5];

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
 * Makes the rows of the deep features, of what the first pass found: the centred cosine of the turn and its window with the query
 * and the hits together, and whether it stands next to a hit. Both count more the longer the sessions of the scope are, up to a hundred
 * turns: what belongs to an answer stands together in a meeting, and is rarely said twice in a short talk.
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
    (a, b) => sums[b]! - sums[a]! || byPlace(candidates[a]!, candidates[b]!),
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
 * How near the turns around the hits are to one, times what it says that they are: in a session of 250 turns hardly any turn
 * is next to a hit by chance, in one of ten most are.
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

/** The turns of these sessions among the candidates, by session and timestamp. */
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
