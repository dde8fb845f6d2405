/** POST /recalls/{id}/feedback: what somebody says of a hit of a recall. */

import { ServiceError } from '../../../../core/errors.ts';
import { feedbackBudget } from '../../../../core/payers/budgets.ts';
import type { BudgetedContext, Principal } from '../../../../core/use-cases.ts';
import { sourceTurnsOf } from '../../../../domain/search/fragment.ts';
import type { RecallJudged } from '../../../../schemas/events/curation/judgement.ts';
import type { FeedbackAnswer, FeedbackBody } from '../../../../schemas/http/receipts.ts';
import { type AppendPorts, makeAppendCorrection } from '../../curation/names/append-correction.ts';
import { type FindReceiptPorts, makeFindReceipt } from './find-receipt.ts';
import { readJudgements } from './judgements.ts';
import { type ReceiptWordsPorts, readWords } from './receipt-words.ts';

export type JudgePorts = FindReceiptPorts & ReceiptWordsPorts & AppendPorts;

/**
 * find the receipt → read the hit anew → append under the key of the hit's session → wait for the read
 * models. It goes with the hit: hidden, expired or erased with it, and of what is gone nothing more is said.
 * The same again appends nothing.
 */
export const makeJudge = (ports: JudgePorts) => {
  const find = makeFindReceipt(ports);
  const append = makeAppendCorrection(ports);

  return async (
    principal: Principal,
    id: string,
    { hit_id, verdict }: FeedbackBody,
    context: BudgetedContext,
  ): Promise<FeedbackAnswer> => {
    const { event, hits, scope } = await find(principal, id);
    const hit = hits.find(one => one.id === hit_id);
    const { fragments } = await readWords(ports, scope, hit ? [hit] : []);
    const fragment = hit && fragments.get(hit_id);
    if (!fragment) throw new ServiceError('not_found', 'The recall has no such turn or observation.');
    const { org } = scope;
    const { user, session } = fragment;
    const known = (await readJudgements(ports, org, event.id, [fragment])).get(hit_id);
    const answer = { receipt_id: id, hit_id, verdict };
    if (known?.verdict === verdict) return answer;
    const data: RecallJudged = {
      ...{ user_id: user, session_id: session, recall_id: event.id, hit_id, verdict },
      turn_id: fragment.kind === 'turn' ? null : (sourceTurnsOf(fragment)[0] ?? null),
    };
    const after = known?.recordedAt;
    const budget = feedbackBudget(org);
    await append({ type: 'recall.judged', org, user, session, data, after, budget }, context);
    return answer;
  };
};
