import type { Elasticsearch } from './elasticsearch-client.ts';

/**
 * Returns a function that resolves with the engine's version; undefined where our user may not ask for it, or
 * the engine doesn't answer. A version that is known isn't asked for again.
 */
export const makeEngineVersion = ({
  ask,
}: Pick<Elasticsearch, 'ask'>): (() => Promise<string | undefined>) => {
  let known: string | undefined;
  return async () => {
    known ??= await ask<{ version?: { number?: string } }>('GET', '/').then(
      ({ version }) => version?.number,
      () => undefined,
    );
    return known;
  };
};
