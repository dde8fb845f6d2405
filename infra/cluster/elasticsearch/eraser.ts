import type { Erase } from '../../../projections/recall/projection.ts';
import { unavailable } from '../../../services/core/errors.ts';
import type { Elasticsearch } from './client.ts';
import type { DocumentKind } from './index.ts';
import { sessionKeyOfDigest } from './scope.ts';

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
      // A generation that was removed holds nothing any more.
      if (error) return;
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
        // An engine that is away now: until it has done it, it is not done.
        later(erasures);
      }
    }, ms).unref();
    timers.add(timer);
  };

  return {
    apply: async (erasures: readonly Erase[]): Promise<void> => {
      for (const one of erasures) await erase(one);
      // In the background: it rewrites segments. It is asked for again with the second deletion.
      void expunge().catch(() => {});
      later(erasures);
    },
    /** Where nobody waits for it: at once, and until it is done. */
    soon: (erasures: readonly Erase[]): void => later(erasures, 0),
    close: (): void => {
      for (const timer of timers) clearTimeout(timer);
    },
  };
};

/** An eraser for each index that erasures came to. */
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
