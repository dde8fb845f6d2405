import type { Positions } from '../../core/ports.ts';
import { addStep } from '../../core/tracing/calls.ts';
import type { Log } from '../../core/watch/logger.ts';
import type { PoisonKind } from './projector/poison.ts';
import type { LimitName } from './projector/poison-limits.ts';
import { type HeldBack, type Report, type Reported, reportedAfter, type ServiceState } from './report.ts';

/** Retries follow within five seconds: trouble that has not been reported again for this long is over. */
const TROUBLED_MS = 15_000;

export const STOP_CAUSES = ['in_a_row', 'share', 'fault'] as const satisfies readonly (LimitName | 'fault')[];
export type StopCause = (typeof STOP_CAUSES)[number];

/** The progress of a projector or another consumer, from its reports. */
export interface Progress {
  receive(report: Report): void;
  positions(): Positions;
  events(): number;
  deadLetters(): number;
  /** Counts since the start, by step and reason. */
  deadLettersByKind(): (PoisonKind & { count: number })[];
  /** The error that it retries; undefined when there is none. */
  troubled(): string | undefined;
  /** The state of the external service that it calls; undefined before the first call. */
  service(): ServiceState | undefined;
  /** Why it waits for its external service; undefined while it doesn't wait. */
  waitsFor(): string | undefined;
  /** Sessions of which all has expired, and which keep their keys for now, by organization. */
  heldBack(): HeldBack;
  /** Why it has stopped for good; undefined while it runs. */
  stopped(): string | undefined;
  /** The limit of dead letters that stopped it, or `fault`; undefined while it runs. */
  stoppedBy(): StopCause | undefined;
  /** Calls the listener with the positions after each report that changed them. */
  listen(listener: (positions: Positions) => void): void;
  /** Resolves when the condition holds; rejects when the consumer has stopped. */
  until(condition: (positions: Positions) => boolean): Promise<void>;
}

export const makeProgress = (name: string, log: Log): Progress => {
  let reported: Reported = { positions: {} };
  let events = 0;
  const deadLetters = makeDeadLetterCounts();
  const listeners: ((positions: Positions) => void)[] = [];
  const conditions = makeConditions();
  const hasStopped = (): Error => new Error(`the ${name} has stopped`);

  return {
    receive: report => {
      const before = reported;
      reported = reportedAfter(before, report);
      logReport(log, name, report, before);
      if (report.kind === 'progress') {
        events += report.events;
        deadLetters.add(report);
        if (report.step) addStep(report.step);
      }
      if (report.kind === 'stopped') conditions.reject(hasStopped());
      if (reported.positions === before.positions) return;
      for (const listener of listeners) listener(reported.positions);
      conditions.check(reported.positions);
    },
    positions: () => reported.positions,
    events: () => events,
    deadLetters: deadLetters.total,
    deadLettersByKind: deadLetters.byKind,
    troubled: () => {
      const { trouble } = reported;
      return trouble && performance.now() - trouble.at < TROUBLED_MS ? trouble.message : undefined;
    },
    service: () => reported.service,
    waitsFor: () => reported.service?.waitsFor ?? undefined,
    heldBack: () => reported.heldBack ?? new Map(),
    stopped: () => reported.stopped?.reason,
    stoppedBy: () => reported.stopped && (reported.stopped.limit ?? 'fault'),
    listen: listener => void listeners.push(listener),
    until: async condition => {
      if (condition(reported.positions)) return;
      if (reported.stopped) throw hasStopped();
      await conditions.wait(condition);
    },
  };
};

const HELD_BACK =
  'most of an organization has expired: no more of its sessions are destroyed for now; an operator lets them go with: turnstone orgs set-limits ORG --expiries PERCENT';

const logReport = (log: Log, thread: string, report: Report, before: Reported): void => {
  switch (report.kind) {
    case 'progress':
      if (report.deadLetters) log.warn({ thread, events: report.deadLetters }, 'dead letters');
      break;
    case 'trouble':
      log.warn({ thread, reason: report.message }, 'trouble, trying again');
      break;
    case 'stopped':
      // A redelivered batch stops it again: log that once.
      if (before.stopped?.reason !== report.reason) log.error({ thread, reason: report.reason }, 'stopped');
      break;
    case 'held back':
      for (const [org_id, sessions] of report.held)
        if (!before.heldBack?.has(org_id)) log.warn({ thread, org_id, sessions }, HELD_BACK);
      break;
    case 'service': {
      const { service, waitsFor } = report.state;
      if (waitsFor === (before.service?.waitsFor ?? null)) break;
      if (waitsFor === null) log.info({ thread }, `${service} answers again`);
      // Nothing is lost and the cause is an external service, so this is a warning and not an error.
      else log.warn({ thread, reason: waitsFor }, `waits for ${service}`);
    }
  }
};

const makeDeadLetterCounts = () => {
  let total = 0;
  const kinds = new Map<string, PoisonKind & { count: number }>();
  return {
    add: ({ deadLetters = 0, kinds: added = [] }: Extract<Report, { kind: 'progress' }>): void => {
      total += deadLetters;
      for (const kind of added) {
        const name = `${kind.step}\n${kind.reason}`;
        kinds.set(name, { ...kind, count: (kinds.get(name)?.count ?? 0) + 1 });
      }
    },
    total: (): number => total,
    byKind: (): (PoisonKind & { count: number })[] => [...kinds.values()],
  };
};

/** Promises that resolve when the positions meet a condition. */
const makeConditions = () => {
  type Condition = (positions: Positions) => boolean;
  const waiting = new Set<{ condition: Condition; resolve: () => void; reject: (error: Error) => void }>();
  return {
    wait: (condition: Condition): Promise<void> =>
      new Promise((resolve, reject) => void waiting.add({ condition, resolve, reject })),
    check: (positions: Positions): void => {
      for (const one of waiting) {
        if (!one.condition(positions)) continue;
        waiting.delete(one);
        one.resolve();
      }
    },
    reject: (error: Error): void => {
      for (const one of waiting) one.reject(error);
      waiting.clear();
    },
  };
};

/** Throws when the consumer has stopped or is in trouble. */
export const assertRuns = (progress: Progress): void => {
  const fault = progress.stopped() ?? progress.troubled();
  if (fault) throw new Error(fault);
};

/**
 * A probe. Waiting for an external service is reported, but is not unhealthy: calls are still answered, so no
 * traffic should be routed away.
 */
export const runs = (progress: Progress) => async (): Promise<string> => {
  assertRuns(progress);
  const { service, waitsFor } = progress.service() ?? { waitsFor: null };
  return waitsFor === null ? 'runs' : `waits for ${service}: ${waitsFor}`;
};
