import { afterEach, describe, expect, it } from 'vitest';
import { unavailable } from '../../../../core/errors.ts';
import { keepCheckpoints } from '../../../../services/cluster/checkpoints.ts';
import { pause, until } from '../../../support/wait.ts';

const GENERATION = { runId: 'run', epoch: 'epoch', version: 'v', facts: 1 };

describe('the checkpoints', () => {
  const kept: { close(): Promise<void> }[] = [];
  afterEach(async () => {
    for (const one of kept.splice(0)) await one.close();
  });

  it('are written one after the other, only while the gate is open, and whatever fails', async () => {
    let isOpen = false;
    let running = 0;
    const outcomes = [unavailable('Kafka is away'), new Error('a fault'), undefined];
    const written: unknown[] = [];
    const troubles: unknown[] = [];
    kept.push(
      keepCheckpoints(
        {
          gate: { isOpen: () => isOpen, generation: () => GENERATION },
          advance: async generation => {
            expect(running++).toBe(0);
            // Longer than until the next is due.
            await pause(5);
            running--;
            const fault = outcomes.shift();
            if (fault) throw fault;
            written.push(generation);
            // The gate closes: from here on nothing is written.
            if (written.length === 3) isOpen = false;
          },
          onTrouble: error => void troubles.push(error),
        },
        1,
      ),
    );
    let ticks = 0;
    const tick = () => until('time passes', () => ++ticks % 20 === 0);
    await tick();
    expect(written).toEqual([]);
    isOpen = true;
    await until('three are written', () => written.length === 3);
    await tick();
    expect(written).toEqual([GENERATION, GENERATION, GENERATION]);
    expect(troubles).toMatchObject([{ message: 'a fault' }]);
  });

  it('wait, when they end, for the one under way', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    let isWriting = false;
    const one = keepCheckpoints(
      {
        gate: { isOpen: () => true, generation: () => GENERATION },
        advance: () => {
          isWriting = true;
          return promise;
        },
        onTrouble: () => {},
      },
      1,
    );
    await until('one is under way', () => isWriting);
    let isClosed = false;
    const closing = one.close().then(() => {
      isClosed = true;
    });
    await new Promise(done => setImmediate(done));
    expect(isClosed).toBe(false);
    resolve();
    await closing;
  });
});
