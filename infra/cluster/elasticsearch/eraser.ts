import type { Erase } from '../../../projections/recall/projection.ts';
import { unavailable } from '../../../services/core/errors.ts';
import type { Elasticsearch } from './client.ts';
import type { DocumentKind } from './index.ts';
import { sessionKeyOfDigest } from './scope.ts';

/** Deleting years of a user's turns is slow, and one batch may need all of this time. */
const TIMEOUT_MS = 120_000;
/**
 * Delay before a deletion is repeated: longer than a projector that lost its partition may still write, and than the
 * engine retains deletions for replicas.
 */
const AGAIN_MS = 60_000;
/** Attempts when the same documents are being written concurrently. */
const TRIES = 5;

/** The kinds of documents that come from each topic. */
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
 * Deletes what erasures name, among the documents visible at the call. Repeats the deletion a minute later, in case a
 * projector that lost its partition wrote late, and asks the engine to expunge the deleted bytes.
 */
const makeEraser = (elasticsearch: Elasticsearch, index: string) => {
  const timers = new Set<NodeJS.Timeout>();

  const erase = async (one: Erase): Promise<void> => {
    for (let tries = 0; tries < TRIES; tries++) {
      const {
        error,
        version_conflicts: conflicts,
        failures = [],
      } = await elasticsearch.ask<{ error?: object; version_conflicts?: number; failures?: unknown[] }>(
        'POST',
        `/${index}/_delete_by_query`,
        {
          query: { conflicts: 'proceed', refresh: true },
          body: { query: queryOf(one) },
          timeoutMs: TIMEOUT_MS,
          accepted: [404],
        },
      );
      // The generation was removed.
      if (error) return;
      if (failures.length > 0) break;
      if (conflicts === 0) return;
    }
    throw unavailable("Elasticsearch can't delete right now.");
  };

  /** Deleted documents stay in their segments and in the translog until a merge and a flush are requested. */
  const expunge = async (): Promise<void> => {
    await elasticsearch.ask('POST', `/${index}/_forcemerge`, {
      query: { only_expunge_deletes: true },
      timeoutMs: TIMEOUT_MS,
      accepted: [404],
    });
    await elasticsearch.ask('POST', `/${index}/_flush`, {
      query: { force: true },
      timeoutMs: TIMEOUT_MS,
      accepted: [404],
    });
  };

  const later = (erasures: readonly Erase[], ms = AGAIN_MS): void => {
    const timer = setTimeout(async () => {
      timers.delete(timer);
      try {
        await elasticsearch.ask('POST', `/${index}/_refresh`, { timeoutMs: TIMEOUT_MS, accepted: [404] });
        for (const one of erasures) await erase(one);
        await expunge();
      } catch {
        // Unreachable: try again until it succeeds.
        later(erasures);
      }
    }, ms).unref();
    timers.add(timer);
  };

  return {
    apply: async (erasures: readonly Erase[]): Promise<void> => {
      for (const one of erasures) await erase(one);
      // In the background, since it rewrites segments. The second deletion repeats it.
      void expunge().catch(() => {});
      later(erasures);
    },
    /** In the background: starts at once and repeats until it succeeds. */
    soon: (erasures: readonly Erase[]): void => later(erasures, 0),
    close: (): void => {
      for (const timer of timers) clearTimeout(timer);
    },
  };
};

/** One eraser for each index. */
export const makeErasers = (elasticsearch: Elasticsearch) => {
  const erasers = new Map<string, ReturnType<typeof makeEraser>>();
  return {
    of: (index: string): ReturnType<typeof makeEraser> => {
      const eraser = erasers.get(index) ?? makeEraser(elasticsearch, index);
      erasers.set(index, eraser);
      return eraser;
    },
    close: (): void => {
      for (const { close } of erasers.values()) close();
    },
  };
};
