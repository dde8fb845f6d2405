/** Ranks current facts before outdated ones in a recall. */

import type {
  KnownFact,
  KnownObservation,
  Scope,
  StoredFragment,
  TurnDetails,
} from '../../../../core/ports.ts';
import { factAskedFor, isNamed } from '../../../../domain/facts/asked-about.ts';
import { holdsOne } from '../../../../domain/facts/attributes.ts';
import type { Period } from '../../../../domain/facts/holds/dated-facts.ts';
import type { Standing } from '../../../../domain/facts/holds/standing.ts';
import { answerFirst, answerPlaces, readsWords } from '../../../../domain/ranking/answer-first.ts';
import { byWhatHolds, fragmentIdOf, type Replacement } from '../../../../domain/ranking/by-what-holds.ts';
import { byPartWith } from '../../../../domain/ranking/features/scored-parts.ts';
import { type Ranked, rank } from '../../../../domain/ranking/rank.ts';
import { NO_NEIGHBOURS } from '../../../../domain/search/document.ts';
import { sourceTurnsOf } from '../../../../domain/search/fragment.ts';
import type { RankedCandidates } from './hits.ts';
import type { FactPorts } from './ranked-facts.ts';

/** Turns, and clients' observations, whose facts and words are considered. */
const LOOKED_AT = 30;

export type WithFact = StoredFragment & Pick<KnownFact, 'fact'>;

/** The facts of a recall: the attributes asked for, the facts of each turn, and which facts hold. */
export interface Known {
  asked: ReadonlySet<string>;
  ofTurns: ReadonlyMap<string, readonly WithFact[]>;
  standing: Standing<KnownObservation>;
}

export const turnIdOf = ({ candidate }: Ranked): string => `trn_${candidate.id}`;

const isStated = (one: StoredFragment): boolean => sourceTurnsOf(one).length === 0;
/** The id of the ranked item that states the fact: its turn or, without a turn, the observation itself. */
const saidIn = (one: StoredFragment): string => (isStated(one) ? one.id : one.sourceTurnId!);

export const best = (ranked: readonly Ranked[]): { turns: Ranked[]; observed: Ranked[] } => {
  const of = (kind: 'turn' | 'observation') =>
    ranked.filter(({ candidate }) => candidate.kind === kind).slice(0, LOOKED_AT);
  return { turns: of('turn'), observed: of('observation') };
};

/** Reads the best turns where that may help, and puts those first whose words may answer the question. */
export const ofAnswers = async (
  given: RankedCandidates,
  q: string,
): Promise<{ answering: RankedCandidates; textOf: (key: number) => string | undefined }> => {
  const { ranked, fragments, follows } = given;
  if (!readsWords(ranked, q, follows)) return { answering: given, textOf: () => undefined };
  const read = await fragments(answerPlaces(ranked, follows).map(place => ranked[place]!.candidate.key));
  const textOf = (key: number) => read.get(key)?.text;
  // A model's order is better.
  const isRead = ranked.some(({ rerankScore }) => rerankScore !== undefined);
  const answering = isRead ? given : { ...given, ranked: answerFirst(ranked, q, follows, textOf) };
  return { answering, textOf };
};

/** Characters of a turn that are read. */
const MOST_READ = 2_000;

/** Returns the first turns of a ranking as far as they were read. */
export const firstRead = (
  ranked: readonly Ranked[],
  most: number,
  textOf: (key: number) => string | undefined,
): { text: string; role: string }[] =>
  ranked
    .filter(({ candidate }) => candidate.kind === 'turn')
    .slice(0, most)
    .flatMap(({ candidate: { key, role } }) => {
      const text = textOf(key);
      return text === undefined ? [] : [{ text: text.slice(0, MOST_READ), role }];
    });

/**
 * The fact that replaces a turn's facts on the attributes asked for; undefined while one of them holds, or
 * where it has none.
 */
export const replacementOf = (
  turnId: string,
  { asked, ofTurns, standing }: Known,
): KnownObservation | undefined => {
  const relevant = (ofTurns.get(turnId) ?? []).filter(({ fact }) => asked.has(fact.attribute));
  const old = relevant.map(({ id }) => standing.superseded.get(id));
  return old.every(one => one !== undefined) ? old.at(-1)?.by : undefined;
};

