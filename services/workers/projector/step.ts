import { noWrites, type Projections, projectEvent } from '../../../projections/all.ts';
import { RefusedWrites } from '../../core/errors.ts';
import type { Decode, Event } from '../../core/log/events.ts';
import type { Records } from '../../core/log/follow.ts';
import { addressName, partitionName } from '../../core/log/positions.ts';
import type { EventLog, LogRecord, Positions, ProjectedBatch, ProjectionStore } from '../../core/ports.ts';
import { deadLetter, type Poison, type PoisonKind, poisonKind } from './dead-letters.ts';
import { type LimitReached, makePoisonCount, type PoisonLimits } from './poison-limits.ts';

export interface StepPorts {
  log: Pick<EventLog, 'append'>;
  store: Pick<ProjectionStore, 'apply'>;
  decode: Decode;
  projections: Projections;
  /** What admission learns of an event, where it is a projection of its own. */
  logged?: (event: Event) => ProjectedBatch['logged'];
  limits: PoisonLimits;
  /**
   * Places that were set aside before this start (`readSetAside`): they are not set aside again, and a replay that
   * comes by them is not stopped by them.
   */
  setAside?: ReadonlySet<string>;
}

export interface Applied {
  kind: 'applied';
  /** The next offset of the step's partition. */
  positions: Positions;
  events: number;
  deadLetters: number;
  /** Of each dead letter. */
  kinds: readonly PoisonKind[];
}

/** Nothing of the step was applied. */
export type Stopped = LimitReached;

export type Step = (records: Records) => Promise<Applied | Stopped>;

/**
 * decode → project → apply, for records of one partition in their order. A step that fails changes nothing that its
 * repetition would not change in the same way. An event that can't be decoded goes to the dead letters before it is
 * passed over; instead of passing over too many it stops.
 */
export const makeStep = (ports: StepPorts): Step => {
  const { log, store, decode, projections, logged = () => [], setAside = new Set() } = ports;
  const poisonCount = makePoisonCount(ports.limits);
  /** Where the last step ended whose dead letters are in the log. */
  const deadLettered = new Map<string, number>();

  /** What is wrong with an event that no fold can take; undefined when it was folded. `origins` learns its writes. */
  const project = (
    batch: ProjectedBatch,
    event: Event,
    record: LogRecord,
    origins: Map<object, LogRecord>,
  ): Poison | undefined => {
    try {
      const writes = { ...projectEvent(projections, event), logged: logged(event) };
      for (const [name, some] of Object.entries(writes) as [keyof typeof writes, object[]][]) {
        for (const write of some) origins.set(write, record);
        (batch[name] as object[]).push(...some);
      }
      return undefined;
    } catch (error) {
      // The kind of fault alone: its message may quote the event.
      return { kind: 'poison', step: 'project', reason: error instanceof Error ? error.name : 'fault' };
    }
  };

  const isNew = (record: LogRecord): boolean => !setAside.has(addressName(record));

  const append = async (poisoned: ReadonlyMap<LogRecord, Poison>): Promise<void> => {
    const letters = [...poisoned].filter(([record]) => isNew(record));
    if (letters.length > 0) await log.append(letters.map(([record, poison]) => deadLetter(record, poison)));
  };

  return async records => {
    const name = partitionName(records[0]);
    const batch: ProjectedBatch = { ...noWrites(), logged: [], positions: {} };
    const origins = new Map<object, LogRecord>();
    const poisoned = new Map<LogRecord, Poison>();
    for (const record of records) {
      const decoded = await decode(record);
      // What is erased goes through the folds too: they know what it still bills.
      const poison = decoded.kind === 'poison' ? decoded : project(batch, decoded.event, record, origins);
      if (poison) poisoned.set(record, poison);
    }
    const count = () =>
      poisonCount.count(
        name,
        records.map(record => poisoned.has(record) && isNew(record)),
      );
    let counted = count();
    if ('kind' in counted) return counted;

    // Dead letters are durable before the records are passed over; a step that is repeated says them once.
    const next = records.at(-1)!.offset + 1;
    if (deadLettered.get(name) !== next) await append(poisoned);
    deadLettered.set(name, next);
    batch.positions[name] = next;
    try {
      await store.apply(batch);
    } catch (error) {
      // What an engine refuses for good is set aside, and the rest applied again.
      if (!(error instanceof RefusedWrites)) throw error;
      const poison: Poison = { kind: 'poison', step: 'apply', reason: error.name };
      const refused = new Map([...error.writes].map(write => [origins.get(write)!, poison]));
      for (const record of refused.keys()) poisoned.set(record, poison);
      // An engine that suddenly refuses everything must stop the projector, too.
      counted = count();
      if ('kind' in counted) return counted;
      await append(refused);
      await store.apply({ ...batch, recall: batch.recall.filter(write => !error.writes.has(write)) });
    }
    counted.keep();
    const fresh = [...poisoned].filter(([record]) => isNew(record));
    return {
      kind: 'applied',
      positions: batch.positions,
      events: records.length,
      deadLetters: fresh.length,
      kinds: fresh.map(([, poison]) => poisonKind(poison)),
    };
  };
};
