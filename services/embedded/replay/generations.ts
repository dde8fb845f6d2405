import { setTimeout as wait } from 'node:timers/promises';
import { ServiceError } from '../../core/errors.ts';
import { eventsBehind, hasReached, ofAccounts } from '../../core/log/positions.ts';
import type { EventLog, GenerationFiles, Positions } from '../../core/ports.ts';
import type { Log } from '../../core/watch/logger.ts';
import type { Generation } from '../../operations/operator/generations.ts';
import type { Progress } from '../../workers/progress.ts';
import type { Thread } from '../threads/start-thread.ts';
import type { ThreadMessage } from '../threads/thread-data.ts';
import { frozen, type Running, startRunning } from './running.ts';

export interface GenerationsPorts {
  files: GenerationFiles;
  log: Pick<EventLog, 'ends'>;
  logger: Log;
  /** Told of the serving generation alone. */
  projector: Progress;
  startProjector(projections: string, onMessage: (message: ThreadMessage) => void): Promise<Thread>;
  /** Opens a file beside the one that is read, so that going over to it is one step. */
  prepareReaders(projections: string): Promise<{ goOver(): void; abandon(): void }>;
  /** Accounts alone are read from here on in this file. */
  readAccountsIn(projections: string): void;
}

export interface Generations {
  serving(): Running;
  standby(): Running | undefined;
  /** Starts a projector on a file that was built; a failure of it is its owner's to look for. */
  startBuilding(number: number): Promise<Running>;
  /** How far a generation is that is being built; accounts of a service that stands still are read there. */
  buildingIsAt(number: number, positions: Positions): void;
  /** Makes it the serving one in one step. What served before is the standby, if this release can write it. */
  promote(next: Running): Promise<void>;
  /** Goes back to the standby, which changes places with what serves. */
  rollback(): Promise<{ serving: number; standby: number | null }>;
  /** Throws the standby away; its number. */
  retire(): Promise<number>;
  /** Throws away what failed, and lets people know. */
  drop(number: number, reason: string): Promise<void>;
  list(): Promise<Generation[]>;
  dropped(): number;
  /** For people: what is not as it should be. */
  word(): string;
  close(): Promise<void>;
}

/** A generation that is promoted has this long to come to where the serving one was held. */
const REACH_WITHIN_MS = 20_000;

/**
 * The generations of the projections that are not retired, each with a projector of its own. What the tail lets go of
 * follows the serving one's positions alone, so the others may be as slow as they like, or fail.
 */
