import type { Positions } from '../../../core/ports.ts';
import { within } from '../../../core/timing/within.ts';
import { type Report, type Reported, reportedAfter } from '../../workers/report.ts';
import type { Thread } from '../threads/start-thread.ts';

/** A generation that serves or may serve soon. It has its own projector, which follows the log. */
export interface Running {
  number: number;
  version: string;
  /** It was written by another release, or is damaged: it has no projector. */
  isFrozen: boolean;
  /** It holds something else than was written: it is not even read, until another generation serves. */
  isDamaged: boolean;
  positions(): Positions;
  /** Why its projector has stopped for good. */
  stopped(): string | undefined;
  /** Why it makes no progress: it has stopped, or keeps retrying the same step. */
  failure(): string | undefined;
  /** See `Follower.hold`. Rejects when the generation fails or takes too long. */
  hold(at?: Positions): Promise<Positions>;
  resume(): void;
  close(): Promise<void>;
}

/** A step that is retried for this long counts as a failure. */
const TROUBLED_MS = 5_000;
/** The time limit of a hold: a step and what it waits for take less. */
const HOLD_WITHIN_MS = 20_000;

export interface RunningOptions {
  number: number;
  version: string;
  start: (onReport: (report: Report) => void) => Promise<Thread>;
  /** Called with each report of its projector, after `Running` reflects it. */
  onReport: (report: Report) => void;
}

/** Resolves when its projector runs; rejects when it can't start. */
export const startRunning = async ({
  number,
  version,
  start,
  onReport,
}: RunningOptions): Promise<Running> => {
  let reported: Reported = { positions: {} };
  let held: PromiseWithResolvers<Positions> | undefined;

  const thread = await start(report => {
    reported = reportedAfter(reported, report);
    if (report.kind === 'held') held?.resolve(report.positions);
    if (report.kind === 'stopped') held?.reject(new Error(report.reason));
    onReport(report);
  });

  return {
    number,
    version,
    isFrozen: false,
    isDamaged: false,
    positions: () => reported.positions,
    stopped: () => reported.stopped?.reason,
    failure: () => {
      const { stopped, trouble } = reported;
      if (stopped) return stopped.reason;
      return trouble && performance.now() - trouble.since >= TROUBLED_MS ? trouble.message : undefined;
    },
    hold: at => {
      if (reported.stopped) return Promise.reject(new Error(reported.stopped.reason));
      held = Promise.withResolvers();
      thread.send({ hold: at });
      return within(
        HOLD_WITHIN_MS,
        held.promise,
        () => new Error(`generation ${number} does not come to rest`),
      );
    },
    resume: () => thread.send('resume'),
    close: thread.close,
  };
};

/** A generation that another release wrote. */
export const frozen = (number: number, version: string, positions: Positions): Running => ({
  number,
  version,
  isFrozen: true,
  isDamaged: false,
  positions: () => positions,
  stopped: () => undefined,
  failure: () => undefined,
  hold: async () => positions,
  resume: () => {},
  close: async () => {},
});

/** A generation whose file must not be read any more. `closed` resolves when its projector has ended. */
export const damaged = ({ number, version, positions }: Running, closed: Promise<void>): Running => ({
  ...frozen(number, version, positions()),
  isDamaged: true,
  close: () => closed,
});
