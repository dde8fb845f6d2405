import { makeOneAtATime } from '../../../core/fairness/one-at-a-time.ts';
import { encodeEvent } from '../../../core/log/encode.ts';
import { offsetIn, type Partition } from '../../../core/log/positions.ts';
import { budgetOf } from '../../../core/payers/budgets.ts';
import type { PaidLog } from '../../../core/payers/paid-log.ts';
import { type Payer, TAKES_AWAY } from '../../../core/payers/till.ts';
import type { ReadModels } from '../../../core/ports/engines.ts';
import type {
  Admission,
  BegunErasures,
  KeyStore,
  NewRecord,
  Positions,
  RecordAddress,
  TurnDetails,
} from '../../../core/ports.ts';
import { makeSettledWithin } from '../../../core/timing/settled-within.ts';
import type { BudgetedContext } from '../../../core/use-cases.ts';
import type { Log } from '../../../core/watch/logger.ts';
import { scopeDigest } from '../../../domain/identity/identity.ts';
import type { MemoryErased } from '../../../schemas/events/curation/erasure.ts';
import type { ErasureAnswer } from '../../../schemas/http/erasure.ts';
import type { Receipts } from '../accounts/signed/receipts.ts';
import { type ErasedScope, ownPartitions } from './own-partitions.ts';

/** An erasure, as those are told who have copies. */
export interface ToldErasure extends ErasedScope {
  id: string;
  /** RFC 3339, UTC, milliseconds. */
  erasedAt: string;
}

export interface ErasePorts {
  log: Pick<PaidLog, 'append' | 'ends' | 'partitionOf'>;
  keys: Pick<KeyStore, 'idsOf' | 'sessionsOf' | 'destroy'>;
  admission: Pick<Admission, 'erase'>;
  details: Pick<TurnDetails, 'holdings' | 'sessionsOf'>;
  /** Resolves when every serving read model has applied the records at these addresses. */
  settled: ReadModels['settled'];
  begun: BegunErasures;
  receipts: Receipts;
  /** Unix milliseconds. */
  clock: () => number;
  /** Returns `ers_` and 32 random hexadecimal digits. */
  newId: () => string;
  /** Tells others of an erasure that is in every read model. One may be told again, by another id. */
  told?: (erasure: ToldErasure, correlationId: string) => Promise<void>;
  /** How long a call waits for the projections, for tests. */
  patienceMs?: number;
  logger: Pick<Log, 'info'>;
}

const NOTHING = { turns: 0, observations: 0, entities: 0, sessions: 0 };

/**
 * look whether there is anybody → find its partitions → count → append → destroy keys → drop the tail → wait
 * for the read models → sign. The append makes the erasure final: every reader of the event destroys the keys
 * that it names, even if this process ends here. The event is in every partition that may ever hold the
 * scope, but only those that do are waited for: nobody's backlog delays another one's erasure.
 * However many sessions a user has, what is named and destroyed is the one key that wraps theirs.
 */
