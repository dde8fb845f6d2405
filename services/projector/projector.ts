import type { Decoded, Event } from '../events.ts';
import type {
  EventLog,
  LogRecord,
  NewRecord,
  Positions,
  ProjectedBatch,
  ProjectionStore,
  Topic,
} from '../ports.ts';
import { deadLetter, type Poison } from './dead-letters.ts';

/** Records a step reads of one partition: enough to share a commit, few enough to be seen soon. */
const STEP = 256;
/** Poison in a row that stops the projector: a bad deploy must not drain the log into dead letters. */
const POISON_LIMIT = 100;

export type Folds = { [Kind in 'recall' | 'usage' | 'accounts']: (event: Event) => ProjectedBatch[Kind] };

export interface ProjectorPorts {
  log: Pick<EventLog, 'read' | 'ends' | 'append' | 'onAppend'>;
  store: ProjectionStore;
  decode: (record: LogRecord) => Promise<Decoded>;
  folds: Folds;
  /** The first are projected first. */
  topics: readonly Topic[];
  /** After each applied step. */
  onApplied: (applied: { positions: Positions; events: number; deadLetters: number }) => void;
  /** A fault that retrying will not mend, or poison without end: the projector has stopped. */
  onStopped: (reason: string) => void;
  onTrouble: (error: unknown) => void;
}

export interface Projector {
  /** Finishes the step under way. */
  close(): Promise<void>;
}

/**
 * fetch → decode → project → apply → checkpoint. What a step applies and the positions
 * after it are one commit, so a crash anywhere repeats the step or nothing. A fault of the store is retried for ever;
 * an event that can't be decoded goes to the dead letters before it is passed over.
 */
export const startProjector = (ports: ProjectorPorts): Projector => {
  const { log, store, decode, folds, topics } = ports;
  let wake: (() => void) | undefined;
  let closing = false;
  const poisonInARow = new Map<string, number>();
  /** Where the last step ended whose dead letters are in the log. */
  const deadLettered = new Map<string, number>();
  const stopListening = log.onAppend(() => wake?.());

  /** What is wrong with an event that no fold can take; undefined when it was folded. */
  const project = (batch: ProjectedBatch, event: Event): Poison | undefined => {
    try {
      const writes = {
        recall: folds.recall(event),
        usage: folds.usage(event),
        accounts: folds.accounts(event),
      };
      batch.recall.push(...writes.recall);
      batch.usage.push(...writes.usage);
      batch.accounts.push(...writes.accounts);
      return undefined;
    } catch (error) {
      // The kind of fault alone: its message may quote the event.
      return { kind: 'poison', step: 'project', reason: error instanceof Error ? error.name : 'fault' };
    }
  };

  /** One step over one partition; true when there may be more. */
  const step = async (place: string, positions: Positions): Promise<boolean> => {
    const [topic, partition] = place.split('/') as [Topic, string];
    const records = await log.read(topic, Number(partition), positions[place] ?? 0, STEP);
    if (records.length === 0) return false;

    const batch: ProjectedBatch = { recall: [], usage: [], accounts: [], positions: {} };
    const poisoned: NewRecord[] = [];
    // Counted here and kept only once the step is applied: a repeated step must not count twice.
    let inARow = poisonInARow.get(place) ?? 0;
    for (const record of records) {
      const decoded = await decode(record);
      const poison =
        decoded.kind === 'event'
          ? project(batch, decoded.event)
          : decoded.kind === 'poison'
            ? decoded
            : undefined;
      inARow = poison ? inARow + 1 : 0;
      if (inARow >= POISON_LIMIT) throw new PoisonLimit(place);
      if (poison) poisoned.push(deadLetter(record, poison));
    }

    // Dead letters are durable before the records are passed over; a step that is repeated says them once.
    const next = records.at(-1)!.offset + 1;
    if (poisoned.length > 0 && deadLettered.get(place) !== next) await log.append(poisoned);
    deadLettered.set(place, next);
    batch.positions[place] = next;
    await store.apply(batch);
    poisonInARow.set(place, inARow);
    positions[place] = next;
    ports.onApplied({ positions: { ...positions }, events: records.length, deadLetters: poisoned.length });
    return records.length === STEP;
  };

  const run = async (): Promise<void> => {
    const positions = await retried(() => store.positions());
    const places = Object.keys(await retried(() => log.ends()));
    while (!closing) {
      // Asked for before reading: an append during the pass must not be slept over.
      const appended = new Promise<void>(resolve => (wake = resolve));
      let more = false;
      for (const topic of topics) {
        for (const place of places.filter(each => each.startsWith(`${topic}/`))) {
          if (closing) return;
          more = (await retried(() => step(place, positions))) || more;
        }
        // A topic that others wait behind is finished first: what a caller waits for comes before what nobody does.
        if (more) break;
      }
      if (!more && !closing) await appended;
    }
  };

  const retried = async <T>(work: () => Promise<T>): Promise<T> => {
    for (let delay = 100; ; delay = Math.min(delay * 2, 5_000)) {
      try {
        return await work();
      } catch (error) {
        if (error instanceof PoisonLimit || closing) throw error;
        ports.onTrouble(error);
        await new Promise<void>(resolve => {
          const timer = setTimeout(resolve, delay);
          // Closing must not wait for a back-off.
          wakeOnClose = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
    }
  };
  let wakeOnClose: (() => void) | undefined;

  const running = run().catch(error => {
    if (!closing) ports.onStopped(error instanceof Error ? error.message : 'unknown fault');
  });

  return {
    close: async () => {
      closing = true;
      stopListening();
      wake?.();
      wakeOnClose?.();
      await running;
    },
  };
};

class PoisonLimit extends Error {
  constructor(place: string) {
    super(`${POISON_LIMIT} records in a row of ${place} can't be read: stopped before passing over more`);
  }
}
