import type { Retrieval, SearchRequest } from '../../../../core/ports.ts';
import type { ModelScores } from '../../../../domain/ranking/features/model-features.ts';
import type { Candidate } from '../../../../domain/search/document.ts';
import { comparedWith, type TurnVectors } from '../../../../domain/search/vectors.ts';

/**
 * Adds to what is known what the model says of these candidates and of the turns around them; undefined where
 * no model is asked.
 */
export type ReadModel = (
  snapshot: unknown,
  candidates: readonly Candidate[],
  known?: ModelScores,
) => Promise<ModelScores | undefined>;

/** Each turn is asked for once; one that has no vector of the model yet stays unknown. */
export const makeReadModel = (
  retrieval: Pick<Retrieval, 'vectors'>,
  embedded: SearchRequest['embedded'],
): ReadModel => {
  const asked = new Set<string>();
  const compared = embedded && comparedWith(embedded.vector);
  return async (snapshot, candidates, known) => {
    if (!embedded || !compared) return undefined;
    const { model, vector } = embedded;
    const turns = new Set(
      candidates.flatMap(({ kind, id, neighbours }) => [
        ...(kind === 'turn' ? [id] : []),
        ...neighbours.flatMap(neighbour => neighbour?.id ?? []),
      ]),
    ).difference(asked);
    if (known && turns.size === 0) return known;
    for (const id of turns) asked.add(id);
    const found = new Map<string, TurnVectors>(known?.turns);
    for (const [id, vectors] of await retrieval.vectors(snapshot, [...turns], model)) {
      const own = compared(vectors);
      if (own) found.set(id, own);
    }
    return { query: vector, turns: found };
  };
};
