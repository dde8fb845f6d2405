import type { Item, Location, Turn } from '../../importers/turns/item.ts';

/** Turns of one user and session that are sent in one request. */
export interface Batch {
  user?: string;
  session?: string;
  /** Names the session where it has no title yet. */
  title?: string;
  turns: Turn[];
  /** The location of each turn in the input. */
  locations: Location[];
  /** Size of the turns as JSON. */
  bytes: number;
  /** Size in the input. */
  size: number;
}

/**
 * The contract allows 1,000 turns and 4 MiB; the body needs some space of its own, and smaller requests are
 * answered sooner.
 */
const MOST_TURNS = 500;
const MOST_BYTES = 3 * 1024 * 1024;
/**
 * Limit for all unfinished batches together: a file that alternates between many sessions must not exhaust
 * memory.
 */
const MOST_HELD = 32 * 1024 * 1024;

export type TurnItem = Extract<Item, { turn: Turn }>;

/** Groups turns by scope. `add` returns the batches that are full, `rest` all remaining ones. */
export const makeBatches = () => {
  const open = new Map<string, Batch>();
  let held = 0;

  const take = (key: string): Batch => {
    const batch = open.get(key)!;
    open.delete(key);
    held -= batch.bytes;
    return batch;
  };

  return {
    add: ({ turn, user, session, location, size }: TurnItem): Batch[] => {
      const full: Batch[] = [];
      const key = JSON.stringify([user ?? null, session ?? null]);
      const bytes = Buffer.byteLength(JSON.stringify(turn)) + 1;
      const last = open.get(key);
      if (last && last.bytes + bytes > MOST_BYTES) full.push(take(key));
      const batch = open.get(key) ?? { user, session, turns: [], locations: [], bytes: 0, size: 0 };
      open.set(key, batch);
      batch.turns.push(turn);
      batch.locations.push(location);
      batch.bytes += bytes;
      batch.size += size;
      held += bytes;
      if (batch.turns.length >= MOST_TURNS) full.push(take(key));
      // Send the oldest batch, which is the least likely to grow.
      while (held > MOST_HELD) full.push(take(open.keys().next().value!));
      return full;
    },
    rest: (): Batch[] => [...open.keys()].map(take),
  };
};
