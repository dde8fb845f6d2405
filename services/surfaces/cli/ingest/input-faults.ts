import type { Location } from '../../importers/turns/item.ts';

/**
 * The number of faults reported in full; of the others only the first locations: a badly damaged file must
 * not fill memory or the screen.
 */
const MOST_IN_FULL = 100;
const MOST_RANGES = 100;

/** Collects the faults of the input and reports them at the end, after the progress bar. */
export const makeFaults = () => {
  const inFull: { location: Location; faults: string[] }[] = [];
  const ranges: [Location, Location][] = [];
  let count = 0;
  let unnamed = 0;

  const named = (location: Location): string =>
    typeof location === 'number' ? `line ${location}` : location;

  return {
    count: () => count,
    add: (location: Location, faults: string[]): void => {
      count++;
      if (inFull.length < MOST_IN_FULL) {
        inFull.push({ location, faults });
        return;
      }
      const last = ranges.at(-1);
      if (last && typeof location === 'number' && last[1] === location - 1) last[1] = location;
      else if (ranges.length < MOST_RANGES) ranges.push([location, location]);
      else unnamed++;
    },
    /** One line per location; the last line lists up to a hundred further locations or ranges of them. */
    lines: (): string[] => {
      const lines = inFull.map(({ location, faults }) => `${named(location)}: ${faults.join('; ')}`);
      if (ranges.length === 0) return lines;
      const rest = ranges.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(', ');
      const more = unnamed > 0 ? ` and ${unnamed} more places` : '';
      return [...lines, `and ${count - inFull.length} more: ${rest}${more}`];
    },
  };
};
