import { setTimeout as pause } from 'node:timers/promises';
import { partitionName } from '../../../core/log/positions.ts';
import type { FeedIndex, FeedPorts, Positions, Scope } from '../../../core/ports.ts';
import { passes } from '../../../domain/filter/condition.ts';
import { makeBounds } from './bounds.ts';
import { type Listened, makeListened, type SharedPage } from './listened.ts';
import { atPositions, FEED_TOPICS, type FeedPosition, isAt, passedIn } from './position.ts';
import { type FeedItem, type PageEnd, rangesOf, readPage } from './read-page.ts';

export interface FeedPage {
  items: FeedItem[];
  /** The position after the page. It also advances past records outside the scope. */
  position: FeedPosition;
  /**
   * The partitions that the stream's cursors name: those of the former cursor, and those in which it found
   * entries.
   */
  named: ReadonlySet<string>;
  /** More entries may be available immediately. */
  isFull: boolean;
}

/** One stream of the feed; its calls come one after the other. */
export interface FeedStream {
  /** The scope's entries after the last page, at most `limit`, in log order. */
  read(limit: number): Promise<FeedPage>;
  /** Resolves when the organization may have more entries, after `ms`, or when `signal` is aborted. */
  more(ms: number, signal: AbortSignal): Promise<void>;
  close(): void;
}

export type FeedScope = Pick<Scope, 'org' | 'user' | 'session' | 'filter'>;

export interface Feed {
  /** Throws `rate_limited` when the organization has too many streams, `unavailable` when the process has. */
  open(scope: FeedScope, from: FeedPosition, named?: ReadonlySet<string>): FeedStream;
  /**
   * The partitions that a cursor at this position has to name: those in which the organization may have
   * entries below it.
   */
  namesAt(org: string, position: FeedPosition): Promise<ReadonlySet<string>>;
  /** The log's end offsets. */
  ends(): Promise<Positions>;
}

/**
 * State shared by the streams of one process: how far they may read, as of a version that counts the changes.
 */
interface Shared {
  index: FeedIndex;
  everyMs: number;
  listened: Listened;
  bounds(): Positions;
  version(): number;
  /** Refreshes the bounds, unless they are refreshed all the time. */
  refresh(): Promise<void>;
  /** Refreshes them for as long as a stream waits. */
  watch(): void;
}

/** Cursors with more names than these are not short, and it is worth asking which of them are needed. */
const FEW_NAMES = 64;

/** Looks take at most one part in as many of the time, however many organizations they ask about. */
const SHARE = 9;

/**
 * The feed of one process. Turns are sent before observations, so a turn comes before what was extracted from
 * it. The events of a partition, and so of a session, are sent in log order.
 *
 * Streams that have read everything wait. One look at the positions serves all of them, one question which of
 * their organizations has written, and one read what is new of an organization, however many streams it has.
 * So a stream costs nothing while others write.
 */
export const makeFeed = ({ index, log, everyMs, mostStreams }: FeedPorts): Feed => {
  const currentBounds = makeBounds({ index, log });
  const listened = makeListened(mostStreams);
  let bounds: Positions = {};
  let version = 0;
  let looking: Promise<void> | undefined;
  let failed = false;
  let timer: NodeJS.Timeout | undefined;
  let pauseMs = everyMs;

  const look = async (): Promise<void> => {
    const next = await currentBounds();
    const before = atPositions(bounds);
    const ranges = FEED_TOPICS.flatMap(topic => rangesOf(before, next, topic));
    if (ranges.length === 0) return;
    const asked = listened.names();
    const wrote = asked.length > 0 && version > 0 ? await index.wrote(asked, ranges) : new Set<string>();
    // Organizations that were not asked about, because their first stream came meanwhile, count as changed.
    const silent = new Set(asked.filter(org => version > 0 && !wrote.has(org)));
    bounds = next;
    version++;
    // The next look waits for it: a stream that is woken late would have to read on its own.
    await listened.changed(silent, { version, before });
  };

  /** Concurrent callers share one look. */
  const lookOnce = (): Promise<void> => {
    looking ??= look()
      .then(
        () => {
          failed = false;
        },
        error => {
          failed = true;
          throw error;
        },
      )
      .finally(() => {
        looking = undefined;
      });
    return looking;
  };

  const watch = (): void => {
    if (timer !== undefined || !listened.isWaited()) return;
    timer = setTimeout(async () => {
      const started = performance.now();
      // The next read of each stream reports an outage.
      await lookOnce().catch(listened.wakeAll);
      pauseMs = Math.max(everyMs, SHARE * (performance.now() - started));
      timer = undefined;
      watch();
    }, pauseMs);
    timer.unref();
  };

  const shared: Shared = {
    index,
    everyMs,
    listened,
    bounds: () => bounds,
    version: () => version,
    refresh: async () => {
      if (failed || version === 0 || !listened.isWaited()) await lookOnce();
    },
    watch,
  };

  const namesAt: Feed['namesAt'] = async (org, position) => {
    const passed = passedIn(position);
    if (passed.size <= FEW_NAMES) return passed;
    // Read first: what lies below is in the index, so that its partitions are all that can have entries.
    const settled = await index.settled();
    const held = await index.partitionsOf(org);
    if (!held) return passed;
    const isUnsettled = (name: string): boolean => position[name]!.offset > (settled[name] ?? 0);
    return new Set([...passed].filter(name => held.has(name) || isUnsettled(name)));
  };

  return {
    open: (scope, from, named) => openStream(shared, scope, from, named),
    namesAt,
    ends: () => log.ends(),
  };
};

