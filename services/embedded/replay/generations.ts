import { hasReached, ofAccounts } from '../../../core/log/positions.ts';
import type { Generation } from '../../../core/ports/projection/generations.ts';
import type { EventLog, GenerationFiles, Positions } from '../../../core/ports.ts';
import type { Log } from '../../../core/watch/logger.ts';
import type { Progress } from '../../workers/progress.ts';
import { type Report, type Reported, reportedAfter } from '../../workers/report.ts';
import type { Thread } from '../threads/start-thread.ts';
import { listGenerations } from './list.ts';
import { damaged, frozen, type Running, startRunning } from './running.ts';
import { type SwitchedReaders, switchTo } from './switch.ts';

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

/** The generations that are not retired, each with its own projector. */
export interface RunningGenerations {
  serving(): Running;
  standby(): Running | undefined;
  /**
   * Starts a projector on a built file; its reports count as `buildingIsAt`. The caller checks it for a
   * failure.
   */
  startBuilding(number: number, readers: Pick<SwitchedReaders, 'readAccountsIn'>): Promise<Running>;
  /**
   * Receives the positions of a building generation; while the serving one is frozen, accounts are read
   * there.
   */
  buildingIsAt(number: number, positions: Positions, readers: Pick<SwitchedReaders, 'readAccountsIn'>): void;
  /**
   * Makes `next` the serving generation. The former one becomes the standby, if this release can write it.
   */
  promote(next: Running, readers: Pick<SwitchedReaders, 'prepare' | 'reread'>): Promise<void>;
  /** Swaps the standby and the serving generation. Undefined when there is no standby. */
  rollback(
    readers: Pick<SwitchedReaders, 'prepare' | 'reread'>,
  ): Promise<{ serving: number; standby: number | null } | undefined>;
  /** Removes the standby and returns its number. */
  retire(): Promise<number | undefined>;
  /** Removes a failed generation and raises the alarm. */
  drop(number: number, reason: string): Promise<void>;
  /**
   * A file holds something else than was written. The serving one is not read from now on; a standby is
   * dropped.
   */
  damaged(projections: string, reason: string): void;
  /** Calls the listener when the serving generation has become unreadable. */
  onDamaged(listener: () => void): void;
  /** Removes the file of a damaged generation that was kept. */
  removeSetAside(): void;
  list(): Promise<Generation[]>;
  dropped(): number;
  /** A status line for people: which generation serves, and what is wrong. */
  status(): string;
  close(): Promise<void>;
}

interface Current {
  serving: Running;
  standby: Running | undefined;
  /** The generation that is being built and in which accounts are read already. */
  accountsIn: number | undefined;
}

type Opened = Awaited<ReturnType<typeof openCurrent>>;

/** The tail follows only the reports of the serving generation, so the others may lag or fail. */
export const openGenerations = async (ports: GenerationsPorts): Promise<RunningGenerations> => {
  const { files, log, projector } = ports;
  const opened = await openCurrent(ports);
  const { current, start, drop, drops, damage, damageListeners } = opened;
  let closing = false;

  const buildingIsAt: RunningGenerations['buildingIsAt'] = (number, positions, readers) => {
    if (!current.serving.isFrozen) return;
    const accounts = ofAccounts(positions);
    if (current.accountsIn !== number && hasReached(accounts, ofAccounts(projector.positions()))) {
      readers.readAccountsIn(files.path(number));
      current.accountsIn = number;
    }
    if (current.accountsIn === number)
      projector.receive({ kind: 'progress', positions: accounts, events: 0 });
  };

  return {
    serving: () => current.serving,
    standby: () => current.standby,
    startBuilding: (number, readers) => {
      let reported: Reported = { positions: {} };
      return start(number, report => {
        reported = reportedAfter(reported, report);
        if (current.serving.number !== number) buildingIsAt(number, reported.positions, readers);
      });
    },
    buildingIsAt,
    ...makeChanges(ports, opened),
    drop: async (number, reason) => {
      if (!closing) await drop(number, reason);
    },
    damaged: (projections, reason) => {
      const { serving, standby } = current;
      const found = [serving, standby].find(one => one && files.path(one.number) === projections);
      if (found && !closing) damage(found.number, reason);
    },
    onDamaged: listener => void damageListeners.push(listener),
    removeSetAside: files.removeSetAside,
    list: () => listGenerations({ files, log }, current.serving, current.standby),
    dropped: () => drops.count,
    status: () => {
      const { number, version, isFrozen, isDamaged } = current.serving;
      if (isDamaged) return `generation ${number} is damaged and not read; another one is built from the log`;
      const state = isFrozen
        ? `generation ${number} is of version ${version} and stands still; this release writes ${files.version}`
        : `generation ${number} serves`;
      return drops.last === undefined ? state : `${state}; ${drops.last}`;
    },
    close: async () => {
      closing = true;
      await current.serving.close();
      await current.standby?.close();
    },
  };
};

/** Starts the projectors of the serving generation and the standby; a standby that fails is dropped. */
const openCurrent = async ({ files, log, logger, projector, startProjector, isDamage }: GenerationsPorts) => {
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

/** The changes by operators and replays, one at a time. */
const makeChanges = (
  { files, projector }: GenerationsPorts,
  { current, drop, drops }: Opened,
): Pick<RunningGenerations, 'promote' | 'rollback' | 'retire'> => {
  let changes: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(change: () => Promise<T>): Promise<T> => {
    const result = changes.then(change);
    changes = result.catch(() => undefined);
    return result;
  };

  const serve = (
    next: Running,
    standbyAfter: number | null,
    readers: Pick<SwitchedReaders, 'prepare' | 'reread'>,
  ): Promise<void> =>
    switchTo(
      { files, readers },
      {
        from: current.serving,
        to: next,
        standbyAfter,
        onSwitched: () => {
          if (current.serving.isDamaged) readers.reread();
          current.serving = next;
          current.accountsIn = undefined;
          projector.receive({ kind: 'ready', positions: next.positions() });
        },
      },
    );

  const discard = async (one: Running): Promise<void> => {
    await one.close();
    if (one.isDamaged) files.setAside(one.number);
    else files.remove(one.number);
  };

  /**
   * Keeps the former serving generation as the standby, unless it can't be written or has failed meanwhile.
   */
  const keep = async (before: Running): Promise<void> => {
    current.standby = before.isFrozen ? undefined : before;
    if (before.isFrozen) return discard(before);
    const reason = before.failure();
    if (reason !== undefined) await drop(before.number, reason);
  };

  return {
    promote: (next, readers) =>
      inTurn(async () => {
        const { serving: before, standby: oldest } = current;
        await serve(next, before.isFrozen ? null : before.number, readers);
        current.standby = before.isFrozen ? undefined : before;
        drops.last = undefined;
        if (oldest) await discard(oldest);
        await keep(before);
      }),
    rollback: readers =>
      inTurn(async () => {
        const { serving: before, standby: next } = current;
        if (!next) return undefined;
        await serve(next, before.isFrozen ? null : before.number, readers);
        await keep(before);
        return { serving: next.number, standby: current.standby?.number ?? null };
      }),
    retire: () =>
      inTurn(async () => {
        const retired = current.standby;
        if (!retired) return undefined;
        files.write({ standby: null });
        current.standby = undefined;
        await discard(retired);
        return retired.number;
      }),
  };
};
