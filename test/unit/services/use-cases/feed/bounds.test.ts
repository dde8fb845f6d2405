import { expect, it } from 'vitest';
import type { Positions } from '../../../../../core/ports.ts';
import { makeBounds } from '../../../../../services/use-cases/feed/bounds.ts';

it('lets observations go when everything that was written before them is settled', async () => {
  let settledUntil: Positions = {};
  let ends: Positions = {};
  let asked = 0;
  const bounds = makeBounds({
    index: { settled: async () => settledUntil },
    log: {
      ends: async () => {
        asked++;
        return ends;
      },
    },
  });

  settledUntil = { 'turns/0': 0, 'turns/1': 4, 'observations/0': 2, 'observations/1': 3 };
  ends = { 'turns/0': 3, 'turns/1': 4, 'observations/0': 2, 'observations/1': 3 };
  // Partition 1 has all of its turns; partition 0 waits for three of them, and nobody waits for partition 0.
  expect(await bounds()).toEqual({ 'turns/0': 0, 'turns/1': 4, 'observations/1': 3 });

  // More turns are written all the time: those that count are the ones from before.
  settledUntil = { ...settledUntil, 'turns/0': 2 };
  ends = { ...ends, 'turns/0': 90 };
  expect(await bounds()).toEqual({ 'turns/0': 2, 'turns/1': 4, 'observations/1': 3 });
  settledUntil = { ...settledUntil, 'turns/0': 3 };
  expect(await bounds()).toEqual({ 'turns/0': 3, 'turns/1': 4, 'observations/0': 2, 'observations/1': 3 });

  // The end of the log is asked for when there are observations to tell, and not again and again.
  const before = asked;
  await bounds();
  await bounds();
  expect(asked).toBe(before);

  // An index that took the place of another may be a little behind: nothing is told to be less.
  settledUntil = { 'turns/0': 1, 'turns/1': 1, 'observations/0': 0, 'observations/1': 0 };
  expect(await bounds()).toEqual({ 'turns/0': 3, 'turns/1': 4, 'observations/0': 2, 'observations/1': 3 });
});
