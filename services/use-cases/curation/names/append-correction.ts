import { type Budget, budgetOf } from '../../../../core/payers/budgets.ts';
import type { PaidLog } from '../../../../core/payers/paid-log.ts';
import type { ReadModels } from '../../../../core/ports/engines.ts';
import type { KeyStore } from '../../../../core/ports.ts';
import { makeSettledWithin } from '../../../../core/timing/settled-within.ts';
import type { BudgetedContext } from '../../../../core/use-cases.ts';
import { NO_SESSION } from '../../../../schemas/events/curation/correction.ts';
import type { CorrectionType } from '../../../../schemas/events/event-types.ts';
import { correctionRecord, newCorrectionId } from './correction-record.ts';

export interface AppendPorts {
  log: Pick<PaidLog, 'append'>;
  keys: Pick<KeyStore, 'forSession'>;
  /** Resolves when every serving read model has applied the records at these addresses. */
  settled: ReadModels['settled'];
  /** Unix milliseconds. */
  clock: () => number;
  /** Default: a random one. */
  newId?: () => string;
  /** How long a call waits for the projections, for tests. */
  patienceMs?: number;
}

export interface NewCorrection {
  type: CorrectionType;
  org: string;
  user: string;
  /** Default: it is the user's. */
  session?: string;
  data: object;
  /** It is recorded after this instant: the clocks of two processes differ, and the last one counts. */
  after?: number | undefined;
  /** From which it is taken. Default: the organization's titles and names of a day. */
  budget?: Budget;
}

/** Seals and appends a correction, and waits until every read shows it. It isn't billed, but budgeted. */
export const makeAppendCorrection = ({
  log,
  keys,
  settled,
  clock,
  newId = newCorrectionId,
  patienceMs,
}: AppendPorts) => {
  const wait = makeSettledWithin(
    settled,
    'The projections are behind: it is corrected in a moment; send it again to know.',
    patienceMs,
  );
  return async (
    { type, org, user, session = NO_SESSION, data, after = 0, budget }: NewCorrection,
    { correlationId, budgets }: BudgetedContext,
  ): Promise<void> => {
    const recordedAt = Math.max(clock(), after + 1);
    const scope = { org, user, session };
    const correction = { id: newId(), type, scope, recordedAt, correlationId, data };
    const record = correctionRecord(correction, await keys.forSession(org, user, session));
    const taken = [budget ?? budgetOf(org, 'names', budgets)];
    const payer = { kind: 'budgeted', budgets: taken, needsRoom: true } as const;
    await wait(await log.append([record], payer));
  };
};
