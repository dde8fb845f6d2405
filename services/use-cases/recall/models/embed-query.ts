import { setTimeout as pause } from 'node:timers/promises';
import { boundedMap } from '../../../../core/caches/bounded-map.ts';
import { type Breaker, makeBreaker } from '../../../../core/fairness/breaker.ts';
import type { Embeddings, SearchRequest } from '../../../../core/ports.ts';

/** How long an answer waits for its question's vector. */
const WITHIN_MS = 150;
/** A vector that comes later is there for the next time that the question is asked. */
const ABANDONED_MS = 5_000;
/** The most vectors kept, those of the last questions: some hundred bytes to a few thousand each. */
const REMEMBERED = 1_000;
/** Requests at once; more questions are answered without. */
const MOST_AT_ONCE = 64;

export interface EmbedQueryOptions {
  embeddings: Embeddings;
  /** For tests. */
  withinMs?: number;
  breaker?: Breaker;
}

/**
 * The question's vector by the given model, or by the one that serves; undefined when it isn't there in time.
 * Never rejects.
 */
export type EmbedQuery = (org: string, q: string, model?: string) => Promise<SearchRequest['embedded']>;

/**
 * Asks for a question's vector, within a time: an answer without it is better than none. The same question of
 * an organization is asked once, and an endpoint that doesn't answer is left alone (breaker.ts).
 */
export const makeEmbedQuery = ({
  embeddings: { embed, models, served },
  withinMs = WITHIN_MS,
  breaker = makeBreaker(),
}: EmbedQueryOptions): EmbedQuery => {
  const known = boundedMap<Promise<Int8Array | undefined>>(REMEMBERED);
  let underWay = 0;

  const ask = async (model: string, q: string): Promise<Int8Array | undefined> => {
    underWay++;
    try {
      const signal = AbortSignal.timeout(ABANDONED_MS);
      const outcome = await embed.embed({ model, as: 'query', texts: [q] }, signal);
      breaker.ended(outcome.kind === 'embedded' ? undefined : outcome);
      return outcome.kind === 'embedded' ? outcome.vectors[0] : undefined;
    } catch {
      breaker.ended({ kind: 'away', reason: `no answer within ${ABANDONED_MS / 1_000} s` });
      return undefined;
    } finally {
      underWay--;
    }
  };

  const vectorOf = (org: string, model: string, q: string): Promise<Int8Array | undefined> => {
    // Vectors are shared within one organization only, so that an answer's speed reveals nothing of others'
    // questions.
    const key = JSON.stringify([org, model, q]);
    const before = known.get(key);
    if (before) return before;
    if (underWay >= MOST_AT_ONCE || !breaker.mayAsk()) return Promise.resolve(undefined);
    const asked = ask(model, q);
    known.set(key, asked);
    // Faults are not remembered.
    void asked.then(vector => vector ?? known.delete(key));
    return asked;
  };

  return async (org, q, given) => {
    const late = new AbortController();
    const embedded = async (): Promise<SearchRequest['embedded']> => {
      const model = given ?? (await served());
      // Never ask for a model that the configuration no longer names: the endpoint may not know it.
      if (model === undefined || !models.includes(model)) return undefined;
      const vector = await vectorOf(org, model, q);
      return vector && { model, vector };
    };
    try {
      return await Promise.race([embedded(), pause(withinMs, undefined, { signal: late.signal })]);
    } catch {
      // The serving model could not be read.
      return undefined;
    } finally {
      late.abort();
    }
  };
};
