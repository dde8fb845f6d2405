import type { EndpointFault } from './endpoint-fault.ts';

/** Ask a reranking model, once. */
export interface Rerank {
  /**
   * Resolve with a score for each text on the model's own scale, higher for a better answer to the query.
   * Reject only when `signal` is aborted: a fault is an outcome.
   */
  rerank(query: string, texts: readonly string[], signal: AbortSignal): Promise<RerankOutcome>;
}

export type RerankOutcome = { kind: 'reranked'; scores: number[] } | EndpointFault;
