import type { Place } from '../../importers/item.ts';

/** Faults told in full; of the others only the places, so that a hopeless file doesn't fill the memory. */
const MOST_IN_FULL = 100;

/** Keeps what is wrong with the input until the end, when no progress bar is in the way. */
export const makeFaults = () => {
  const inFull: { place: Place; faults: string[] }[] = [];
  const ranges: [Place, Place][] = [];
  let count = 0;

  const named = (place: Place): string => (typeof place === 'number' ? `line ${place}` : place);

  return {
    count: () => count,
    add: (place: Place, faults: string[]): void => {
      count++;
      if (inFull.length < MOST_IN_FULL) {
        inFull.push({ place, faults });
        return;
      }
      const last = ranges.at(-1);
      if (last && typeof place === 'number' && last[1] === place - 1) last[1] = place;
      else ranges.push([place, place]);
    },
    /** One line a place; the last line names the places beyond the first hundred. */
    lines: (): string[] => {
      const lines = inFull.map(({ place, faults }) => `${named(place)}: ${faults.join('; ')}`);
      if (ranges.length === 0) return lines;
      const rest = ranges.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(', ');
      return [...lines, `and ${count - inFull.length} more: ${rest}`];
    },
  };
};
