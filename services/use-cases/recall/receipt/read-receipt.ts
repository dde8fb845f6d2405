/** GET /recalls/{id}: what a recall answered, with the words as they are now. */

import { ServiceError } from '../../../../core/errors.ts';
import type { Event } from '../../../../core/log/events.ts';
import { offsetIn } from '../../../../core/log/positions.ts';
import type { Engines, ReadModels } from '../../../../core/ports/engines.ts';
import type { Scope, StoredEntity, StoredFragment } from '../../../../core/ports.ts';
import { boundSession, readScope } from '../../../../core/scope.ts';
import { DAY_MS } from '../../../../core/time.ts';
import type { Principal } from '../../../../core/use-cases.ts';
import { factWords } from '../../../../domain/context/context.ts';
import { scopeDigest } from '../../../../domain/identity/identity.ts';
import { RECEIPT_DAYS, type RecallReceipt, type ReceiptHit } from '../../../../schemas/events/receipt.ts';
import type { RecallMetered } from '../../../../schemas/events/usage.ts';
import type { ReceiptAnswer, ReceiptHitItem } from '../../../../schemas/http/receipts.ts';
import { tailEntries } from '../../lists/tail.ts';
import { contentFields } from './hit.ts';
import { wordsBetween } from './part.ts';
import { openReceipt, parseReceiptId } from './receipt.ts';

export interface ReadReceiptPorts
  extends Pick<Engines, 'decode' | 'admission'>,
    Pick<ReadModels, 'details' | 'listing'> {
  log: Pick<Engines['log'], 'read' | 'ends'>;
  keys: Pick<Engines['keys'], 'byId'>;
  /** Unix milliseconds. */
  clock: () => number;
}

type Fragment = Omit<StoredFragment, 'key' | 'isWaiting'>;

/**
 * find in the log → check who asks → open the question → read the words anew. There is no read model of
 * receipts: the id says where the log has it, so it is readable with the answer, and no replay or erasure has
 * to touch it. What is not found any more was erased or hidden.
 */
export const makeReadReceipt = (ports: ReadReceiptPorts) => {
  const { log, decode, keys, clock } = ports;

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

  return async (principal: Principal, id: string): Promise<ReceiptAnswer> => {
    const scope = readScope(principal, {});
    const event = await find(id, scope.org);
    const receipt = event?.data.receipt;
    const expires = event && Date.parse(event.recorded_at) + RECEIPT_DAYS * DAY_MS;
    if (!event || !receipt || !maySee(principal, receipt) || clock() >= expires!)
      throw new ServiceError('not_found', 'There is no such receipt.');
    const secret = await openReceipt(keys, scope.org, event.id, receipt);
    const named = withIds(receipt.hits, secret?.ids);
    const words = await readWords(ports, { org: scope.org, user: scope.user }, named);
    return {
      receipt_id: id,
      recalled_at: event.recorded_at,
      expires_at: new Date(expires!).toISOString(),
      q: secret?.q ?? null,
      mode: receipt.mode,
      as_of: receipt.as_of === null ? null : new Date(receipt.as_of).toISOString(),
      ranker: receipt.ranker,
      confidence: receipt.confidence,
      hits: named.map(hit => words(hit, receipt.passages === true || hit.used_in !== 'hits')),
    };
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

const idsOf = (hits: readonly ReceiptHit[], kind: ReceiptHit['kind']): string[] => [
  ...new Set(hits.flatMap(hit => (hit.kind === kind && hit.id !== undefined ? [hit.id] : []))),
];

/** Reads the tail before the index: what is acknowledged is in at least one of the two. */
const readWords = async (
  { admission, details, listing }: Pick<ReadReceiptPorts, 'admission' | 'details' | 'listing'>,
  scope: Pick<Scope, 'org' | 'user'>,
  hits: readonly ReceiptHit[],
): Promise<(hit: ReceiptHit, asPart: boolean) => ReceiptHitItem> => {
  const tail = await admission.tail(scope);
  const waiting = (['turn', 'observation'] as const).flatMap(kind => tailEntries(tail, { kind }));
  const naming = [...new Set(hits.flatMap(({ turns = [] }) => turns))];
  const [turns, observations, entities] = await Promise.all([
    details.turnsOf(scope, idsOf(hits, 'turn')),
    Promise.all(idsOf(hits, 'observation').map(id => listing.observation(scope, id))),
    naming.length === 0 ? [] : details.entitiesOf(scope, naming),
  ]);
  const fragments = new Map<string, Fragment>(
    [
      ...waiting.map(({ fragment }) => fragment),
      ...turns,
      ...observations.filter(found => found !== undefined),
    ]
      .filter(({ user }) => (scope.user ?? user) === user)
      .map(fragment => [fragment.id, fragment]),
  );
  const labels = new Map(entities.map(entity => [entity.id, entity]));
  return (hit, asPart) => itemOf(hit, asPart, fragments, labels);
};

/** A fact with the words by which the context stated it, which are fewer than those of its observation. */
const factFields = (fragment: Fragment) => {
  const { text, fact } = fragment;
  const { subject = '', attribute = '', value = '' } = fact ?? {};
  const { about, words } = factWords({ subject, attribute, value, text });
  return { ...contentFields(fragment, words), text: about + words };
};

const itemOf = (
  { kind, used_in, score, id, part }: ReceiptHit,
  asPart: boolean,
  fragments: ReadonlyMap<string, Fragment>,
  entities: ReadonlyMap<string, StoredEntity>,
): ReceiptHitItem => {
  const hit = { kind, used_in, score };
  const fragment = id === undefined ? undefined : fragments.get(id);
  const entity = kind === 'entity' && id !== undefined ? entities.get(id) : undefined;
  if (fragment && used_in === 'facts')
    return { ...hit, status: 'shown', id: fragment.id, ...factFields(fragment) };
  if (fragment) {
    const words = part && asPart ? wordsBetween(fragment.text, part) : fragment.text;
    return {
      ...hit,
      status: 'shown',
      id: fragment.id,
      ...contentFields(fragment, words),
      ...(part && { part }),
    };
  }
  if (entity) return { ...hit, status: 'shown', id: entity.id, label: entity.label };
  // A digest of words that were erased is not given away either.
  return { ...hit, status: 'erased', id: kind === 'turn' ? id! : null };
};
