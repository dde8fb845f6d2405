import type { Judgement, TurnDetails } from '../../../../core/ports.ts';
import type { ReceiptFragment } from './receipt-words.ts';

/** Returns the sessions that the fragments are in, each once. */
const sessionsOf = (fragments: Iterable<ReceiptFragment>): { user: string; session: string }[] => [
  ...new Map(
    [...fragments].map(({ user, session }) => [JSON.stringify([user, session]), { user, session }]),
  ).values(),
];

/** Returns what was said last of each of a recall's hits, by the hit's id. */
export const readJudgements = async (
  { details }: { details: Pick<TurnDetails, 'judgements'> },
  org: string,
  recall: string,
  fragments: Iterable<ReceiptFragment>,
): Promise<ReadonlyMap<string, Judgement>> => {
  const sessions = sessionsOf(fragments);
  if (sessions.length === 0) return new Map();
  const all = await details.judgements(org, recall, sessions);
  return new Map(all.map(one => [one.hit_id, one]));
};
