import { setTimeout as wait } from 'node:timers/promises';
import { hasReached } from '../../../core/log/positions.ts';
import type { GenerationFiles, Positions } from '../../../core/ports.ts';
import type { Running } from './running.ts';

/** How long the next generation may take to reach the position at which the serving one is held. */
const REACH_WITHIN_MS = 20_000;
const LOOK_EVERY_MS = 10;

/**
 * The readers of the projections: of the serving generation's file, and for accounts perhaps of another one.
 */
export interface SwitchedReaders {
  /** Opens a file beside the current one, so that the switch itself is one step, which can't fail. */
  prepare(projections: string): Promise<{ switch(): void; abandon(): void }>;
  /** Drops the figures that were read in a damaged file. */
  reread(): void;
  /** From now on, accounts, and nothing else, are read in this file. */
  readAccountsIn(projections: string): void;
}

export interface SwitchPorts {
  files: Pick<GenerationFiles, 'names' | 'write' | 'path'>;
  readers: Pick<SwitchedReaders, 'prepare'>;
}

export interface Switch {
  from: Running;
  to: Running;
  standbyAfter: number | null;
  /** Called in the same step as the readers switch. */
  onSwitched(): void;
}

const reached = async (next: Running, at: Positions): Promise<void> => {
  for (const deadline = performance.now() + REACH_WITHIN_MS; ; ) {
    const failure = next.failure();
    if (failure !== undefined) throw new Error(failure);
    if (hasReached(next.positions(), at)) return;
    if (performance.now() > deadline) throw new Error(`generation ${next.number} does not catch up`);
    await wait(LOOK_EVERY_MS);
  }
};

/**
 * Makes `to` the serving generation. The serving projector is held, so its file has everything that the tail
 * has released and gets no more; `to` catches up to that position, so it shows at least as much. Nothing is
 * awaited after the manifest is written, so a call sees one generation or the other. A rejection comes before
 * that, and `from` keeps serving.
 */
export const switchTo = async (
  { files, readers }: SwitchPorts,
  { from, to, standbyAfter, onSwitched }: Switch,
): Promise<void> => {
  const prepared = await readers.prepare(files.path(to.number));
  try {
    // A stopped projector needs no hold.
    const at = from.stopped() === undefined ? await from.hold() : from.positions();
    await reached(to, at);
    const { building } = files.names();
    files.write({
      serving: to.number,
      standby: standbyAfter,
      building: building === to.number ? null : building,
    });
  } catch (error) {
    prepared.abandon();
    from.resume();
    throw error;
  }
  prepared.switch();
  onSwitched();
  from.resume();
};
