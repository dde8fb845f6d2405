/**
 * The index of accounts by entity, from which a wiped Redis is rebuilt. A consumer of the log of its own
 * writes it, so that while Elasticsearch is down a revocation is in force at once all the same.
 */

import type { Decode } from '../../../core/log/events.ts';
import { eventsBetween, ofAccounts, offsetIn, partitionName } from '../../../core/log/positions.ts';
import type { LogRecord, NotHandled, SharedLog } from '../../../core/ports.ts';
import type { Gauge } from '../../../core/watch/gauges.ts';
import type { Log } from '../../../core/watch/logger.ts';
import type { AccountEntities } from '../../../infra/cluster/elasticsearch/accounts/account-entities.ts';
import type { LoggedAccountEvent } from '../../../projections/accounts/folded-entities.ts';
import { firstFrom } from '../../workers/projector/group.ts';
import { lackingIn } from '../held-positions.ts';

export const ACCOUNT_INDEX_GROUP = 'account-index';

/**
 * How often the index is checked for events that it lacks, after a restore from an older copy or after it was
 * emptied.
 */
const CHECK_EVERY_MS = 15_000;
const REMOVE_EVERY_MS = 10 * 60_000;

interface StepPorts {
  log: Pick<SharedLog, 'read'>;
  decode: Decode;
  index: Pick<AccountEntities, 'positions' | 'apply'>;
  /** Unix milliseconds. */
  clock: () => number;
}

/**
 * decode → fold → write, for records of one partition in order. Continues from the position that the index
 * itself states: events that an older copy lacks are read again, and none that it holds is folded twice. A
 * record that can't be decoded is skipped, as the projector sets it aside.
 */
export const makeIndexStep =
  ({ log, decode, index, clock }: StepPorts) =>
  async (records: readonly LogRecord[]): Promise<NotHandled | undefined> => {
    const [first] = records;
    if (!first) return undefined;
    const { topic, partition } = first;
    const name = partitionName(first);
    const behind = (offset: number): NotHandled => ({
      kind: 'rewind',
      offset,
      reason: `The index of accounts holds ${name} up to ${offset}.`,
    });
    const from = offsetIn(await index.positions([name]), first);
    if (from < first.offset) {
      // Offsets without a record: the index lacks nothing.
      const lacking = await firstFrom(log, first, from);
      if (lacking < first.offset) return behind(lacking);
    }
    const events: LoggedAccountEvent[] = [];
    for (const record of records.filter(({ offset }) => offset >= from)) {
      const decoded = await decode(record);
      if (decoded.kind !== 'events') continue;
      // A requeued copy is read at its own position, whatever it replaces.
      for (const event of decoded.events)
        events.push({ ...event, offset: record.offset } as unknown as LoggedAccountEvent);
    }
    const next = records.at(-1)!.offset + 1;
    if (next <= from) return undefined;
    const held = await index.apply(events, { topic, partition, from, next }, clock());
    return held < next ? behind(held) : undefined;
  };

export interface AccountIndexPorts extends StepPorts {
  log: Pick<SharedLog, 'read' | 'consume' | 'committed'>;
  index: Pick<AccountEntities, 'positions' | 'apply' | 'removeEnded'>;
  logger: Pick<Log, 'warn'>;
}

/**
 * Joins the group that writes the index, checks that the index still holds what it held, and removes what has
 * ended.
 */
export const keepAccountIndex = async (
  ports: AccountIndexPorts,
  { checkEveryMs, removeEveryMs } = { checkEveryMs: CHECK_EVERY_MS, removeEveryMs: REMOVE_EVERY_MS },
): Promise<{ close(): Promise<void> }> => {
  const { log, index, clock, logger } = ports;
  const onTrouble = (error: unknown): void =>
    logger.warn(
      { reason: error instanceof Error ? error.message : 'unknown fault' },
      'the index of accounts is not written',
    );
  const consumer = await log.consume({
    group: ACCOUNT_INDEX_GROUP,
    topics: ['accounts'],
    handle: makeIndexStep(ports),
    onTrouble,
  });
  const check = async (): Promise<void> => {
    // Read the acknowledged positions first: what is acknowledged is held already.
    const acknowledged = ofAccounts(await log.committed(ACCOUNT_INDEX_GROUP));
    const lacking = lackingIn([await index.positions(Object.keys(acknowledged))], acknowledged);
    if (Object.keys(lacking).length > 0) consumer.rewind(lacking);
  };
  const timers = [
    setInterval(() => void check().catch(onTrouble), checkEveryMs).unref(),
    setInterval(() => void index.removeEnded(clock()).catch(onTrouble), removeEveryMs).unref(),
  ];
  return {
    close: async () => {
      for (const timer of timers) clearInterval(timer);
      await consumer.close();
    },
  };
};

/** How far the index is behind: what a rebuild of a wiped Redis reads from the log. */
export const accountIndexGauge = (
  log: Pick<SharedLog, 'ends'>,
  index: Pick<AccountEntities, 'positions'>,
): Gauge => ({
  name: 'turnstone_account_index_lag_events',
  help: 'Events of accounts in the log that their index in Elasticsearch does not hold yet',
  // The group may have acknowledged events that a lost and recreated index doesn't hold.
  read: async () => {
    const ends = ofAccounts(await log.ends());
    return eventsBetween(await index.positions(Object.keys(ends)), ends);
  },
});
