import { makeYieldWhenDue } from '../../core/fairness/yield-when-due.ts';
import { positionsIn } from '../../core/log/positions.ts';
import type {
  ActivityReader,
  AuditLog,
  FeedIndex,
  Listing,
  SplitUsage,
  UsageLedger,
} from '../../core/ports.ts';
import type { Log } from '../../core/watch/logger.ts';
import { type AccountStoreOptions, openAccountStore } from '../../infra/embedded/accounts/account-store.ts';
import { type EmbeddedAdmission, openAdmission } from '../../infra/embedded/admission/admission.ts';
import type { TailBound, Unsettled } from '../../infra/embedded/admission/unsettled.ts';
import type { DiskRoom } from '../../infra/embedded/disk-room.ts';
import { openProjectionsReader } from '../../infra/embedded/index/file/projections-database.ts';
import { openActivityDays } from '../../infra/embedded/index/read/activity-days.ts';
import { openAuditEntries } from '../../infra/embedded/index/read/audit-entries.ts';
import { openFeedIndex } from '../../infra/embedded/index/read/feed.ts';
import { openListing } from '../../infra/embedded/index/read/lists/listing.ts';
import { openSwitchedReader } from '../../infra/embedded/index/read/projections-reader.ts';
import { openRecallDetails } from '../../infra/embedded/index/read/recall-details.ts';
import { openServedModel } from '../../infra/embedded/index/read/search/vector-reader.ts';
import { openUsageEvents } from '../../infra/embedded/index/read/usage-events.ts';
import { openUsageSplit } from '../../infra/embedded/index/read/usage-split.ts';
import type { Config } from '../../schemas/config.ts';
import type { Searcher } from '../use-cases/recall/searcher.ts';
import type { Progress } from '../workers/progress.ts';
import type { startFileSearcher } from './threads/file-searcher.ts';

export interface ReadersOptions {
  /** The serving generation's file at the start. */
  projections: string;
  /** The static table, shared by all threads. */
  table: SharedArrayBuffer;
  logger: Log;
  /** Milliseconds to add to the machine's clock. */
  clockOffset: number;
  rerank: Config['rerank'];
  hasReader: boolean;
  unsettled: Unsettled;
  /** The most that may wait for the projector. */
  mostUnsettled: () => TailBound;
  shortage: DiskRoom['shortage'];
  accounts: Omit<AccountStoreOptions, 'reader'>;
  startSearcher: typeof startFileSearcher;
  /** Called with the path of a file that can't be what was written. */
  onDamage: (projections: string) => void;
}

export interface EmbeddedReaders {
  admission: EmbeddedAdmission;
  details: ReturnType<typeof openRecallDetails>;
  listing: Listing;
  feed: FeedIndex;
  billedEvents: UsageLedger['events'];
  splitUsage: SplitUsage;
  audit: AuditLog;
  activity: ActivityReader;
  accounts: ReturnType<typeof openAccountStore>;
  /** The embedding model of the serving generation. */
  servedModel: () => string | undefined;
  searcher: Pick<Searcher, 'search' | 'find' | 'probe' | 'eventLoopUtilization'>;
  /**
   * Opens a generation's file beside the current one, so that the switch itself is one step, which can't
   * fail.
   */
  prepare(projections: string): Promise<{ switch(): void; abandon(): void }>;
  /** See `SwitchedReaders`. */
  reread(): void;
  /** From now on, accounts, and nothing else, are read in this file. */
  readAccountsIn(projections: string): void;
  /** Waits for running searches. */
  close(): Promise<void>;
}

/**
 * All readers of the projections' file, which switch to another generation's file together. Accounts have
 * their own reader: while the serving generation is frozen, they are read in the one that is being built.
 */
export const openReaders = ({
  projections,
  table,
  logger,
  clockOffset,
  rerank,
  hasReader,
  unsettled,
  mostUnsettled,
  shortage,
  accounts: accountsOptions,
  startSearcher,
  onDamage,
}: ReadersOptions): EmbeddedReaders => {
  const clock = (): number => Date.now() + clockOffset;
  const reader = openSwitchedReader(projections, clock, onDamage);
  const accountsReader = openSwitchedReader(projections, clock, onDamage);
  const admission = openAdmission(reader, unsettled, mostUnsettled, shortage);
  const details = openRecallDetails(reader);
  const listing = openListing(reader, makeYieldWhenDue);
  const feed = openFeedIndex(reader, makeYieldWhenDue);
  const billedEvents = openUsageEvents(reader);
  const splitUsage = openUsageSplit(reader, makeYieldWhenDue);
  const audit = openAuditEntries(reader, makeYieldWhenDue);
  const activity = openActivityDays(reader);
  const servedModel = openServedModel(reader);
  const accounts = openAccountStore({ reader: accountsReader, ...accountsOptions });
  // Start the thread last: it would outlive a failure after it.
  const searcher = startSearcher({
    serving: projections,
    table,
    clockOffset,
    rerank,
    hasReader,
    log: logger,
    onDamage,
  });
  return {
    admission,
    details,
    listing,
    feed,
    billedEvents,
    splitUsage,
    audit,
    activity,
    accounts,
    servedModel,
    searcher,
    prepare: async path => {
      await searcher.open(path);
      const switches = [reader.prepareSwitch(path), accountsReader.prepareSwitch(path)];
      return {
        switch: () => {
          for (const one of switches) one.commit();
          searcher.switchTo(path);
          accounts.projectionMoved();
        },
        abandon: () => {
          for (const one of switches) one.abandon();
        },
      };
    },
    reread: admission.reread,
    readAccountsIn: path => {
      accountsReader.prepareSwitch(path).commit();
      accounts.projectionMoved();
    },
    close: async () => {
      accountsReader.close();
      reader.close();
      await searcher.close();
    },
  };
};

/** Another connection to a projections' file. */
export const hold = (projections: string): (() => void) => {
  const held = openProjectionsReader(projections);
  // A connection opens its file when it is first used.
  held.prepare('SELECT 1 FROM meta').get();
  return () => held.close();
};

/** Drops the cached accounts whenever their projection advances. */
export const listenToAccounts = (
  projector: Progress,
  { accounts }: Pick<EmbeddedReaders, 'accounts'>,
): void => {
  let last = '';
  projector.listen(positions => {
    const now = JSON.stringify(positionsIn(positions, ['accounts']));
    if (now === last) return;
    last = now;
    accounts.projectionMoved();
  });
};
