import { hasReached, ofAccounts } from '../../core/log/positions.ts';
import type { Generation } from '../../core/ports/generations.ts';
import type { EventLog, GenerationFiles, Positions } from '../../core/ports.ts';
import type { Log } from '../../core/watch/logger.ts';
import type { Progress } from '../../workers/progress.ts';
import type { Thread } from '../threads/start-thread.ts';
import type { ThreadMessage } from '../threads/thread-data.ts';
import { listGenerations } from './list.ts';
import { frozen, type Running, startRunning } from './running.ts';
import { type SwitchPorts, switchTo } from './switch.ts';

export interface GenerationsPorts extends Pick<SwitchPorts, 'prepareReaders'> {
  files: GenerationFiles;
  log: Pick<EventLog, 'ends'>;
  logger: Log;
  /** Receives messages of the serving generation alone. */
  projector: Progress;
  startProjector(projections: string, onMessage: (message: ThreadMessage) => void): Promise<Thread>;
  /** From here on accounts, and nothing else, are read in this file. */
  readAccountsIn(projections: string): void;
}

/** The generations that are not retired, each with a projector of its own. */
export interface RunningGenerations {
  serving(): Running;
  standby(): Running | undefined;
  /** Starts a projector on a file that was built; the caller watches it for a failure. */
  startBuilding(number: number): Promise<Running>;
  /** Positions of a generation that is being built; while the serving one is frozen, accounts are read there. */
  buildingIsAt(number: number, positions: Positions): void;
  /** Makes it the serving one. The former one becomes the standby, if this release can write it. */
  promote(next: Running): Promise<void>;
  /** The standby and the serving generation change places; undefined: there is no standby. */
  rollback(): Promise<{ serving: number; standby: number | null } | undefined>;
  /** Removes the standby; its number. */
  retire(): Promise<number | undefined>;
  /** Removes a generation that failed, and raises the alarm. */
  drop(number: number, reason: string): Promise<void>;
  list(): Promise<Generation[]>;
  dropped(): number;
  /** One line for people: which one serves, and what is wrong. */
  status(): string;
  close(): Promise<void>;
}

/** What the tail lets go of follows the serving generation alone, so the others may lag, or fail. */
export const openGenerations = async (ports: GenerationsPorts): Promise<RunningGenerations> => {
  const { files, log, logger, projector } = ports;
  let serving: Running;
  let standby: Running | undefined;
  let dropped = 0;
  let lastDropped: string | undefined;
  /** The generation that is being built and in which accounts are read already. */
  let accountsIn: number | undefined;
  /** One change at a time. */
  let changes: Promise<unknown> = Promise.resolve();
  let closing = false;

  const start = (number: number): Promise<Running> =>
    startRunning({
      number,
      version: files.version,
      start: receive => ports.startProjector(files.path(number), receive),
      onMessage: message => receive(number, message),
    });

  /** What a projector reports depends on what its generation is for at that moment; of a building one it is ignored. */
  const receive = (number: number, message: ThreadMessage): void => {
    if (message.kind === 'held') return;
    if (serving?.number === number) {
      projector.receive(message);
    } else if (standby?.number === number) {
      // It read what the serving one reads, and stops with it until the next start: nothing is wrong with it.
      if (message.kind === 'stopped' && message.limit !== undefined) return;
      const reason = standby.failure();
      if (reason !== undefined)
        drop(number, reason).catch(error => logger.error({ err: error }, 'dropping a generation failed'));
    }
  };

  const drop = async (number: number, reason: string): Promise<void> => {
    const failed = standby?.number === number ? standby : undefined;
    if (failed) standby = undefined;
    dropped++;
    lastDropped = `generation ${number} was dropped: ${reason}`;
    logger.error({ generation: number, reason }, 'a generation of the projections was dropped');
    const { standby: named, building } = files.names();
    files.write({
      standby: named === number ? null : named,
      building: building === number ? null : building,
    });
    await failed?.close().catch(error => logger.warn({ err: error }, 'closing a generation failed'));
    files.remove(number);
  };

  const names = files.names();
  const found = files.about(names.serving);
  if (found && found.version !== files.version) {
    serving = frozen(names.serving, found.version, found.positions);
    projector.receive({ kind: 'ready', positions: found.positions });
  } else {
    // Its projector reports before `start` resolves.
    serving = frozen(names.serving, files.version, {});
    serving = await start(names.serving);
  }
  if (names.standby !== null) {
    try {
      standby = await start(names.standby);
    } catch (error) {
      await drop(names.standby, error instanceof Error ? error.message : 'it could not be opened');
    }
  }

  const changed = <T>(change: () => Promise<T>): Promise<T> => {
    const result = changes.then(change);
    changes = result.catch(() => undefined);
    return result;
  };

  const serve = (next: Running, standbyAfter: number | null): Promise<void> =>
    switchTo(
      { files, prepareReaders: ports.prepareReaders },
      {
        from: serving,
        to: next,
        standbyAfter,
        onSwitched: () => {
          serving = next;
          accountsIn = undefined;
          projector.receive({ kind: 'ready', positions: next.positions() });
        },
      },
    );

  const discard = async (one: Running): Promise<void> => {
    await one.close();
    files.remove(one.number);
  };

  /** The one that served until now may have failed meanwhile. */
  const keep = async (before: Running): Promise<void> => {
    standby = before;
    const reason = before.failure();
    if (reason !== undefined) await drop(before.number, reason);
  };

  return {
    serving: () => serving,
    standby: () => standby,
    startBuilding: start,
    buildingIsAt: (number, positions) => {
      if (!serving.isFrozen) return;
      const accounts = ofAccounts(positions);
      if (accountsIn !== number && hasReached(accounts, ofAccounts(projector.positions()))) {
        ports.readAccountsIn(files.path(number));
        accountsIn = number;
      }
      if (accountsIn === number)
        projector.receive({ kind: 'progress', positions: accounts, events: 0, deadLetters: 0 });
    },
    promote: next =>
      changed(async () => {
        const before = serving;
        const oldest = standby;
        await serve(next, before.isFrozen ? null : before.number);
        standby = before.isFrozen ? undefined : before;
        lastDropped = undefined;
        if (oldest) await discard(oldest);
        if (before.isFrozen) await discard(before);
        else await keep(before);
      }),
    rollback: () =>
      changed(async () => {
        const next = standby;
        if (!next) return undefined;
        const before = serving;
        await serve(next, before.number);
        await keep(before);
        return { serving: next.number, standby: standby?.number ?? null };
      }),
    retire: () =>
      changed(async () => {
        const retired = standby;
        if (!retired) return undefined;
        files.write({ standby: null });
        standby = undefined;
        await discard(retired);
        return retired.number;
      }),
    drop: async (number, reason) => {
      if (!closing) await drop(number, reason);
    },
    list: () => listGenerations({ files, log }, serving, standby),
    dropped: () => dropped,
    status: () => {
      const { number, version, isFrozen } = serving;
      const state = isFrozen
        ? `generation ${number} is of version ${version} and stands still; this release writes ${files.version}`
        : `generation ${number} serves`;
      return lastDropped === undefined ? state : `${state}; ${lastDropped}`;
    },
    close: async () => {
      closing = true;
      await serving.close();
      await standby?.close();
    },
  };
};
