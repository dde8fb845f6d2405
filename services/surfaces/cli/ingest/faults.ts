import type { Place } from '../../importers/turns/item.ts';

/**
 * The number of faults reported in full; of the others only the first places: a badly damaged file must not
 * fill memory or the screen.
 */
const MOST_IN_FULL = 100;
const MOST_RANGES = 100;

/** Collects the faults of the input and reports them at the end, after the progress bar. */
export const makeFaults = () => {
  const inFull: { place: Place; faults: string[] }[] = [];
  const ranges: [Place, Place][] = [];
  let count = 0;
  let unnamed = 0;

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
      else if (ranges.length < MOST_RANGES) ranges.push([place, place]);
      else unnamed++;
    },
    /** One line per place; the last line lists up to a hundred further places or ranges of places. */
    lines: (): string[] => {
      const lines = inFull.map(({ place, faults }) => `${named(place)}: ${faults.join('; ')}`);
      if (ranges.length === 0) return lines;
      const rest = ranges.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(', ');
      const more = unnamed > 0 ? ` and ${unnamed} more places` : '';
      return [...lines, `and ${count - inFull.length} more: ${rest}${more}`];
    },
  };
};
