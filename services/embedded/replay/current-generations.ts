import { hasReached } from '../../../core/log/positions.ts';
import type { EventLog, GenerationFiles, Positions } from '../../../core/ports.ts';
import type { Log } from '../../../core/watch/logger.ts';
import type { Progress } from '../../workers/progress.ts';
import type { Report } from '../../workers/report.ts';
import type { Thread } from '../threads/start-thread.ts';
import { damaged, frozen, type Running, startRunning } from './running.ts';

export interface GenerationsPorts {
  files: GenerationFiles;
  log: Pick<EventLog, 'ends'>;
  logger: Log;
  /** Receives the reports of the serving generation only. */
  projector: Progress;
  startProjector(projections: string, onReport: (report: Report) => void): Promise<Thread>;
  /** Whether an error says that a file holds something else than was written. */
  isDamage(error: unknown): boolean;
}

interface Current {
  serving: Running;
  standby: Running | undefined;
  /** The generation that is being built and in which accounts are read already. */
  accountsIn: number | undefined;
}

export type Opened = Awaited<ReturnType<typeof openCurrent>>;

/** Starts the projectors of the serving generation and the standby; a standby that fails is dropped. */
export const openCurrent = async ({
  files,
  log,
  logger,
  projector,
  startProjector,
  isDamage,
}: GenerationsPorts) => {
  for (const { number, reason } of files.damaged)
    logger.error({ generation: number, reason }, 'damaged projections were set aside');
  setAsideThoseAhead(files, await log.ends(), logger);
  const names = files.names();
  // A placeholder until its projector runs, which reports before `start` resolves.
  const serving = frozen(names.serving, files.version, {});
  const current: Current = { serving, standby: undefined, accountsIn: undefined };
  const drops = { count: 0, last: undefined as string | undefined };
  const damageListeners: (() => void)[] = [];

  const start = (number: number, onReport?: (report: Report) => void): Promise<Running> =>
    startRunning({
      number,
      version: files.version,
      start: onReport => startProjector(files.path(number), onReport),
      onReport: report => {
        receive(number, report);
        onReport?.(report);
      },
    });

  /**
   * Handles a report by its generation's current state; reports of a building generation are ignored here.
   */
  const receive = (number: number, report: Report): void => {
    const { serving, standby } = current;
    if (report.kind === 'damaged') {
      damage(number, report.reason);
    } else if (serving.number === number) {
      // Reports after the damage are ignored: nobody reads the file.
      if (!serving.isDamaged) projector.receive(report);
    } else if (standby?.number === number) {
      // It reads the same records as the serving one and stops with it until the next start: it has not
      // failed.
      if (report.kind === 'stopped' && report.limit !== undefined) return;
      const reason = standby.failure();
      if (reason !== undefined)
        drop(number, reason).catch(error => logger.error({ err: error }, 'dropping a generation failed'));
    }
  };

  const drop = async (number: number, reason: string): Promise<void> => {
    const failed = current.standby?.number === number ? current.standby : undefined;
    if (failed) current.standby = undefined;
    drops.count++;
    drops.last = `generation ${number} was dropped: ${reason}`;
    logger.error({ generation: number, reason }, 'a generation of the projections was dropped');
    const { standby, building } = files.names();
    files.write({
      standby: standby === number ? null : standby,
      building: building === number ? null : building,
    });
    await failed?.close().catch(error => logger.warn({ err: error }, 'closing a generation failed'));
    files.remove(number);
  };

  const damage = (number: number, reason: string): void => {
    const { serving, standby } = current;
    if (standby?.number === number)
      drop(number, reason).catch(error => logger.error({ err: error }, 'dropping a generation failed'));
    if (serving.number !== number || serving.isDamaged) return;
    const closed = serving.close().catch(error => logger.warn({ err: error }, 'closing a generation failed'));
    current.serving = damaged(serving, closed);
    logger.error({ generation: number, reason }, 'the projections are damaged: they are built from the log');
    try {
      files.markDamaged(number, reason);
    } catch (error) {
      logger.error({ err: error }, 'the damage could not be noted');
    }
    for (const listener of damageListeners) listener();
  };

  const found = files.about(names.serving);
  if (found && found.version !== files.version) {
    current.serving = frozen(names.serving, found.version, found.positions);
    projector.receive({ kind: 'ready', positions: found.positions });
  } else {
    current.serving = await start(names.serving).catch(async error => {
      if (!isDamage(error)) throw error;
      logger.error({ generation: names.serving, err: error }, 'damaged projections were set aside');
      files.setAside(names.serving);
      return start(names.serving);
    });
  }
  if (names.standby !== null) {
    try {
      current.standby = await start(names.standby);
    } catch (error) {
      await drop(names.standby, error instanceof Error ? error.message : 'it could not be opened');
    }
  }
  return { current, start, drop, drops, damage, damageListeners };
};

/**
 * A file that is ahead of the log was made from another one, or the log has lost its end: events that are
 * appended now would get offsets that the file counts as projected, and nobody would ever see them.
 */
const setAsideThoseAhead = (files: GenerationFiles, ends: Positions, logger: Log): void => {
  const { serving, standby, building } = files.names();
  for (const number of [serving, standby, building]) {
    const positions = number === null ? undefined : files.about(number)?.positions;
    if (number === null || !positions || hasReached(ends, positions)) continue;
    logger.error({ generation: number }, 'projections that are ahead of the log were set aside');
    files.setAside(number);
    if (number !== serving)
      files.write({
        standby: number === standby ? null : standby,
        building: number === building ? null : building,
      });
  }
};
