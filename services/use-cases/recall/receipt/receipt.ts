/**
 * A recall's record of its answer: made here, stored in the event that bills it, and found by that event's
 * address.
 */

import { open, seal } from '../../../../core/log/keys/sealing.ts';
import type { ChosenHit, KeyStore, KnownFact, RecordAddress, Scope } from '../../../../core/ports.ts';
import type { Principal } from '../../../../core/use-cases.ts';
import { scopeDigest } from '../../../../domain/identity/identity.ts';
import { RANKER } from '../../../../domain/ranking/ranker.ts';
import {
  MOST_NAMING,
  MOST_RECEIPT_HITS,
  type RecallReceipt,
  type ReceiptHit,
  type SealedReceipt,
} from '../../../../schemas/events/receipt.ts';
import { partInCharacters } from './part.ts';
import type { UsedHit } from './used.ts';

/**
 * The session name under which questions over all sessions of a user are sealed. It is longer than a
 * session's name may be, so no session has it.
 */
const ALL_SESSIONS = ' '.repeat(257);

interface Asked {
  keys: Pick<KeyStore, 'forSession'>;
  scope: Scope;
  principal: Principal;
  /** The event's. */
  id: string;
  q: string;
  mode: RecallReceipt['mode'];
  passages: boolean;
}

interface Answered {
  used: () => readonly UsedHit[];
  /** The current facts in the context. */
  held: readonly KnownFact[];
  confidence: number;
}

/**
 * Seals the question under the key of what was searched: the session's, or one that dies with the user. A
 * question over the whole organization is its asker's. Throws `unavailable` when no key can be found or made
 * now.
 */
export const receiptOf = async (
  { keys, scope, principal, id, q, mode, passages }: Asked,
  { used, held, confidence }: Answered,
): Promise<RecallReceipt> => {
  const { org, user, session, asOf } = scope;
  const keeper = user ?? principal.userId;
  const { keyId, sealing } = await keys.forSession(
    org,
    keeper,
    (user === undefined ? undefined : session) ?? ALL_SESSIONS,
  );
  const kept = [
    ...used().map(one => ({ hit: receiptHit(one), id: idOf(one.hit) })),
    ...held.map(fact => ({
      hit: { kind: 'observation', used_in: 'facts', score: null } as const,
      id: fact.id,
    })),
  ].slice(0, MOST_RECEIPT_HITS);
  const ids = kept.filter(({ hit }) => hit.kind !== 'turn').map(one => one.id);
  const secret: SealedReceipt = { q, ids };
  return {
    owner: user === undefined ? null : scopeDigest([org, user]),
    session: user === undefined || session === undefined ? null : scopeDigest([org, user, session]),
    mode,
    as_of: asOf ?? null,
    confidence,
    ranker: RANKER,
    ...(passages && { passages }),
    hits: kept.map(({ hit }): ReceiptHit => hit),
    key_id: keyId,
    sealed: seal(sealing, JSON.stringify(secret), boundTo(org, id)).toString('base64'),
  };
};

/**
 * The tokens that a receipt costs beside its question, which the recall bills: one for each hit that it
 * keeps, which takes some hundred bytes, as a short turn does.
 */
export const receiptTokens = (receipt: RecallReceipt | undefined): number => receipt?.hits.length ?? 0;

/** Opens the sealed question and ids; undefined when their key is destroyed. */
export const openReceipt = async (
  keys: Pick<KeyStore, 'byId'>,
  org: string,
  id: string,
  { key_id, sealed }: RecallReceipt,
): Promise<SealedReceipt | undefined> => {
  const key = await keys.byId(key_id);
  return key && JSON.parse(open(key, Buffer.from(sealed, 'base64'), boundTo(org, id)).toString());
};

const boundTo = (org: string, id: string): string => `receipt\n${id}\n${org}`;

const idOf = (hit: ChosenHit): string => (hit.kind === 'entity' ? hit.entity.mentionedAs : hit.fragment.id);

const receiptHit = ({ hit, used_in }: UsedHit): ReceiptHit => {
  const { kind, score } = hit;
  if (kind === 'entity') return { kind, used_in, score, turns: hit.entity.turnIds.slice(0, MOST_NAMING) };
  const part = partInCharacters(hit);
  return { kind, used_in, score, ...(kind === 'turn' && { id: hit.fragment.id }), ...(part && { part }) };
};

/**
 * `rcl_…`, the event's own, with its address: a receipt is readable as soon as it is in the log, by one read.
 */
export const receiptId = (
  eventId: string,
  { partition, offset }: Pick<RecordAddress, 'partition' | 'offset'>,
): string => `${eventId}.${partition}.${offset}`;

/** Undefined for what is no receipt's id. */
export const parseReceiptId = (
  id: string,
): { eventId: string; partition: number; offset: number } | undefined => {
  const [, eventId, partition, offset] = /^(rcl_[0-9a-f-]{36})\.(\d{1,6})\.(\d{1,15})$/.exec(id) ?? [];
  return eventId === undefined
    ? undefined
    : { eventId, partition: Number(partition), offset: Number(offset) };
};
