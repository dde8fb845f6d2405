import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Event } from '../../core/log/events.ts';
import { DAY_MS } from '../../core/time.ts';
import {
  embedded,
  memoryErased,
  minute,
  retracted,
  tailTurn,
  turnRecorded,
} from '../support/worlds/builders.ts';
import { queryOf } from './openers/answers.ts';
import { fold } from './openers/embedded.ts';
import type { OpenProjections } from './openers/projections.ts';

const NOW = minute(1_000_000);

/** The vectors of models that an index keeps beside turns, whatever is written before, after or again. */
export const describeVectors = (
  name: string,
  open: (clock: () => number) => Promise<OpenProjections>,
): void => {
  describe(`vectors: ${name}`, () => {
    let opened: OpenProjections;
    beforeEach(async () => {
      opened = await open(() => NOW);
    });
    afterEach(() => opened.close());

    const said = (n: number) =>
      turnRecorded(n, { user: n === 3 ? 'ben' : 'ada', session: `s${n % 2}`, observations: [`seen ${n}`] });
    const [first, second, third, ofBen] = [said(0), said(1), said(2), said(3)];
    const turns = [first, second, third, ofBen];
    const write = (...events: Event[]) => opened.store.apply({ ...fold(events), positions: {} });

    /** By the offset of its turn, what a recall of a scope reads of a model. */
    const vectors = async (model = 'e5', scope: object = {}, tail = [] as typeof turns) => {
      const { index } = opened;
      const { candidates, snapshot } = await index.retrieve(
        { org: 'acme', ...scope },
        () => queryOf('ref1'),
        tail.map(tailTurn),
      );
      const ids = candidates.map(({ id }) => id);
      const found = await index.vectors(snapshot, ids, model);
      return Object.fromEntries(
        [...found]
          .map(([turn, bytes]) => [
            turns.findIndex(({ id }) => id === `trn_${turn}`),
            [...new Int8Array(bytes)],
          ])
          .sort(),
      );
    };

    it('are those of the turns of a scope by one model, and of no other', async () => {
      await write(
        ...turns,
        embedded(0, first),
        embedded(1, second, {
          vectors: [
            [1, -2],
            [127, -127],
          ],
        }),
      );
      await write(embedded(2, first, { model: 'e6', vectors: [[3, 4, 5]] }), embedded(3, ofBen));
      expect(await vectors()).toEqual({ 0: [1, 0, 0], 1: [1, -2, 127, -127], 3: [1, 3, 0] });
      expect(await vectors('e6')).toEqual({ 0: [3, 4, 5] });
      expect(await vectors('e5', { user: 'ada', session: 's1' })).toEqual({ 1: [1, -2, 127, -127] });
      expect(await vectors('e5', { org: 'globex' })).toEqual({});
      expect(await vectors('e7')).toEqual({});
    });

    it('are found whichever topic is projected first, and those of the first copy', async () => {
      await write(embedded(0, first), embedded(1, second));
      await write(...turns);
      await write(embedded(9, first, { vectors: [[9, 9, 9]] }), embedded(1, second));
      expect(await vectors()).toEqual({ 0: [1, 0, 0], 1: [1, 1, 0] });
    });

    it('are those of a turn, too, that only the tail shows yet', async () => {
      await write(first, embedded(0, first), embedded(1, second));
      expect(await vectors('e5', {}, [first, second])).toEqual({ 0: [1, 0, 0], 1: [1, 1, 0] });
    });

    it('go with an erasure of their topic, of a session or of a user', async () => {
      await write(...turns, ...turns.map((turn, n) => embedded(n, turn)));
      const before = await opened.kept();
      await write(memoryErased(50, { session: 's1', topic: 'observations', partition: 1 }));
      expect(await opened.kept()).toBe(before);
      await write(memoryErased(50, { session: 's1', topic: 'observations' }));
      expect(await vectors()).toEqual({ 0: [1, 0, 0], 2: [1, 2, 0], 3: [1, 3, 0] });
      await write(memoryErased(51, { topic: 'observations' }));
      expect(await vectors()).toEqual({ 3: [1, 3, 0] });
      expect(await opened.kept()).toBe(before - 3);
    });

    it('go with a retraction of their turn, and come back with no copy', async () => {
      await write(first, second, embedded(0, first), embedded(1, second));
      const before = await opened.kept();
      await write(retracted(5, first));
      const left = await opened.kept();
      // The turn, what its client observed, and its vectors.
      expect(before - left).toBe(3);
      await write(embedded(0, first), embedded(6, first, { model: 'e6' }));
      expect(await vectors()).toEqual({ 1: [1, 1, 0] });
      expect(await opened.kept()).toBe(left);
      await write(retracted(7, third), third, embedded(7, third));
      expect(await opened.kept()).toBe(left);
    });

    it('are swept with their turn when it has expired, and without it', async () => {
      const gone = { expires_at: new Date(NOW - DAY_MS).toISOString() };
      const kept = { kept_from: first.recorded_at };
      await write({ ...first, ...gone }, second);
      await write(
        { ...embedded(0, first), ...gone },
        { ...embedded(1, second), ...kept },
        // Its turn is in the dead letters.
        { ...embedded(2, third), ...gone },
      );
      const before = await opened.kept();
      await opened.sweep(NOW);
      const left = await opened.kept();
      expect(before - left).toBe(4);
      expect(await vectors()).toEqual({ 1: [1, 1, 0] });
      await write({ ...embedded(0, first), ...gone });
      await opened.sweep(NOW);
      expect(await opened.kept()).toBe(left);
    });
  });
};
