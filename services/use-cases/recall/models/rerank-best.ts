import { type Breaker, makeBreaker } from '../../../../core/fairness/breaker.ts';
import type { Rerank } from '../../../../core/ports.ts';
import type { Ranked } from '../../../../domain/ranking/rank.ts';
import { RERANKED, reranked } from '../../../../domain/ranking/rerank.ts';
import type { RankedCandidates } from '../hits/hits.ts';

/** Characters of a text: models read some hundred tokens. */
const MOST_CHARACTERS = 2_000;

/**
 * The ranking with what a model says of the best; undefined when it doesn't answer in time. Rejects when
 * `signal` is aborted.
 */
export type RerankBest = (
  q: string,
  ranking: Pick<RankedCandidates, 'ranked' | 'fragments'>,
  signal?: AbortSignal,
) => Promise<Ranked[] | undefined>;

/** Lets a model read the best hits, and leaves one alone that doesn't answer (breaker.ts). */
export const makeRerankBest = ({ rerank }: Rerank, breaker: Breaker = makeBreaker()): RerankBest => {
  const never = new AbortController().signal;
  return async (q, { ranked, fragments }, signal = never) => {
    const best = ranked.slice(0, RERANKED);
    // There is nothing to change places with.
    if (best.length < 2) return [...ranked];
    if (!breaker.mayAsk()) return undefined;
    const read = await fragments(best.map(({ candidate }) => candidate.key));
    const texts = best.map(({ candidate: { key, role } }) => {
      const text = read.get(key)?.text;
      return text === undefined ? '' : `${role}: ${text}`.slice(0, MOST_CHARACTERS).toWellFormed();
    });
    const outcome = await rerank(q, texts, signal);
    breaker.ended(outcome.kind === 'reranked' ? undefined : outcome);
    return outcome.kind === 'reranked' ? reranked(ranked, outcome.scores) : undefined;
  };
};
