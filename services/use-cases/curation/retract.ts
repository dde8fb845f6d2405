import { budgetOf } from '../../../core/payers/budgets.ts';
import type { PaidLog } from '../../../core/payers/paid-log.ts';
import { type Payer, TAKES_AWAY } from '../../../core/payers/till.ts';
import type { ReadModels } from '../../../core/ports/engines.ts';
import type { Admission, KeyStore, Listing } from '../../../core/ports.ts';
import { readScope } from '../../../core/scope.ts';
import { makeSettledWithin } from '../../../core/timing/settled-within.ts';
import type { BudgetedContext, Principal } from '../../../core/use-cases.ts';
import type { NewFragment } from '../../../domain/search/fragment.ts';
import type { SessionTitled } from '../../../schemas/events/curation/correction.ts';
import { type MemoryRetracted, retractionId } from '../../../schemas/events/curation/retraction.ts';
import type { CorrectionType } from '../../../schemas/events/event-types.ts';
import { tailEntries } from '../lists/tail.ts';
import { findTurn } from '../lists/turn.ts';
import { type DerivedPorts, makeDerivedFrom } from './derived.ts';
import { findObservation, seen } from './find-observation.ts';
import { correctionRecord, newCorrectionId } from './names/correction-record.ts';

/** The call that caused an append, and its payer. */
interface Paid {
  correlationId: string;
  payer: Payer;
}

export interface RetractPorts extends DerivedPorts {
  log: Pick<PaidLog, 'append'>;
  keys: Pick<KeyStore, 'forSession'>;
  admission: Pick<Admission, 'tail' | 'drop'>;
  listing: Pick<Listing, 'turn' | 'observation' | 'fragments' | 'sessions'>;
  /** Resolves when every serving read model has applied the records at these addresses. */
  settled: ReadModels['settled'];
  /** Unix milliseconds. */
  clock: () => number;
  /** Default: a random one. */
  newId?: () => string;
  /** How long a call waits for the projections, for tests. */
  patienceMs?: number;
}

/**
 * find → what follows it → append → wait for the read models → drop from the tail → look for what was
 * corrected meanwhile → 204. The append makes it final: every reader of the event hides what it names, even
 * if this process ends here. Once the read models hide it, only the tail may still show it. What follows it
 * is hidden by the same append, so that nobody hides the one without the other.
 */
export const makeRetract = (ports: RetractPorts) => {
  const { log, keys, admission, listing, clock } = ports;
  const { newId = newCorrectionId } = ports;
  const derived = makeDerivedFrom(ports);

  const settled = makeSettledWithin(
    ports.settled,
    'The projections are behind: it is hidden in a moment; send it again to know.',
    ports.patienceMs,
  );

  const hideAll = async (
    org: string,
    found: readonly NewFragment[],
    titledAt: number | undefined,
    { correlationId, payer }: Paid,
  ): Promise<void> => {
    const { user, session } = found[0]!;
    const key = await keys.forSession(org, user, session);
    const recordOf = (
      id: string,
      type: CorrectionType | 'memory.retracted',
      data: object,
      recordedAt = clock(),
    ) =>
      // The turn's partition: its readers have read the turn before.
      correctionRecord({ id, type, scope: { org, user, session }, recordedAt, correlationId, data }, key);
    const untitled: SessionTitled = { user_id: user, session_id: session, title: null };
    const records = [
      ...(titledAt === undefined
        ? []
        : [recordOf(newId(), 'session.titled', untitled, Math.max(clock(), titledAt + 1))]),
      ...found.map(one => recordOf(retractionId(one.id), 'memory.retracted', retractionOf(one))),
    ];
    const addresses = await log.append(records, payer);
    await settled(addresses);
    for (const turnId of new Set(found.map(turnOf))) await admission.drop(org, user, turnId);
  };

  const hide = async (org: string, found: NewFragment, paid: Paid): Promise<void> => {
    const { user, session } = found;
    const scope = { org, user, session };
    const { observed, corrections, titledAt } = await derived.closureOf(scope, found);
    const hiddenAt = clock();
    await hideAll(org, [...corrections, found], titledAt, paid);
    // A correction that was under way has been acknowledged, or finds that it has nothing to correct.
    const ids = [...observed, ...corrections.map(({ id }) => id)];
    const known = new Set(ids);
    const late = (await derived.correctionsOf(scope, ids)).filter(({ id }) => !known.has(id));
    // So may have been a title that came with a turn a moment ago.
    const titledLate = titledAt === undefined ? await derived.titledAt(scope) : undefined;
    const isLate = titledLate !== undefined && titledLate <= hiddenAt;
    if (late.length === 0 && !isLate) return;
    const again = late.length > 0 ? late : [found];
    await hideAll(org, again, isLate ? titledLate : undefined, { ...paid, payer: TAKES_AWAY });
  };

  /**
   * Retractions under way, by organization and id: a second call for the same one waits for the first, and
   * appends nothing.
   */
  const running = new Map<string, Promise<void>>();
  const hideOnce = (org: string, found: NewFragment, paid: Paid): Promise<void> => {
    const name = JSON.stringify([org, found.id]);
    const known = running.get(name);
    if (known) return known;
    const own = hide(org, found, paid).finally(() => running.delete(name));
    running.set(name, own);
    return own;
  };

  // An id also names its session, so the credential's session is not the default here.
  return {
    /** Hides what was found, with all that follows it. */
    hide: hideOnce,
    turn: async (principal: Principal, id: string, context: BudgetedContext): Promise<void> => {
      const { org, user } = readScope(principal, {});
      const { kept, tail } = await findTurn({ listing, admission }, { org, user }, id);
      const found = kept?.fragment ?? tailEntries(tail, { kind: 'turn' })[0]?.fragment;
      await hideOnce(principal.orgId, seen(principal, found, 'turn'), paidBy(principal, context));
    },
    observation: async (principal: Principal, id: string, context: BudgetedContext): Promise<void> => {
      const { org, user } = readScope(principal, {});
      const found = await findObservation({ listing, admission }, { org, user }, id);
      await hideOnce(principal.orgId, seen(principal, found, 'observation'), paidBy(principal, context));
    },
  };
};

const paidBy = ({ orgId }: Principal, { correlationId, budgets }: BudgetedContext): Paid => {
  const taken = [budgetOf(orgId, 'retractions', budgets)];
  return { correlationId, payer: { kind: 'budgeted', budgets: taken, needsRoom: false } };
};

const turnOf = ({ id, sourceTurnId }: NewFragment): string => sourceTurnId ?? id;

const retractionOf = (hidden: NewFragment): MemoryRetracted => ({
  user_id: hidden.user,
  session_id: hidden.session,
  turn_id: turnOf(hidden),
  observation_id: hidden.sourceTurnId === undefined ? null : hidden.id,
});
