/** GET /recalls/{id}: what a recall answered, with the words as they are now. */

import type { Principal } from '../../../../core/use-cases.ts';
import { factWords } from '../../../../domain/context/context.ts';
import type { Verdict } from '../../../../schemas/events/curation/judgement.ts';
import type { ReceiptHit } from '../../../../schemas/events/receipt.ts';
import type { ReceiptAnswer, ReceiptHitItem } from '../../../../schemas/http/receipts.ts';
import { type FindReceiptPorts, makeFindReceipt } from './find-receipt.ts';
import { contentFields } from './hit.ts';
import { readJudgements } from './judgements.ts';
import { wordsBetween } from './part.ts';
import {
  type ReceiptFragment,
  type ReceiptWords,
  type ReceiptWordsPorts,
  readWords,
} from './receipt-words.ts';

export type ReadReceiptPorts = FindReceiptPorts & ReceiptWordsPorts;

/**
 * find in the log → check who asks → open the question → read the words anew, and what was said of them. What
 * is not found any more was erased or hidden.
 */
export const makeReadReceipt = (ports: ReadReceiptPorts) => {
  const find = makeFindReceipt(ports);
  return async (principal: Principal, id: string): Promise<ReceiptAnswer> => {
    const { event, receipt, expiresAt, q, hits, scope } = await find(principal, id);
    const words = await readWords(ports, scope, hits);
    const named = new Set(hits.map(hit => hit.id));
    const shown = [...words.fragments.values()].filter(fragment => named.has(fragment.id));
    const judged = await readJudgements(ports, scope.org, event.id, shown);
    const counted = (verdict: Verdict): number =>
      [...judged.values()].filter(one => one.verdict === verdict && named.has(one.hit_id)).length;
    return {
      receipt_id: id,
      recalled_at: event.recorded_at,
      expires_at: new Date(expiresAt).toISOString(),
      q,
      mode: receipt.mode,
      as_of: receipt.as_of === null ? null : new Date(receipt.as_of).toISOString(),
      ranker: receipt.ranker,
      confidence: receipt.confidence,
      hits: hits.map(hit => {
        const item = itemOf(hit, receipt.passages === true || hit.used_in !== 'hits', words);
        const verdict = item.status === 'shown' ? judged.get(item.id ?? '')?.verdict : undefined;
        return { ...item, ...(verdict && { verdict }) };
      }),
      feedback: { helpful: counted('helpful'), wrong: counted('wrong') },
    };
  };
};

/** A fact with the words by which the context stated it, which are fewer than those of its observation. */
const factFields = (fragment: ReceiptFragment) => {
  const { text, fact } = fragment;
  const { subject = '', attribute = '', value = '' } = fact ?? {};
  const { about, words } = factWords({ subject, attribute, value, text });
  return { ...contentFields(fragment, words), text: about + words };
};

const itemOf = (
  { kind, used_in, score, id, part }: ReceiptHit,
  asPart: boolean,
  { fragments, entities }: ReceiptWords,
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
