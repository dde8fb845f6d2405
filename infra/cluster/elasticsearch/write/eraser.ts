import { atMostEvery } from '../../../../core/timing/at-most-every.ts';
import type { Erase, Origin } from '../../../../projections/recall/recall-writes.ts';
import type { Elasticsearch } from '../elasticsearch-client.ts';
import { BOOKKEEPING, type DocumentKind, TOPIC_OF_KIND } from '../index/index.ts';
import { sessionKeyOfDigest } from '../scope-clauses.ts';
import { knownLines, refreshIndex, sendBulk } from './bulk.ts';
import { deleteMatching } from './delete-matching.ts';
import { type Deletion, MOST_CLAIMED, openSecondDeletions } from './second-deletions.ts';

/** For the merge of a large segment, which nobody waits for. */
const TIMEOUT_MS = 120_000;
/**
 * How often an index is merged and flushed, however many erasures there are: both are for the whole index,
 * which all organizations share.
 */
const EXPUNGE_EVERY_MS = 60_000;
/** Erasures that come together share the first merge. */
const EXPUNGE_AFTER_MS = 1_000;
/**
 * The delay before a deletion is repeated: longer than a projector that lost its partition may still write,
 * and longer than the engine retains deletions for replicas.
 */
const AGAIN_MS = 60_000;

const kindsOf = (topic: Origin['topic']): DocumentKind[] =>
  (Object.keys(TOPIC_OF_KIND) as DocumentKind[]).filter(kind => TOPIC_OF_KIND[kind] === topic);
const KINDS = { turns: kindsOf('turns'), observations: kindsOf('observations') };

const deletionOf = ({ owner, session, origin: { topic, partition, offset } }: Erase): Deletion => ({
  owner,
  sessionKey: session === null ? undefined : sessionKeyOfDigest(session),
  topic,
  partition,
  offset,
});

const ofScope = ({ owner, sessionKey }: Pick<Deletion, 'owner' | 'sessionKey'>) => [
  // A digest of the organization and the user.
  { term: { owner } },
  ...(sessionKey === undefined ? [] : [{ term: { session_key: sessionKey } }]),
];

const queryOf = (
  { topic, partition, offset, ...scope }: Deletion,
  kinds: readonly DocumentKind[] = KINDS[topic],
) => ({
  bool: {
    filter: [
      ...ofScope(scope),
      { terms: { kind: kinds } },
      { term: { partition } },
      { range: { offset: { lt: offset } } },
    ],
  },
});

/** Matches what notes that the erased sessions were swept. */
const sweptOf = (deletion: Deletion) => ({
  bool: { filter: [...ofScope(deletion), { term: { kind: BOOKKEEPING.swept } }] },
});

/** Matches documents of an expired session, except the identities of its turns, which stay. */
const ofExpired = (deletion: Deletion) =>
  queryOf(
    deletion,
    KINDS[deletion.topic].filter(kind => kind !== 'expired'),
  );

/** The number of erasures or sessions whose documents one query deletes. */
const AT_ONCE = 200;

export interface Eraser {
  /**
   * Deletes the documents visible at the call that erasures name. Before that it stores in the index that the
   * deletion must be repeated, in case a projector that lost its partition writes late.
   */
  apply(index: string, erasures: readonly Erase[]): Promise<void>;
  /**
   * Stores in `index` that these deletions are due at once in another index; a projector need not wait for
   * them.
   */
  defer(index: string, target: string, erasures: readonly Erase[]): Promise<void>;
  /**
   * Repeats the deletions that are due in any generation, and expunges deleted documents. Any number of
   * processes may call it at once; a deletion is done once its stored document is gone, whichever process
   * ends in between.
   */
  deleteDue(): Promise<void>;
}

export const makeEraser = (
  elasticsearch: Pick<Elasticsearch, 'ask'>,
  /** Matches the indices of all generations. */
  generations: string,
  /** Unix milliseconds. */
  clock: () => number,
): Eraser => {
  const secondDeletions = openSecondDeletions(elasticsearch, generations);

  /** Deletes in as few requests as there can be: each of them ends in a refresh. */
  const deleteAll = async (index: string, queries: readonly object[]): Promise<void> => {
    for (let at = 0; at < queries.length; at += AT_ONCE) {
      const should = queries.slice(at, at + AT_ONCE);
      await deleteMatching(elasticsearch, index, { bool: { should, minimum_should_match: 1 } });
    }
  };

  /**
   * Removes the rest of fully expired sessions, which has no words: jobs, outcomes of enrichments,
   * retractions and titles. Their turns' identities are written first, so that none is unknown in between.
   */
  const removeExpired = async (index: string, erasures: readonly Erase[]): Promise<void> => {
    const known = knownLines(erasures);
    if (known.lines.length > 0) {
      await sendBulk(elasticsearch, index, known);
      await refreshIndex(elasticsearch, index);
    }
    await deleteAll(
      index,
      erasures.map(one => ofExpired(deletionOf(one))),
    );
  };

  /**
   * Requests a merge and a flush: until then, deleted documents stay in their segments and in the translog.
   */
  const expunge = async (index: string): Promise<void> => {
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

  const expungeSoon = atMostEvery({ afterMs: EXPUNGE_AFTER_MS, everyMs: EXPUNGE_EVERY_MS }, index =>
    expunge(index).catch(() => {}),
  );
  let nextDueAt = Number.NEGATIVE_INFINITY;

  return {
    apply: async (index, all) => {
      const { expired = [], erasures = [] } = Object.groupBy(all, ({ known }) =>
        known === undefined ? 'erasures' : 'expired',
      );
      await removeExpired(index, expired);
      if (erasures.length === 0) return;
      const deletions = erasures.map(deletionOf);
      await secondDeletions.store(index, { target: index, deletions, due: clock() + AGAIN_MS });
      await deleteAll(index, [
        ...deletions.map(deletion => queryOf(deletion)),
        // The same for every partition of an erasure.
        ...new Map(deletions.map(one => [`${one.owner} ${one.sessionKey}`, sweptOf(one)])).values(),
      ]);
      // In the background, since it rewrites segments. The second deletion repeats it.
      expungeSoon(index);
    },
    defer: (index, target, erasures) =>
      secondDeletions.store(index, {
        target,
        // Expired data is swept in every generation, and no words are left.
        deletions: erasures.filter(({ known }) => known === undefined).map(deletionOf),
        due: clock(),
      }),
    deleteDue: async () => {
      if (performance.now() < nextDueAt) return;
      const due = await secondDeletions.claimDue(clock());
      // More may be due.
      if (due.length > 0 && due.length < MOST_CLAIMED) nextDueAt = performance.now() + EXPUNGE_EVERY_MS;
      for (const [target, claimed] of Map.groupBy(due, one => one.target)) {
        await elasticsearch.ask('POST', `/${target}/_refresh`, { timeoutMs: TIMEOUT_MS, accepted: [404] });
        await deleteAll(
          target,
          claimed.map(({ deletion }) => queryOf(deletion)),
        );
        await expunge(target);
        await secondDeletions.remove(claimed);
      }
    },
  };
};
