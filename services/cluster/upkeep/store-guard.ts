import { setTimeout as pause } from 'node:timers/promises';
import { eventsBetween, offsetIn, parsePartition } from '../../../core/log/positions.ts';
import type { Watch } from '../../../core/ports/engines.ts';
import type { Positions } from '../../../core/ports.ts';
import type { Gauge } from '../../../core/watch/gauges.ts';
import type { Log } from '../../../core/watch/logger.ts';
import type { Generational } from '../../../projections/all.ts';
import { type HeldPorts, lackingIn, readHeld } from '../held-positions.ts';

const EVERY_MS = 15_000;
/** The interval of checks while a store is behind or an engine does not answer. */
const AGAIN_MS = 2_000;
const CLOSES_WITHIN_MS = 1_000;

export interface StoreGuardPorts extends HeldPorts {
  logger: Pick<Log, 'error' | 'info'>;
}

/** Watches, in every process, whether the stores still hold what was acknowledged. */
export interface StoreGuard {
  /**
   * Called with the positions at which the projectors must resume, each time that a store lacks what it held.
   */
  onLacking(rewind: (positions: Positions) => void): void;
  /** A lacking store degrades an API that answers calls; it doesn't take it down. */
  probe: Watch['probes'][string];
  gauge: Gauge;
  close(): Promise<void>;
}

/**
 * Compares the positions that the stores state with those that the projectors acknowledged, at once and then
 * forever. A store that was restored from an older copy, or emptied, is behind until the projectors have
 * written again what it lacks. For that their acknowledged positions go back, so the highest ones seen are
 * the measure.
 */
export const guardStores = (
  ports: StoreGuardPorts,
  { everyMs, againMs } = { everyMs: EVERY_MS, againMs: AGAIN_MS },
): StoreGuard => {
  const { logger, committed } = ports;
  const highest: Positions = {};
  let behind: ReadonlyMap<Generational, number> | undefined;
  const listeners: ((positions: Positions) => void)[] = [];
  const closing = new AbortController();

  const receive = (found: ReadonlyMap<Generational, number>): void => {
    for (const [projection, events] of found) {
      const before = behind?.get(projection) ?? 0;
      if (events > 0 && before === 0)
        logger.error({ projection, events }, 'a store lacks events that it held: they are projected again');
      if (events === 0 && before > 0) logger.info({ projection }, 'the store holds again what it held');
    }
    behind = found;
  };
  const check = async (): Promise<void> => {
    // Read the acknowledged positions first: what is acknowledged is held already.
    const acknowledged = await committed();
    for (const [name, offset] of Object.entries(acknowledged))
      highest[name] = Math.max(offset, highest[name] ?? 0);
    const held = await readHeld(ports, acknowledged);
    const lacking = lackingIn(held.values(), acknowledged);
    if (Object.keys(lacking).length > 0) for (const rewind of listeners) rewind(lacking);
    receive(
      new Map(
        [...held].map(([projection, positions]) => [
          projection,
          eventsBetween(positions, ofThe(positions, highest)),
        ]),
      ),
    );
  };
  const watching = (async () => {
    while (!closing.signal.aborted) {
      const isChecked = await check().then(
        () => true,
        () => false,
      );
      const isWhole = isChecked && named(behind).length === 0;
      await pause(isWhole ? everyMs : againMs, undefined, { signal: closing.signal, ref: false }).catch(
        () => {},
      );
    }
  })();

  return {
    onLacking: rewind => void listeners.push(rewind),
    probe: async () => {
      const text = named(behind);
      if (text.length > 0) throw new Error(text.join('; '));
      return behind ? 'hold what was acknowledged' : 'not checked yet';
    },
    gauge: {
      name: 'turnstone_store_lacks_events',
      help: 'Events that a store held and lacks, as it was restored from an older copy or emptied; 0 when it is whole',
      labels: ['projection'],
      read: () => [...(behind ?? [])].map(([projection, value]) => ({ labels: { projection }, value })),
    },
    close: async () => {
      closing.abort();
      await Promise.race([watching, pause(CLOSES_WITHIN_MS, undefined, { ref: false })]);
    },
  };
};

const named = (behind: ReadonlyMap<Generational, number> | undefined): string[] =>
  [...(behind ?? [])]
    .filter(([, events]) => events > 0)
    .map(
      ([projection, events]) => `${projection} lacks ${events} events that it held: they are projected again`,
    );

/** Returns the second positions in the partitions of the first. */
const ofThe = (names: Positions, positions: Positions): Positions =>
  Object.fromEntries(Object.keys(names).map(name => [name, offsetIn(positions, parsePartition(name))]));
