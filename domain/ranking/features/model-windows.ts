import type { Candidate } from '../../search/document.ts';
import type { TurnVectors } from '../../search/vectors.ts';
import { cosineWith, plainSpace } from '../vectors/centred.ts';

/** Number of components compared at a time. */
const STEP = 16;

/**
 * Returns the cosines of the query with each candidate and the turns around it as one text, less the
 * component common to all candidates: an answer is understood with its question, and a model's vectors of any
 * text point in similar directions. Undefined for a candidate without a vector.
 */
export const windowCosines = (
  query: Int8Array,
  turns: ReadonlyMap<string, Pick<TurnVectors, 'inContext'>>,
  candidates: readonly Pick<Candidate, 'id' | 'neighbours'>[],
): (number | undefined)[] => {
  const vectors = new Map([...turns].map(([id, { inContext }]) => [id, aligned(inContext)]));
  const asked = aligned(query);
  const space = plainSpace(
    candidates.flatMap(({ id }) => vectors.get(id) ?? []),
    asked.length,
  );
  const direction = space.of(asked);
  return candidates.map(({ id, neighbours }) => {
    const own = vectors.get(id);
    const around = neighbours.map(neighbour => neighbour && vectors.get(neighbour.id));
    return own && cosineWith(space, own, around, direction);
  });
};

/** Pads the vector with zeros to a multiple of STEP. */
const aligned = (vector: Int8Array): Int8Array => {
  if (vector.length % STEP === 0) return vector;
  const longer = new Int8Array(Math.ceil(vector.length / STEP) * STEP);
  longer.set(vector);
  return longer;
};
