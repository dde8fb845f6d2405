/** The ranking of a recall in which what holds stands before what held. */
import { keyAskedFor } from '../../../projections/facts/asked-about.ts';
import type { Standing } from '../../../projections/facts/standing.ts';
import { factKey } from '../../../projections/facts/stored-fact.ts';
import { byWhatHolds, type Replacement } from '../../../projections/ranking/by-what-holds.ts';
import { lately, type Present, reorderedPlaces } from '../../../projections/ranking/lately.ts';
import { type Ranked, rank } from '../../../projections/ranking/rank.ts';
import { NO_NEIGHBOURS } from '../../../projections/recall/document.ts';
import type { KnownFact, RecallIndex, Scope, StoredFragment } from '../../core/ports.ts';
import type { FactPorts } from './facts.ts';
import type { RankedCandidates } from './hits.ts';

/** Turns, and clients' observations, whose facts and words are considered. */
const LOOKED_AT = 30;

export type WithFact = StoredFragment & Pick<KnownFact, 'fact'>;

/** What the facts of a recall say. */
export interface Known {
  asked: ReadonlySet<string>;
  ofTurns: ReadonlyMap<string, readonly WithFact[]>;
  standing: Standing<KnownFact>;
}

export const turnIdOf = ({ candidate }: Ranked): string => `trn_${candidate.id}`;

export const best = (ranked: readonly Ranked[]): { turns: Ranked[]; observed: Ranked[] } => {
  const of = (kind: 'turn' | 'observation') =>
    ranked.filter(({ candidate }) => candidate.kind === kind).slice(0, LOOKED_AT);
  return { turns: of('turn'), observed: of('observation') };
};

/** The ranking in which what was said later, and what tells of a change, stands first among the first turns. */
export const ofThePresent = async (given: RankedCandidates, present: Present): Promise<RankedCandidates> => {
  const { ranked, fragments } = given;
  const read = await fragments(reorderedPlaces(ranked).map(place => ranked[place]!.candidate.key));
  return { ...given, ranked: lately(ranked, present, key => read.get(key)?.text) };
};

/** What a turn says on what was asked, if none of it holds: what holds instead. */
export const replacementOf = (turnId: string, { asked, ofTurns, standing }: Known): KnownFact | undefined => {
  const relevant = (ofTurns.get(turnId) ?? []).filter(({ fact }) => asked.has(fact.attribute));
  const old = relevant.map(({ id }) => standing.superseded.get(id));
  return old.every(one => one !== undefined) ? old.at(-1)?.by : undefined;
};

/** What says what is asked for: what holds or, where nothing does, what ended it. */
export const lead = (
  q: string,
  asked: ReadonlySet<string>,
  known: readonly KnownFact[],
  { holding, superseded }: Standing<KnownFact>,
): KnownFact | undefined => {
  const key = keyAskedFor(
    q,
    known.filter(({ fact }) => asked.has(fact.attribute)),
  );
  if (key === undefined) return undefined;
  const [holds] = holding.get(key) ?? [];
  if (holds) return holds.said[0];
  return known
    .filter(one => factKey(one.fact) === key)
    .map(({ id }) => superseded.get(id)?.by)
    .findLast(by => by !== undefined);
};

/** Turns that say what holds come before those that only say what held, whether the words of a question find them or not. */
export const reordered = async (
  { index, language }: FactPorts & { index: Pick<RecallIndex, 'turnsOf'> },
  known: Known & { scope: Scope; signal: AbortSignal | undefined },
  ranking: RankedCandidates,
  first: KnownFact | undefined,
): Promise<RankedCandidates> => {
  const { prepared, ranked, fragments } = ranking;
  const replacements: Replacement[] = [];
  for (const old of known.ofTurns.keys()) {
    const by = replacementOf(old, known);
    if (by && by.sourceTurnId !== old) replacements.push({ old, now: by.sourceTurnId! });
  }
  const lead = first?.sourceTurnId;
  if (replacements.length === 0 && lead === undefined) return ranking;
  const present = new Set(ranked.map(turnIdOf));
  const missing = [
    ...new Set(
      [...replacements.map(({ now }) => now), ...(lead ? [lead] : [])].filter(id => !present.has(id)),
    ),
  ];
  const stored = new Map(
    (missing.length === 0 ? [] : await index.turnsOf(known.scope, missing, known.signal)).map((turn, i) => [
      -1 - i,
      turn,
    ]),
  );
  const added = rank(
    prepared,
    [...stored].map(([key, turn]) => ({
      key,
      id: turn.id.slice(4),
      kind: 'turn' as const,
      session: -1,
      role: turn.role,
      timestamp: turn.timestamp,
      document: language.analyse(turn.text, turn),
      neighbours: NO_NEIGHBOURS,
    })),
  );
  return {
    ...ranking,
    ranked: byWhatHolds(ranked, replacements, added, lead),
    fragments: async keys => {
      const found = new Map(await fragments(keys.filter(key => !stored.has(key))));
      for (const key of keys) {
        const turn = stored.get(key);
        if (turn) found.set(key, { ...turn, key });
      }
      return found;
    },
  };
};
