import type { ChosenHit, ChosenObservation, StoredFragment } from '../../../../core/ports.ts';
import { isForEntity, mayStand } from '../../../../domain/ranking/place-by-place.ts';
import type { Ranked } from '../../../../domain/ranking/rank.ts';
import { isSaidAgain, type SaidSoFar, saidNothing } from './already-said.ts';
import type { EntityHit } from './entity-hits.ts';
import { type ExplanationOf, type Fact, observationHit, repeats, scaled } from './ranked-facts.ts';

export interface ListPorts {
  /** Turns and clients' observations, best first, each once. */
  wanted: readonly Ranked[];
  /** The facts of turns that may take their places, by the turns' ids. */
  factsOf(turns: readonly Ranked[]): Promise<ReadonlyMap<string, Fact>>;
  /** Entities that may take a place, best first. */
  named: readonly EntityHit[];
  /** All turns that were ranked, by id. */
  ranked: ReadonlyMap<string, Ranked>;
  /** Fragments of ranked candidates by key, without those that have been erased since. */
  fragments(keys: readonly number[]): Promise<ReadonlyMap<number, StoredFragment>>;
  explanationOf: ExplanationOf;
}

export interface List {
  /** Best first. */
  hits: ChosenHit[];
  /** The turns among them, by id. */
  turns: ReadonlyMap<string, Ranked>;
  /** The words of the observations among them. */
  said: SaidSoFar;
}

/**
 * The list, place by place, so that a shorter one is the beginning of a longer one. Each place takes the next
 * best fragment, with three exceptions: from the fourth on a fact that says as much of what was asked stands
 * before its turn, which moves behind all others; a client's observation that only repeats its turn gives the
 * place to that turn; and one place in five goes to an entity that may have one. Reads fragments only as far
 * as there is room for them.
 */
export const placeByPlace = async (ports: ListPorts, most: number): Promise<List | 'erased'> => {
  const { wanted, ranked, factsOf, fragments, explanationOf } = ports;
  const hits: ChosenHit[] = [];
  const moved: { id: string; one: Ranked; hit: ChosenHit }[] = [];
  const turns = new Map<string, Ranked>();
  const said = saidNothing();
  const named = [...ports.named];
  let taken = 0;

  const addTurn = (id: string, one: Ranked, hit: ChosenHit): void => {
    turns.set(id, one);
    hits.push(hit);
  };
  /** Whether its fact stands instead of a turn. */
  const isReplaced = (id: string, one: Ranked, hit: ChosenHit, fact: Fact | undefined): boolean => {
    if (!fact || !mayStand(hits.length, taken, fact.said)) return false;
    const instead = observationHit(fact.one, fact.fragment, explanationOf);
    moved.push({ id, one, hit });
    if (isSaidAgain(said, instead)) return true;
    taken++;
    hits.push(scaled(instead, hit.score / instead.score));
    return true;
  };
  const addObservation = async (hit: ChosenObservation, one: Ranked): Promise<boolean> => {
    const id = hit.fragment.sourceTurnId!;
    const turn = turns.get(id) ?? ranked.get(id);
    if (!turn || !repeats(one.candidate.document, turn)) {
      if (!isSaidAgain(said, hit)) hits.push(hit);
      return true;
    }
    if (turns.has(id)) return true;
    const fragment = (await fragments([turn.candidate.key])).get(turn.candidate.key);
    if (!fragment) return false;
    addTurn(id, turn, scaled(turnHit(turn, fragment, explanationOf), hit.score / turn.score));
    return true;
  };

  for (let at = 0; at < wanted.length && hits.length < most; ) {
    const next = wanted.slice(at, at + most - hits.length);
    at += next.length;
    const keys = next.map(({ candidate }) => candidate.key);
    const [stored, facts] = await Promise.all([fragments(keys), factsOf(next)]);
    for (const one of next) {
      if (isForEntity(hits.length) && named.length > 0)
        hits.push(between(named.shift()!, hits.at(-1)!.score, one.score));
      if (hits.length === most) break;
      const fragment = stored.get(one.candidate.key);
      if (!fragment) return 'erased';
      if (fragment.kind === 'observation') {
        if (!(await addObservation(observationHit(one, fragment, explanationOf), one))) return 'erased';
        continue;
      }
      const { id } = fragment;
      const hit = turnHit(one, fragment, explanationOf);
      if (!turns.has(id) && !isReplaced(id, one, hit, facts.get(id))) addTurn(id, one, hit);
    }
  }
  const last = hits.at(-1)?.score ?? 1;
  for (const { id, one, hit } of moved.slice(0, most - hits.length)) addTurn(id, one, scaled(hit, last));
  return { hits, turns, said };
};

const turnHit = (one: Ranked, fragment: StoredFragment, explanationOf: ExplanationOf): ChosenHit => ({
  kind: 'turn',
  score: one.score,
  explanation: explanationOf(one),
  fragment,
  passage: one.candidate.part?.index,
});

/** The score orders all kinds. */
const between = (entity: EntityHit, before: number, after: number): EntityHit => ({
  ...entity,
  score: (before + after) / 2,
});