export const makeErase = (ports: ErasePorts) => {
  const {
    log,
    keys,
    admission,
    details,
    begun,
    receipts,
    clock,
    newId,
    logger,
    told = async () => {},
  } = ports;

  const settled = makeSettledWithin(
    ports.settled,
    'The projections are behind: the erasure is not complete, send it again.',
    ports.patienceMs,
  );

  const sign = async (
    { org, user, session }: ErasedScope,
    { id, erasedAt, counts }: { id: string; erasedAt: string; counts: ErasureAnswer['erased'] },
  ): Promise<ErasureAnswer> => {
    const receipt = await receipts.sign({ id, org, user, session: session ?? null, erasedAt, counts });
    return { erased: counts, erased_at: erasedAt, receipt };
  };

  /**
   * Where there is no key, no word can be read; where there is no document either, nothing is left to do, and
   * nobody has to wait. An erasure that was broken off has left its event, which the read models follow.
   */
  const isNobody = async ({ org, user, session }: ErasedScope): Promise<boolean> => {
    const hasKey = async (): Promise<boolean> => (await keys.idsOf(org, user, session)).length > 0;
    if (await hasKey()) return false;
    const held = Object.values(await details.holdings(org, user, session));
    // A first write may have begun meanwhile, which the index doesn't show yet.
    return held.every(count => count === 0) && !(await hasKey());
  };

  const erase = async (scope: ErasedScope, context: BudgetedContext): Promise<ErasureAnswer> => {
    const { org, user, session } = scope;
    const ends = await log.ends();
    const own = await ownPartitions({ log, keys, details }, scope, ends);
    const begin = () => begun.begin(scope, own.all.filter(own.isOwn));
    await settled(lastOf(own.all.filter(own.isOwn), ends));
    const counts = await details.holdings(org, user, session);
    const id = newId();
    const erasedAt = new Date(clock()).toISOString();
    const owner = scopeDigest([org, user]);
    const sessionDigest = session === undefined ? null : scopeDigest([org, user, session]);

    const taken = [budgetOf(org, 'erasures', context.budgets)];
    const appended: RecordAddress[] = [];
    // A call that nobody waits for any more must not erase what is written after it was sent again.
    context.deadline?.beginAppend();
    // Each reader of the event destroys the keys, also when this call has ended by then.
    await begin();
    let payer: Payer = { kind: 'budgeted', budgets: taken, needsRoom: false };
    for (let complete = false; !complete; ) {
      const keyIds = await keys.idsOf(org, user, session);
      let number = appended.length;
      const data: MemoryErased = {
        erasure_id: id,
        owner,
        session: sessionDigest,
        key_ids: [...keyIds],
        counts,
      };
      const records = own.all.map(
        (target): NewRecord => ({
          ...target,
          // The partition is given.
          key: '',
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
      );
      appended.push(...(await log.append(records, payer)));
      // From here on keys are destroyed: it is brought to its end, whatever it appends.
      payer = TAKES_AWAY;
      // A turn that was written until then precedes the event in its partition: a reader may have opened it.
      await own.look();
      await begin();
      const destroyed = await keys.destroy(org, user, session);
      await admission.erase(org, user);
      // Keys that were created meanwhile must be listed in the log too.
      const named = new Set(keyIds);
      complete = destroyed.every(keyId => named.has(keyId));
    }
    const waitedFor = appended.filter(own.isOwn);
    await settled(waitedFor);
    // Before it is known as ended: a call that fails here is repeated, and tells.
    await told({ ...scope, id, erasedAt }, context.correlationId);
    // It is kept for a day, and whoever repeats the call waits for nothing by then.
    await begun.end(scope).catch(() => {});

    logger.info({ org_id: org, erasure_id: id, owner, session: sessionDigest, ...counts }, 'memory erased');
    return sign(scope, { id, erasedAt, counts });
  };

  // Each of them may have an index refreshed and rewritten, which all organizations share.
  const oneAtATime = makeOneAtATime();
  return async (scope: ErasedScope, context: BudgetedContext): Promise<ErasureAnswer> => {
    const erasedAt = new Date(clock()).toISOString();
    if (await isNobody(scope)) {
      // An erasure that was broken off may have left a copy of a damaged file, which this removes. One that
      // was not applied in time, at whichever process, is answered when its own partitions are.
      const left = await begun.begun(scope);
      await settled(left.length === 0 ? [] : lastOf(left, await log.ends()));
      const id = newId();
      if (left.length > 0) {
        await told({ ...scope, id, erasedAt }, context.correlationId);
        await begun.end(scope).catch(() => {});
      }
      return sign(scope, { id, erasedAt, counts: NOTHING });
    }
    return oneAtATime(scope.org, async () => {
      // A call that nobody waits for leaves the line.
      context.deadline?.signal.throwIfAborted();
      return erase(scope, context);
    });
  };
};

/** The last record of each of these partitions. */
const lastOf = (targets: readonly Partition[], ends: Positions): RecordAddress[] =>
  targets
    .map(target => ({ ...target, offset: offsetIn(ends, target) - 1 }))
    .filter(({ offset }) => offset >= 0);
