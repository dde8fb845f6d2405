import type { Item, Place, Turn } from '../../importers/item.ts';

/** Turns of one partition and session that go in one request. */
export interface Batch {
  user?: string;
  session?: string;
  turns: Turn[];
  /** Where each turn stands in the input. */
  places: Place[];
  /** Of the turns as JSON. */
  bytes: number;
  /** Bytes of the input. */
  size: number;
}

/** The contract's 1,000 turns and 4 MiB, with room for the rest of the body; fewer turns answer sooner. */
const MOST_TURNS = 500;
const MOST_BYTES = 3 * 1024 * 1024;
/** All unfinished batches together: a file with many sessions in turn must not fill the memory. */
const MOST_HELD = 32 * 1024 * 1024;

export type TurnItem = Extract<Item, { turn: Turn }>;

/** Gathers turns by scope. `add` returns the batches that are full, `rest` all that are left. */
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
    add: ({ turn, user, session, place, size }: TurnItem): Batch[] => {
      const full: Batch[] = [];
      const key = JSON.stringify([user ?? null, session ?? null]);
      const bytes = Buffer.byteLength(JSON.stringify(turn)) + 1;
      const last = open.get(key);
      if (last && last.bytes + bytes > MOST_BYTES) full.push(take(key));
      const batch = open.get(key) ?? { user, session, turns: [], places: [], bytes: 0, size: 0 };
      open.set(key, batch);
      batch.turns.push(turn);
      batch.places.push(place);
      batch.bytes += bytes;
      batch.size += size;
      held += bytes;
      if (batch.turns.length >= MOST_TURNS) full.push(take(key));
      // The one that was begun first is the least likely to grow.
      while (held > MOST_HELD) full.push(take(open.keys().next().value!));
      return full;
    },
    rest: (): Batch[] => [...open.keys()].map(take),
  };
};
