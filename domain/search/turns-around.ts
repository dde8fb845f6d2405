import type { Neighbour, Neighbours } from './document.ts';
import { type Searched, TURN } from './segments/run.ts';

interface Turn {
  number: number;
  timestamp: number;
}

/** Numbers of the turns at -2, -1, +1 and +2. */
export type Around = readonly [number?, number?, number?, number?];

const byTime = (a: Turn, b: Turn): number => a.timestamp - b.timestamp || a.number - b.number;

/**
 * Finds the turns around each given turn in its session, ordered by (timestamp, number), inside the searched
 * window. Takes one pass over the runs and reads no document.
 */
export const turnsAround = (
  searched: readonly Searched[],
  turns: readonly (Turn & { session: number })[],
): Map<number, Around> => {
  const sessions = new Map<number, Turn[]>(turns.map(({ session }) => [session, []]));
  for (const { run, mask } of searched) {
    // The turns of a session are mostly consecutive: look the session up only when it changes.
    let last = Number.NaN;
    let list: Turn[] | undefined;
    for (let i = 0; i < run.size; i++) {
      if (mask[i] === 0 || run.kinds[i] !== TURN) continue;
      const session = run.sessions[i]!;
      if (session !== last) {
        last = session;
        list = sessions.get(session);
      }
      list?.push({ number: run.numbers[i]!, timestamp: run.timestamps[i]! });
    }
  }
  for (const list of sessions.values()) list.sort(byTime);
  return new Map(
    turns.map(turn => {
      const list = sessions.get(turn.session)!;
      const at = indexIn(list, turn);
      return [
        turn.number,
        [list[at - 2]?.number, list[at - 1]?.number, list[at + 1]?.number, list[at + 2]?.number],
      ];
    }),
  );
};

/** Replaces the numbers by their entries, where these exist. */
export const neighboursOf = (
  around: ReadonlyMap<number, Around>,
  entryOf: (number: number) => Neighbour | undefined,
): Map<number, Neighbours> => {
  const at = (number?: number) => (number === undefined ? undefined : entryOf(number));
  return new Map([...around].map(([key, [a, b, c, d]]) => [key, [at(a), at(b), at(c), at(d)]]));
};

/** Index of a turn that is in the sorted list. */
const indexIn = (list: readonly Turn[], turn: Turn): number => {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (byTime(list[middle]!, turn) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
};
