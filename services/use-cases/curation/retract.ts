import { encodeEvent } from '../../../core/log/encode.ts';
import { budgetOf } from '../../../core/payers/budgets.ts';
import type { PaidLog } from '../../../core/payers/paid-log.ts';
import type { ReadModels } from '../../../core/ports/engines.ts';
import type { Admission, KeyStore, Listing, NewRecord } from '../../../core/ports.ts';
import { readScope } from '../../../core/scope.ts';
import { makeSettledWithin } from '../../../core/timing/settled-within.ts';
import type { BudgetedContext, Principal } from '../../../core/use-cases.ts';
import type { NewFragment } from '../../../domain/search/fragment.ts';
import { type MemoryRetracted, retractionId } from '../../../schemas/events/curation/retraction.ts';
import { tailEntries } from '../lists/tail.ts';
import { findTurn } from '../lists/turn.ts';
import { findObservation, seen } from './find-observation.ts';

export interface RetractPorts {
  log: Pick<PaidLog, 'append'>;
  keys: Pick<KeyStore, 'forSession'>;
  admission: Pick<Admission, 'tail' | 'drop'>;
  listing: Pick<Listing, 'turn' | 'observation'>;
  /** Resolves when every serving read model has applied the records at these addresses. */
  settled: ReadModels['settled'];
  /** Unix milliseconds. */
  clock: () => number;
  /** How long a call waits for the projections, for tests. */
  patienceMs?: number;
}

/**
 * find → append → wait for the read models → drop from the tail → 204. The append makes it final: every
 * reader of the event hides what it names, even if this process ends here. Once the read models hide it, only
 * the tail may still show it.
 */
export const makeRetract = (ports: RetractPorts) => {
  const { log, keys, admission, listing, clock } = ports;

  const settled = makeSettledWithin(
    ports.settled,
    'The projections are behind: it is hidden in a moment; send it again to know.',
    ports.patienceMs,
  );

  const hide = async (
    org: string,
    { user, session, id, sourceTurnId }: NewFragment,
    { correlationId, budgets }: BudgetedContext,
  ): Promise<void> => {
    const turnId = sourceTurnId ?? id;
    const data: MemoryRetracted = {
      user_id: user,
      session_id: session,
      turn_id: turnId,
      observation_id: sourceTurnId === undefined ? null : id,
    };
    const event = {
      id: retractionId(id),
      type: 'memory.retracted',
      org_id: org,
      recorded_at: new Date(clock()).toISOString(),
      correlation_id: correlationId,
      data,
    };
    const record: NewRecord = {
      topic: 'turns',
      // The turn's partition: its readers have read the turn before.
      key: JSON.stringify([org, user, session]),
      value: encodeEvent(event, await keys.forSession(org, user, session)),
      headers: { correlation_id: correlationId },
    };
    const taken = [budgetOf(org, 'retractions', budgets)];
    await settled(await log.append([record], { kind: 'budgeted', budgets: taken, needsRoom: false }));
    await admission.drop(org, user, turnId);
  };

  /**
   * Retractions under way, by organization and id: a second call for the same one waits for the first, and
   * appends nothing.
   */
  const running = new Map<string, Promise<void>>();
  const hideOnce = (org: string, found: NewFragment, context: BudgetedContext): Promise<void> => {
    const name = JSON.stringify([org, found.id]);
    const known = running.get(name);
    if (known) return known;
    const own = hide(org, found, context).finally(() => running.delete(name));
    running.set(name, own);
    return own;
  };

  // An id also names its session, so the credential's session is not the default here.
  return {
    turn: async (principal: Principal, id: string, context: BudgetedContext): Promise<void> => {
      const { org, user } = readScope(principal, {});
      const { kept, tail } = await findTurn({ listing, admission }, { org, user }, id);
      const found = kept?.fragment ?? tailEntries(tail, { kind: 'turn' })[0]?.fragment;
      await hideOnce(principal.orgId, seen(principal, found, 'turn'), context);
    },
    observation: async (principal: Principal, id: string, context: BudgetedContext): Promise<void> => {
      const { org, user } = readScope(principal, {});
      const found = await findObservation({ listing, admission }, { org, user }, id);
      await hideOnce(principal.orgId, seen(principal, found, 'observation'), context);
    },
  };
};
