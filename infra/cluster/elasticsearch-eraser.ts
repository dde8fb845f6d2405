import type { RecallWrite } from '../../projections/recall/projection.ts';
import { unavailable } from '../../services/errors.ts';
import type { Elasticsearch } from './elasticsearch-client.ts';
import type { DocumentKind } from './elasticsearch-index.ts';
import { sessionKeyOfDigest } from './elasticsearch-scope.ts';

type Erase = Extract<RecallWrite, { op: 'erase' }>;

/** A user of years takes a while; a batch may take as long. */
const TIMEOUT_MS = 120_000;
/** Longer than a projector that lost its partition may still write, and than the engine keeps deletions for its copies. */
const AGAIN_MS = 60_000;
/** Somebody else wrote the same documents meanwhile: looked for again. */
const TRIES = 5;

/** The documents that come from each topic. */
const KINDS: Record<Erase['origin']['topic'], readonly DocumentKind[]> = {
  turns: ['turn', 'identity', 'said', 'job'],
  observations: ['extracted', 'mention', 'enriched'],
};

const queryOf = ({ org, owner, session, origin }: Erase) => ({
  bool: {
    filter: [
      { term: { org } },
      { term: { owner } },
      ...(session === null ? [] : [{ term: { session_key: sessionKeyOfDigest(session) } }]),
      { terms: { kind: KINDS[origin.topic] } },
      { term: { partition: origin.partition } },
      { range: { offset: { lt: origin.offset } } },
    ],
  },
});

/**
 * Deletes what erasures name, of what is visible when it is called. A minute later it does so again, for a projector
 * that was slow to hear that its partition is another's, and asks the engine to let go of the bytes for good.
 */
export const makeEraser = (elasticsearch: Elasticsearch, index: string) => {
  const timers = new Set<NodeJS.Timeout>();

  const erase = async (one: Erase): Promise<void> => {
    for (let tries = 0; tries < TRIES; tries++) {
      const { version_conflicts: conflicts, failures } = await elasticsearch.ask<{
        version_conflicts: number;
        failures: unknown[];
      }>('POST', `/${index}/_delete_by_query`, {
        query: { conflicts: 'proceed', refresh: true },
        body: { query: queryOf(one) },
        timeoutMs: TIMEOUT_MS,
      });
      if (failures.length > 0) break;
      if (conflicts === 0) return;
    }
    throw unavailable("Elasticsearch can't delete right now.");
  };

  /** Deleted documents stay in their segments, and in the log of what was written, until they are asked for. */
  const expunge = async (): Promise<void> => {
    await elasticsearch.ask('POST', `/${index}/_forcemerge`, {
      query: { only_expunge_deletes: true },
      timeoutMs: TIMEOUT_MS,
    });
    await elasticsearch.ask('POST', `/${index}/_flush`, { query: { force: true }, timeoutMs: TIMEOUT_MS });
  };

  const later = (erasures: readonly Erase[]): void => {
    const timer = setTimeout(async () => {
      timers.delete(timer);
      try {
        await elasticsearch.ask('POST', `/${index}/_refresh`, { timeoutMs: TIMEOUT_MS });
        for (const one of erasures) await erase(one);
        await expunge();
      } catch {
        // An engine that is away now: until it has done it, it is not done.
        later(erasures);
      }
    }, AGAIN_MS).unref();
    timers.add(timer);
  };

  return {
    apply: async (erasures: readonly Erase[]): Promise<void> => {
      for (const one of erasures) await erase(one);
      // In the background: it rewrites segments. It is asked for again with the second deletion.
      void expunge().catch(() => {});
      later(erasures);
    },
    close: (): void => {
      for (const timer of timers) clearTimeout(timer);
    },
  };
};
