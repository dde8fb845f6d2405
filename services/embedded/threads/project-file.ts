import type { Decode } from '../../../core/log/events.ts';
import { hasReached, positionsIn } from '../../../core/log/positions.ts';
import type { Sweeping, SweptSessions } from '../../../core/ports/projection/projection-store.ts';
import type { KeyStore, PolledLog, Positions, ProjectionStore, StepMemory } from '../../../core/ports.ts';
import { HOUR_MS } from '../../../core/time.ts';
import { makeLanguage } from '../../../domain/language/language.ts';
import { countOrganizations } from '../../../infra/embedded/index/file/count-organizations.ts';
import { diskLeft, isLittle } from '../../../infra/embedded/index/file/disk-left.ts';
import { isDamage } from '../../../infra/embedded/sqlite-errors.ts';
import { sureInstant } from '../../../infra/embedded/sure-clock.ts';
import { makeProjections, PROJECTED_TOPICS } from '../../../projections/all.ts';
import { readSetAside } from '../../operations/dead-letters/letters.ts';
import { guardSteps } from '../../workers/deadly-steps.ts';
import { startExpiredKeys } from '../../workers/expired-keys.ts';
import type { ExpiryShare } from '../../workers/expiry-share.ts';
import { startExpirySweep } from '../../workers/expiry-sweep.ts';
import { startProjector } from '../../workers/projector/projector.ts';
import { messageOf, type Report, troubleOf } from '../../workers/report.ts';
import type { ProjectorData, ThreadOrder } from './thread-data.ts';

export interface ProjectFilePorts
  extends Pick<ProjectorData, 'projections' | 'table' | 'clockOffset' | 'sureClock' | 'threadDied'> {
  config: Pick<ProjectorData['config'], 'poisonLimits'>;
  log: PolledLog;
  keys: KeyStore;
  decode: Decode;
  /** The store in the file at `projections`. */
  store: ProjectionStore & Sweeping & { swept: SweptSessions };
  steps: StepMemory;
  /** How much of an organization expires in a day. */
  share: ExpiryShare;
  report: (report: Report) => void;
}

/**
 * How often it sweeps. Each sweep rewrites the segments that hold expired data; with steady expiry this
 * interval costs a fifteenth of what two seconds would.
 */
const SWEEP_EVERY_MS = 30_000;

/**
 * Projects the log into a generation's file, and removes from it, and from the keys, what has expired.
 * Resolves when it has begun.
 */
export const projectFile = async ({
  projections,
  table,
  clockOffset,
  sureClock,
  threadDied,
  config,
  log,
  keys,
  decode,
  store,
  steps,
  share,
  report,
}: ProjectFilePorts): Promise<{
  take(order: Exclude<ThreadOrder, 'close'>): void;
  close(): Promise<void>;
}> => {
  const clock = (): number => Date.now() + clockOffset;
  const guard = guardSteps(steps, threadDied);
  let reported: Positions = {};
  /**
   * A step may fail after its commit: it is not repeated, and what it has projected is reported when the
   * projector reads where it resumes.
   */
  const resumeAt = async (): Promise<Positions> => {
    const positions = await store.positions();
    if (!hasReached(reported, positions)) report({ kind: 'progress', positions, events: 0 });
    reported = { ...positions };
    return positions;
  };

  const projector = startProjector({
    log,
    store: { ...store, positions: resumeAt },
    decode,
    projections: makeProjections(makeLanguage(new Uint8Array(table))),
    topics: PROJECTED_TOPICS,
    linksSince: () => clock() - HOUR_MS,
    onApplied: applied => {
      Object.assign(reported, applied.positions);
      report({ ...applied, kind: 'progress' });
    },
    limits: config.poisonLimits,
    organizations: async () => countOrganizations(projections),
    setAside: await readSetAside(log),
    guard: {
      ...guard,
      most: (partition, offset) => (isLittle(diskLeft(projections)) ? 1 : guard.most(partition, offset)),
    },
    onStopped: report,
    onTrouble: error =>
      report(isDamage(error) ? { kind: 'damaged', reason: messageOf(error) } : troubleOf(error)),
  });

  /** A file that is behind may know of a retention, and not that it was undone in time. */
  const knowsRetentions = async (): Promise<boolean> =>
    hasReached(await store.positions(), positionsIn(await log.ends(), ['accounts']));
  const surely = sureInstant(sureClock);
  const upTo = async (): Promise<number | undefined> => surely();
  const onFault = (error: unknown): void => report(troubleOf(error));
  const sweeping = startExpirySweep(
    { sweep: async now => (await knowsRetentions()) && store.sweep(now) },
    { clock, upTo, everyMs: SWEEP_EVERY_MS },
    onFault,
  );
  const destroying = startExpiredKeys(
    { swept: store.swept, keys, log, positions: store.positions, clock, upTo, share },
    { onHeld: held => report({ kind: 'held back', held }) },
    onFault,
  );

  return {
    take: order => {
      if (order === 'resume') return projector.resume();
      projector.hold(order.hold).then(positions => report({ kind: 'held', positions }));
    },
    close: async () => {
      await projector.close();
      await sweeping.close();
      await destroying.close();
    },
  };
};