/** Where a stream stands. */
interface At {
  position: FeedPosition;
  end: PageEnd;
  /** The version of the bounds up to which it was read. */
  seen: number;
  /**
   * It has read exactly up to those bounds, so what comes next is the same for all such streams of its
   * organization.
   */
  inStep: boolean;
  /** It is in the middle of what was new at this change of its organization, together with the others. */
  together?: number;
}

const openStream = (
  { index, everyMs, listened, bounds, version, refresh, watch }: Shared,
  { session, filter, ...scope }: FeedScope,
  from: FeedPosition,
  before: ReadonlySet<string> = passedIn(from),
): FeedStream => {
  const named = new Set(before);
  const organization = listened.join(scope.org, version());
  let at: At = { position: from, end: 'full', seen: version(), inStep: false };

  const readFrom = async (who: Pick<Scope, 'org' | 'user'>, position: FeedPosition, limit: number) => {
    const [upTo, read] = [bounds(), version()];
    return { ...(await readPage(index, who, position, upTo, limit)), upTo, version: read };
  };

  const after = ({ position, end, upTo, version: seen }: SharedPage): At => ({
    position,
    end,
    seen,
    inStep: end === 'done' && isAt(position, upTo),
  });

  const readOwn = async (limit: number): Promise<FeedItem[]> => {
    await refresh();
    const page = await readFrom(scope, at.position, limit);
    at = after(page);
    return page.items;
  };

  /** Reads the organization's page, with all its streams that are at this position. */
  const readTogether = async (position: FeedPosition, limit: number): Promise<FeedItem[]> => {
    const together = organization.changedAt();
    const page = await organization.page(position, () => readFrom({ org: scope.org }, position, limit));
    at = { ...after(page), ...(page.end === 'full' && { together }) };
    const { user } = scope;
    return user === undefined ? page.items : page.items.filter(({ entry }) => entry.fragment.user === user);
  };

  const isSilent = (): boolean => at.end === 'done' && organization.changedAt() <= at.seen;

  return {
    read: async limit => {
      let items: FeedItem[] = [];
      if (isSilent()) {
        await refresh();
        if (isSilent()) {
          const position = at.inStep ? atPositions(bounds()) : at.position;
          at = { ...at, position, seen: version() };
        }
      } else if (at.together === organization.changedAt()) items = await readTogether(at.position, limit);
      else if (at.inStep && organization.changedBefore() <= at.seen)
        items = await readTogether(organization.from(), limit);
      else items = await readOwn(limit);
      // Before the filter: the position is past the entries of other sessions too, which must not be read
      // again.
      for (const { entry } of items) named.add(partitionName(entry));
      // Pages are shared with streams of all sessions and filters.
      if (session !== undefined) items = items.filter(({ entry }) => entry.fragment.session === session);
      if (filter) items = items.filter(({ entry }) => passes(filter, entry.metadata));
      return { items, position: at.position, named, isFull: at.end === 'full' };
    },
    more: async (ms, signal) => {
      if (isSilent()) await organization.wait(ms, signal, watch);
      // Under load, events of one interval are read together.
      else await pause(everyMs, undefined, { signal }).catch(() => {});
    },
    close: () => organization.leave(),
  };
};
