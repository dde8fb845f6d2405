import type { EndpointFault } from './endpoint-fault.ts';

/** The role of a text, which some models want to be told. */
export type EmbeddedAs = 'query' | 'passage';

/** Asks an embedding model, once. */
export interface Embed {
  /**
   * Resolves with a vector for each text, one signed byte a component; only their directions are meaningful. Rejects only
   * when `signal` is aborted: a fault is an outcome.
   */
  embed(
    request: { model: string; as: EmbeddedAs; texts: readonly string[] },
    signal: AbortSignal,
  ): Promise<EmbedOutcome>;
}

/** An answer that isn't what was asked for is none: what an endpoint sends to all is nothing against one text. */
export type EmbedOutcome = { kind: 'embedded'; vectors: Int8Array[] } | EndpointFault;

/** The embedding model as a recall uses it. */
export interface Embeddings {
  embed: Embed;
  /** The models whose vectors are made, the one to serve first. */
  models: readonly string[];
  /** The model of the vectors by which the serving generation is searched; undefined while it has none. */
  served(): Promise<string | undefined>;
}