export const openGenerations = async (ports: GenerationsPorts): Promise<Generations> => {
  const { files, log, logger, projector } = ports;
  let serving: Running;
  let standby: Running | undefined;
  let dropped = 0;
  let lastDropped: string | undefined;
  /** The generation that is being built and already shows accounts. */
  let accountsIn: number | undefined;
  /** One change at a time. */
  let changes: Promise<unknown> = Promise.resolve();
  let closing = false;

  const start = (number: number, onMessage: (message: ThreadMessage) => void): Promise<Running> =>
    startRunning({
      number,
      version: files.version,
      start: receive => ports.startProjector(files.path(number), receive),
      onMessage,
    });

  /** What a running generation's projector says goes to whoever it concerns at that moment. */
  const receiver = (number: number) => (message: ThreadMessage) => {
    if (message.kind === 'held') return;
    if (serving?.number === number) return projector.receive(message);
    if (standby?.number === number) {
      // It read what the serving one reads, and stands still with it until the next start: nothing is wrong with it.
      if (message.kind === 'stopped' && message.limit !== undefined) return;
      const reason = standby.failure();
      if (reason !== undefined)
        drop(number, reason).catch(error => logger.error({ err: error }, 'dropping a generation failed'));
    }
  };

  const drop: Generations['drop'] = async (number, reason) => {
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
    // Its projector's first word comes while it starts.
    serving = frozen(names.serving, files.version, {});
    serving = await start(names.serving, receiver(names.serving));
  }
  if (names.standby !== null) {
    try {
      standby = await start(names.standby, receiver(names.standby));
    } catch (error) {
      await drop(names.standby, error instanceof Error ? error.message : 'it could not be opened');
    }
  }

  const changed = <T>(change: () => Promise<T>): Promise<T> => {
    const result = changes.then(change);
    changes = result.catch(() => undefined);
    return result;
  };

  const reached = async (next: Running, at: Positions): Promise<void> => {
    for (const late = performance.now() + REACH_WITHIN_MS; ; ) {
      const failure = next.failure();
      if (failure !== undefined) throw new Error(failure);
      if (hasReached(next.positions(), at)) return;
      if (performance.now() > late) throw new Error(`generation ${next.number} does not catch up`);
      await wait(10);
    }
  };

  /**
   * The serving projector is held, so what the tail has let go of is in its file and stays all there is; the next one
   * comes to there, and from then on shows at least as much. Nothing is awaited from the manifest on: a call sees the
   * one or the other.
   */
  const goOver = async (next: Running, standbyAfter: number | null): Promise<void> => {
    const readers = await ports.prepareReaders(files.path(next.number));
    const before = serving;
    try {
      // One that has stopped is held already.
      const at = before.stopped() === undefined ? await before.hold() : before.positions();
      await reached(next, at);
      files.write({
        serving: next.number,
        standby: standbyAfter,
        building: files.names().building === next.number ? null : files.names().building,
      });
    } catch (error) {
      readers.abandon();
      before.goOn();
      throw error;
    }
    serving = next;
    readers.goOver();
    projector.receive({ kind: 'ready', positions: next.positions() });
    accountsIn = undefined;
    before.goOn();
  };

  const throwAway = async (one: Running): Promise<void> => {
    await one.close();
    files.remove(one.number);
  };

  return {
    serving: () => serving,
    standby: () => standby,
    // Until it is promoted what it says concerns nobody.
    startBuilding: number => start(number, receiver(number)),
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
        const isKept = !before.isFrozen;
        await goOver(next, isKept ? before.number : null);
        standby = isKept ? before : undefined;
        lastDropped = undefined;
        if (oldest) await throwAway(oldest);
        if (!isKept) await throwAway(before);
        const reason = isKept ? before.failure() : undefined;
        if (reason !== undefined) await drop(before.number, reason);
      }),
    rollback: () =>
      changed(async () => {
        const next = standby;
        if (!next) throw new ServiceError('conflict', 'There is no generation to go back to.');
        const before = serving;
        await goOver(next, before.number);
        standby = before;
        const reason = before.failure();
        if (reason !== undefined) await drop(before.number, reason);
        return { serving: next.number, standby: standby?.number ?? null };
      }),
    retire: () =>
      changed(async () => {
        const retired = standby;
        if (!retired) throw new ServiceError('conflict', 'There is no standby generation.');
        files.write({ standby: null });
        standby = undefined;
        await throwAway(retired);
        return retired.number;
      }),
    drop: async (number, reason) => {
      if (!closing) await drop(number, reason);
    },
    list: async () => {
      const ends = await log.ends();
      const { building } = files.names();
      const row = (
        number: number,
        state: Generation['state'],
        version: string,
        positions: Positions,
      ): Generation => ({
        projection: 'all',
        number,
        version,
        state,
        behind: eventsBehind(positions, ends),
        bytes: files.bytes(number),
      });
      const rows = [row(serving.number, 'serving', serving.version, serving.positions())];
      if (standby) rows.push(row(standby.number, 'standby', standby.version, standby.positions()));
      if (building !== null) {
        const { version, positions } = files.about(building) ?? { version: files.version, positions: {} };
        rows.push(row(building, 'building', version, positions));
      }
      return rows;
    },
    dropped: () => dropped,
    word: () =>
      [
        serving.isFrozen
          ? `generation ${serving.number} is of version ${serving.version} and stands still; this release writes ${files.version}`
          : `generation ${serving.number} serves`,
        lastDropped,
      ]
        .filter(each => each !== undefined)
        .join('; '),
    close: async () => {
      closing = true;
      await serving.close();
      await standby?.close();
    },
  };
};
