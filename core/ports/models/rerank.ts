import type { EndpointFault } from './endpoint-fault.ts';

/** Asks a reranking model, once. */
export interface Rerank {
  /**
   * Resolves with a score for each text, higher for what answers the query better, on the model's own scale. Rejects only when
   * `signal` is aborted: a fault is an outcome.
   */
  rerank(query: string, texts: readonly string[], signal: AbortSignal): Promise<RerankOutcome>;
}

export type RerankOutcome = { kind: 'reranked'; scores: number[] } | EndpointFault;