/** Whether the question names what a value is of, where there is such an object. */
const isOfAsked = (q: string, { said: [{ fact }] }: Period): boolean =>
  fact.about === undefined || isNamed(q, fact.about);

/** The observation that answers the question: the current fact, or the one that ended it. */
export const lead = (
  q: string,
  asked: ReadonlySet<string>,
  known: readonly KnownFact[],
  { holding, superseded, personOf, keyOf }: Standing<KnownObservation>,
  me: string | undefined,
): KnownObservation | undefined => {
  const relevant = known.filter(({ fact }) => asked.has(fact.attribute));
  const found = factAskedFor(
    q,
    relevant.map(one => ({ ...one, person: personOf(one) })),
    me,
  );
  if (found === undefined) return undefined;
  const key = keyOf(found);
  const held = holding.get(key) ?? [];
  if (!holdsOne(found.fact.attribute))
    return held.find(({ said }) => said.some(({ id }) => id === found.id))?.said[0];
  if (held.length > 0) return held.find(one => held.length === 1 || isOfAsked(q, one))?.said[0];
  return known
    .filter(one => keyOf(one) === key)
    .map(({ id }) => superseded.get(id)?.by)
    .findLast(by => by !== undefined);
};

/**
 * Turns that say what holds come before those that only say what held, whether the words of a question find
 * them or not.
 */
export const reordered = async (
  { details, language }: FactPorts & { details: Pick<TurnDetails, 'turnsOf'> },
  known: Known & { scope: Scope; signal: AbortSignal | undefined },
  ranking: RankedCandidates,
  first: KnownObservation | undefined,
): Promise<RankedCandidates> => {
  const { prepared, ranked, fragments } = ranking;
  const replacements: Replacement[] = [];
  /** Observations without a turn, which are ranked themselves. */
  const said = new Map<string, StoredFragment>();
  /** The current facts that turns state, by the turn's id. */
  const heldIn = new Map<string, StoredFragment>();
  const add = (by: KnownObservation): void => {
    (isStated(by) ? said : heldIn).set(saidIn(by), by);
  };
  for (const old of known.ofTurns.keys()) {
    const by = replacementOf(old, known);
    if (by && by.sourceTurnId !== old) replacements.push({ old, now: saidIn(by) });
    if (by) add(by);
  }
  const lead = first && saidIn(first);
  if (first) add(first);
  if (replacements.length === 0 && lead === undefined) return ranking;
  const present = new Set(ranked.map(fragmentIdOf));
  const missing = [
    ...new Set(
      [...replacements.map(({ now }) => now), ...(lead ? [lead] : [])].filter(id => !present.has(id)),
    ),
  ];
  const turns = missing.filter(id => !said.has(id));
  const read = [
    ...(turns.length === 0 ? [] : await details.turnsOf(known.scope, turns, known.signal)),
    ...missing.flatMap(id => said.get(id) ?? []),
  ];
  const stored = new Map(read.map((one, i) => [-1 - i, one]));
  // A model's features compare all candidates, and these are few.
  const added = rank(
    { ...prepared, models: prepared.models && { ...prepared.models, turns: new Map() } },
    [...stored].map(([key, one]) => ({
      key,
      id: one.id.slice(4),
      kind: one.kind,
      session: -1,
      role: one.role,
      timestamp: one.timestamp,
      document: language.analyse(one.text, one),
      neighbours: NO_NEIGHBOURS,
    })),
  );
  // A long turn is shown by the part that states the current fact.
  const shown = (one: Ranked): Ranked => {
    const held = heldIn.get(fragmentIdOf(one));
    return held
      ? {
          ...one,
          candidate: byPartWith(one.candidate, language.analyse(held.fact?.value ?? held.text, held)),
        }
      : one;
  };
  return {
    ...ranking,
    ranked: byWhatHolds(ranked, replacements, added, lead).map(shown),
    fragments: async keys => {
      const found = new Map(await fragments(keys.filter(key => !stored.has(key))));
      for (const key of keys) {
        const one = stored.get(key);
        if (one) found.set(key, { ...one, key });
      }
      return found;
    },
  };
};
