import { ServiceError } from '../../../core/errors.ts';
import { makeFairQueue } from '../../../core/fairness/fair-queue.ts';
import type { UsageLedger } from '../../../core/ports.ts';
import { DAY_MS, HOUR_MS } from '../../../core/time.ts';
import type { UseCases } from '../../../core/use-cases.ts';
import { daysOfMonth, makeMonth } from '../../../projections/usage/statement.ts';
import type { Statement, UsageStatements } from '../accounts/signed/usage-statements.ts';
import { eventsById } from './by-id.ts';

/**
 * Delay between the end of a month and its statement. A write whose process died is finished by a retry, and
 * keeps its first day: its claim can be taken over for an hour.
 */
const CLOSES_AFTER_MS = 2 * HOUR_MS;
const RETRY_AFTER_SECONDS = 30;
/** Statements that are computed at a time: each reads all events of a month. */
const AT_A_TIME = 2;
/** How long a statement is kept whose callers had all gone when it was made. */
const KEPT_MS = 600_000;

export interface StatementPorts {
  ledger: UsageLedger;
  statements: UsageStatements;
  /** Unix milliseconds. */
  clock: () => number;
}

const notYet = (message: string, retryAfter?: number): ServiceError =>
  new ServiceError('conflict', message, retryAfter === undefined ? {} : { retryAfter });

/**
 * `GET /usage/statement`: the billed events of a month that is over and projected, summed up in one pass.
 * However many there are, a call is answered within its deadline or told to come again: the computation goes
 * on, and the next call gets its result.
 */
export const makeUsageStatement = ({
  ledger,
  statements,
  clock,
}: StatementPorts): Pick<UseCases, 'usageStatement'> => {
  const turns = makeFairQueue({ slots: AT_A_TIME, mostWaiting: 16 });
  const computing = new Map<string, Promise<Statement>>();

  const assertComplete = async (month: string): Promise<void> => {
    const days = daysOfMonth(month);
    const end = Date.parse(days.at(-1)!) + DAY_MS;
    const now = clock();
    if (Date.parse(days[0]!) > now)
      throw new ServiceError('invalid', 'The request breaks a rule.', {
        details: {
          errors: [{ loc: ['query', 'month'], type: 'future', message: 'must not be in the future' }],
        },
      });
    if (now < end + CLOSES_AFTER_MS)
      throw notYet(
        `The month's statement can be made from ${new Date(end + CLOSES_AFTER_MS).toISOString()} on.`,
      );
    const kept = ledger.firstDay();
    if (kept !== undefined && days[0]! < kept) throw notYet('The usage of this month is not kept any more.');
    if ((await ledger.projectedUntil()) < end)
      throw notYet('The usage of this month is still being projected.', RETRY_AFTER_SECONDS);
  };

  const compute = async (org: string, month: string): Promise<Statement> => {
    // Once the month is complete, later records belong to another month, and the ledger has all earlier ones.
    await assertComplete(month);
    const statedAt = clock();
    const sum = makeMonth(month);
    for await (const events of eventsById(ledger, org, daysOfMonth(month)))
      for (const event of events) sum.add(event);
    return { org, month, statedAt, ...sum.totals() };
  };

  const computed = (org: string, month: string): Promise<Statement> => {
    const name = `${month}\n${org}`;
    const known = computing.get(name);
    if (known) return known;
    const started = turns.run(org, () => compute(org, month));
    computing.set(name, started);
    const forget = (): void => {
      if (computing.get(name) === started) computing.delete(name);
    };
    started.then(() => setTimeout(forget, KEPT_MS).unref(), forget);
    return started;
  };

  return {
    usageStatement: async ({ orgId }, month, { deadline }) => {
      await assertComplete(month);
      const statement = await computed(orgId, month);
      // Delivered: the next call looks again.
      if (!deadline?.signal.aborted) computing.delete(`${month}\n${orgId}`);
      return { statement: await statements.sign(statement) };
    },
  };
};
