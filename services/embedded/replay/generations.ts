import { hasReached, ofAccounts } from '../../../core/log/positions.ts';
import type { Generation } from '../../../core/ports/projection/generations.ts';
import type { Positions } from '../../../core/ports.ts';
import { type Reported, reportedAfter } from '../../workers/report.ts';
import { type GenerationsPorts, type Opened, openCurrent } from './current-generations.ts';
import { listGenerations } from './list-generations.ts';
import type { Running } from './running.ts';
import { type SwitchedReaders, switchTo } from './switch.ts';

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
