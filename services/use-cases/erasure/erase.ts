import { PROJECTIONS } from '../../../projections/all.ts';
import { scopeDigest } from '../../../projections/recall/identity.ts';
import type { ErasureCounts, MemoryErased } from '../../../schemas/events/erasure.ts';
import type { ErasureAnswer } from '../../../schemas/http/erasure.ts';
import { unavailable } from '../../core/errors.ts';
import { encodeEvent } from '../../core/log/events.ts';
import { partitionsOf } from '../../core/log/positions.ts';
import type { Engines } from '../../core/ports/engines.ts';
import type {
  Admission,
  EventLog,
  Holdings,
  KeyStore,
  NewRecord,
  Positions,
  RecallIndex,
  RecordAddress,
} from '../../core/ports.ts';
import type { CallContext } from '../../core/use-cases.ts';
import type { Log } from '../../core/watch/logger.ts';
import { within } from '../../core/within.ts';
import type { Receipts } from '../accounts/receipts.ts';

export interface ErasePorts {
  log: Pick<EventLog, 'append' | 'ends'>;
  keys: Pick<KeyStore, 'idsOf' | 'destroy'>;
  admission: Pick<Admission, 'erase'>;
  index: Pick<RecallIndex, 'holdings'>;
  /** Resolves when every serving read model has applied the records at these addresses. */
  settled: Engines['settled'];
  receipts: Receipts;
  /** Unix milliseconds. */
  clock: () => number;
  /** Returns `ers_` and 32 random hexadecimal digits. */
  newId: () => string;
  logger: Pick<Log, 'info'>;
}

export interface ErasedScope {
  org: string;
  user: string;
  /** Undefined: all of the user's sessions. */
  session: string | undefined;
}

/** How long a call waits for the projections before it fails with `unavailable`; it may be repeated. */
const PATIENCE_MS = 10_000;
/** The most key ids, and billed turns, per record: about a third of a megabyte each. */
const MOST_LISTED = 5_000;
/** Topics whose events contain text. */
const TOPICS = PROJECTIONS.recall.topics;

/**
 * count → append → destroy keys → drop the tail → wait for the read models → sign. The append makes the erasure final:
 * every reader of the event destroys the keys that it lists, even if this process ends here.
 */
export const makeErase = (ports: ErasePorts) => {
  const { log, keys, admission, index, receipts, clock, newId, logger } = ports;

  const settled = (addresses: readonly RecordAddress[]): Promise<void> =>
    within(PATIENCE_MS, ports.settled(addresses, AbortSignal.timeout(PATIENCE_MS)), () =>
      unavailable('The projections are behind: the erasure is not complete, send it again.', undefined, 2),
    );

  return async ({ org, user, session }: ErasedScope, context: CallContext): Promise<ErasureAnswer> => {
    const ends = await log.ends();
    await settled(lastOf(ends));
    const { counts, sealedTokens } = await index.holdings(org, user, session);
    const id = newId();
    const erasedAt = new Date(clock()).toISOString();
    const owner = scopeDigest([org, user]);
    const sessionDigest = session === undefined ? null : scopeDigest([org, user, session]);
    const targets = targetsOf({ org, user, session }, ends);

    const appended: RecordAddress[] = [];
    for (let complete = false; !complete; ) {
      const keyIds = await keys.idsOf(org, user, session);
      let number = appended.length;
      const records = targets.flatMap(target =>
        dataOf(target, { id, owner, session: sessionDigest, counts, keyIds, sealedTokens }).map(
          (data): NewRecord => ({
            ...target,
            value: encodeEvent({
              id: `${id}/${number++}`,
              type: 'memory.erased',
              org_id: org,
              recorded_at: erasedAt,
              correlation_id: context.correlationId,
              data,
            }),
            headers: { correlation_id: context.correlationId },
          }),
        ),
      );
      appended.push(...(await log.append(records)));
      const destroyed = await keys.destroy(org, user, session);
      await admission.erase(org, user, [...new Set([...keyIds, ...destroyed])]);
      // Keys that were created meanwhile must be listed in the log too.
      const named = new Set(keyIds);
      complete = destroyed.every(keyId => named.has(keyId));
    }
    await settled(appended);

    logger.info({ org_id: org, erasure_id: id, owner, session: sessionDigest, ...counts }, 'memory erased');
    const receipt = await receipts.sign({ id, org, user, session: session ?? null, erasedAt, counts });
    return { erased: counts, erased_at: erasedAt, receipt };
  };
};

/** The last record of each partition whose events contain text. */
const lastOf = (ends: Positions): RecordAddress[] =>
  TOPICS.flatMap(topic => partitionsOf(ends, topic))
    .filter(({ offset }) => offset > 0)
    .map(({ offset, ...partition }) => ({ ...partition, offset: offset - 1 }));

type Target = Pick<NewRecord, 'topic' | 'key' | 'partition'>;

/** A session's events are in one partition per topic, chosen by its record key; a user's may be in all partitions. */
const targetsOf = ({ org, user, session }: ErasedScope, ends: Positions): Target[] => {
  if (session !== undefined) {
    return TOPICS.map(topic => ({ topic, key: JSON.stringify([org, user, session]) }));
  }
  return TOPICS.flatMap(topic => partitionsOf(ends, topic)).map(({ topic, partition }) => ({
    topic,
    key: '',
    partition,
  }));
};

interface Draft {
  id: string;
  owner: string;
  session: string | null;
  counts: ErasureCounts;
  keyIds: readonly string[];
  sealedTokens: Holdings['sealedTokens'];
}

/** The events that list the keys and the billed tokens of the target's turns: as many as the record size requires. */
const dataOf = ({ topic, partition }: Target, draft: Draft): MemoryErased[] => {
  const { id: erasure_id, owner, session, counts, keyIds, sealedTokens } = draft;
  const billed = sealedTokens
    .filter(turn => topic === 'turns' && (partition === undefined || turn.partition === partition))
    .map(({ id, day, tokens }) => ({ id, day, tokens }));
  const length = Math.max(1, Math.ceil(Math.max(keyIds.length, billed.length) / MOST_LISTED));
  return Array.from({ length }, (_, i) => {
    const [from, to] = [i * MOST_LISTED, (i + 1) * MOST_LISTED];
    return {
      erasure_id,
      owner,
      session,
      key_ids: keyIds.slice(from, to),
      counts,
      billed: billed.slice(from, to),
    };
  });
};
