import type { EndpointFault } from './endpoint-fault.ts';

/** The role of a text, which some models need to know. */
export type EmbeddedAs = 'query' | 'passage';

/** Ask an embedding model, once. */
export interface Embed {
  /**
   * Resolve with a vector for each text, one signed byte per component; only their directions are meaningful.
   * Reject only when `signal` is aborted: a fault is an outcome.
   */
  embed(
    request: { model: string; as: EmbeddedAs; texts: readonly string[] },
    signal: AbortSignal,
  ): Promise<EmbedOutcome>;
}

/** An answer of another shape is a fault of the endpoint: it says nothing against any one text. */
export type EmbedOutcome = { kind: 'embedded'; vectors: Int8Array[] } | EndpointFault;

/** The embedding model as a recall uses it. */
export interface Embeddings {
  embed: Embed;
  /** The models whose vectors are made, the one to serve first. */
  models: readonly string[];
  /** The model whose vectors the serving generation is searched by; undefined while it has none. */
  served(): Promise<string | undefined>;
}
