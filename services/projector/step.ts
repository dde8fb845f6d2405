import { RefusedWrites } from '../errors.ts';
import type { Decoded, Event } from '../events.ts';
import type { EventLog, LogRecord, NewRecord, Positions, ProjectedBatch, ProjectionStore } from '../ports.ts';
import { deadLetter, type Poison } from './dead-letters.ts';

/** Poison in a row that stops the projector: a bad deploy must not drain the log into dead letters. */
const POISON_LIMIT = 100;

export type Folds = {
  [Kind in 'recall' | 'usage' | 'accounts' | 'logged']: (event: Event) => ProjectedBatch[Kind];
};

export interface StepPorts {
  log: Pick<EventLog, 'append'>;
  store: Pick<ProjectionStore, 'apply'>;
  decode: (record: LogRecord) => Promise<Decoded>;
  folds: Folds;
}

export interface Applied {
  /** The next offset of the step's partition. */
  positions: Positions;
  events: number;
  deadLetters: number;
}

export type Step = (records: readonly [LogRecord, ...LogRecord[]]) => Promise<Applied>;

/**
 * decode → project → apply, for records of one partition in their order. A step that fails changes nothing that its
 * repetition would not change in the same way. An event that can't be decoded goes to the dead letters before it is
 * passed over. Throws `PoisonLimit` instead of passing over too many.
 */
export const makeStep = ({ log, store, decode, folds }: StepPorts): Step => {
  const poisonInARow = new Map<string, number>();
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
      const writes = {
        recall: folds.recall(event),
        usage: folds.usage(event),
        accounts: folds.accounts(event),
        logged: folds.logged(event),
      };
      for (const write of writes.recall) origins.set(write, record);
      batch.recall.push(...writes.recall);
      batch.usage.push(...writes.usage);
      batch.accounts.push(...writes.accounts);
      batch.logged.push(...writes.logged);
      return undefined;
    } catch (error) {
      // The kind of fault alone: its message may quote the event.
      return { kind: 'poison', step: 'project', reason: error instanceof Error ? error.name : 'fault' };
    }
  };

  /** Applies the batch; what an engine refuses for good is set aside, and the rest applied again. */
  const apply = async (batch: ProjectedBatch, origins: ReadonlyMap<object, LogRecord>): Promise<number> => {
    try {
      await store.apply(batch);
      return 0;
    } catch (error) {
      if (!(error instanceof RefusedWrites)) throw error;
      const refused = new Set([...error.writes].map(write => origins.get(write)!));
      const poison: Poison = { kind: 'poison', step: 'apply', reason: error.name };
      await log.append([...refused].map(record => deadLetter(record, poison)));
      await store.apply({ ...batch, recall: batch.recall.filter(write => !error.writes.has(write)) });
      return refused.size;
    }
  };

  return async records => {
    const { topic, partition } = records[0];
    const place = `${topic}/${partition}`;
    const batch: ProjectedBatch = { recall: [], usage: [], accounts: [], logged: [], positions: {} };
    const poisoned: NewRecord[] = [];
    const origins = new Map<object, LogRecord>();
    // Counted here and kept only once the step is applied: a repeated step must not count twice.
    let inARow = poisonInARow.get(place) ?? 0;
    for (const record of records) {
      const decoded = await decode(record);
      // What is erased goes through the folds too: they know what it still bills.
      const poison = decoded.kind === 'poison' ? decoded : project(batch, decoded.event, record, origins);
      inARow = poison ? inARow + 1 : 0;
      if (inARow >= POISON_LIMIT) throw new PoisonLimit(place);
      if (poison) poisoned.push(deadLetter(record, poison));
    }

    // Dead letters are durable before the records are passed over; a step that is repeated says them once.
    const next = records.at(-1)!.offset + 1;
    if (poisoned.length > 0 && deadLettered.get(place) !== next) await log.append(poisoned);
    deadLettered.set(place, next);
    batch.positions[place] = next;
    const refused = await apply(batch, origins);
    poisonInARow.set(place, inARow);
    return { positions: batch.positions, events: records.length, deadLetters: poisoned.length + refused };
  };
};

/** Retrying will not mend it: the projector stops. */
export class PoisonLimit extends Error {
  constructor(place: string) {
    super(`${POISON_LIMIT} records in a row of ${place} can't be read: stopped before passing over more`);
  }
}
