import { ServiceError } from '../../../../core/errors.ts';
import type { Event } from '../../../../core/log/events.ts';
import { offsetIn } from '../../../../core/log/positions.ts';
import type { Engines } from '../../../../core/ports/engines.ts';
import type { Scope } from '../../../../core/ports.ts';
import { boundSession, readScope } from '../../../../core/scope.ts';
import { DAY_MS } from '../../../../core/time.ts';
import type { Principal } from '../../../../core/use-cases.ts';
import { scopeDigest } from '../../../../domain/identity/identity.ts';
import { RECEIPT_DAYS, type RecallReceipt, type ReceiptHit } from '../../../../schemas/events/receipt.ts';
import type { RecallMetered } from '../../../../schemas/events/usage.ts';
import { openReceipt, parseReceiptId } from './receipt.ts';

export interface FindReceiptPorts extends Pick<Engines, 'decode'> {
  log: Pick<Engines['log'], 'read' | 'ends'>;
  keys: Pick<Engines['keys'], 'byId'>;
  /** Unix milliseconds. */
  clock: () => number;
}

export interface FoundReceipt {
  event: Event<RecallMetered>;
  receipt: RecallReceipt;
  /** Unix milliseconds. */
  expiresAt: number;
  /** null: its key is destroyed. */
  q: string | null;
  /** With the ids of observations and entities while the question's key lives. */
  hits: ReceiptHit[];
  /** The scope that the caller sees. */
  scope: Pick<Scope, 'org' | 'user'>;
}

/**
 * Finds a receipt by the address in its id, and opens it. There is no read model of receipts: one is readable
 * with the answer, and no replay or erasure has to touch it. Throws `not_found` for all that the caller may
 * not see.
 */
export const makeFindReceipt = ({ log, decode, keys, clock }: FindReceiptPorts) => {
  const find = async (id: string, org: string): Promise<Event<RecallMetered> | undefined> => {
    const wanted = parseReceiptId(id);
    if (!wanted) return undefined;
    const usage = { topic: 'usage', partition: wanted.partition } as const;
    if (wanted.offset >= offsetIn(await log.ends(), usage)) return undefined;
    const [record] = await log.read(usage.topic, usage.partition, wanted.offset, 1);
    if (!record || record.offset !== wanted.offset) return undefined;
    const decoded = await decode(record);
    const [event] = decoded.kind === 'events' ? decoded.events : [];
    // An address alone reveals nothing: the caller must also know the event's id.
    if (event?.id !== wanted.eventId || event.org_id !== org || event.type !== 'recall.metered')
      return undefined;
    return event as Event<RecallMetered>;
  };

  return async (principal: Principal, id: string): Promise<FoundReceipt> => {
    const { org, user } = readScope(principal, {});
    const event = await find(id, org);
    const receipt = event?.data.receipt;
    const expiresAt = event && Date.parse(event.recorded_at) + RECEIPT_DAYS * DAY_MS;
    if (!event || !receipt || !maySee(principal, receipt) || clock() >= expiresAt!)
      throw new ServiceError('not_found', 'There is no such receipt.');
    const secret = await openReceipt(keys, org, event.id, receipt);
    const hits = withIds(receipt.hits, secret?.ids);
    return { event, receipt, expiresAt: expiresAt!, q: secret?.q ?? null, hits, scope: { org, user } };
  };
};

/** A recall that the principal could make itself. */
const maySee = (principal: Principal, { owner, session }: RecallReceipt): boolean => {
  const { org, user } = readScope(principal, {});
  if (user === undefined) return true;
  const own = boundSession(principal);
  return (
    owner === scopeDigest([org, user]) && (own === undefined || session === scopeDigest([org, user, own]))
  );
};

/** Observations and entities have an id only while the question's key lives. */
const withIds = (hits: readonly ReceiptHit[], ids: readonly string[] = []): ReceiptHit[] => {
  let next = 0;
  return hits.map(hit => (hit.kind === 'turn' ? hit : { ...hit, id: ids[next++] }));
};
