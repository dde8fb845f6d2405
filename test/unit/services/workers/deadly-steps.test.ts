import { describe, expect, it } from 'vitest';
import type { Records } from '../../../../core/log/follow.ts';
import type { LogRecord, StepMemory, StepState } from '../../../../core/ports.ts';
import { guardSteps } from '../../../../services/workers/deadly-steps.ts';

const records = (from: number, count: number, partition = 0): Records => {
  const all = Array.from(
    { length: count },
    (_, i): LogRecord => ({
      topic: 'turns',
      partition,
      offset: from + i,
      value: new Uint8Array(),
      headers: {},
    }),
  );
  return [all[0]!, ...all.slice(1)];
};

const inMemory = (): StepMemory => {
  let stored: StepState | undefined;
  return {
    read: () => stored,
    write: state => {
      stored = structuredClone(state);
    },
  };
};

/**
 * Threads that handle a partition from their store's position on, in steps of `page`; each dies in a step
 * with a record of `deadly`. Returns what they handled, what they set aside, and how many of them died.
 */
const run = (end: number, page: number, deadly: readonly number[], memory = inMemory()) => {
  const handled: number[] = [];
  const setAside: number[] = [];
  let position = 0;
  for (let deaths = 0; deaths < 100; deaths++) {
    const guard = guardSteps(memory, deaths > 0);
    let died = false;
    while (position < end && !died) {
      const size = Math.min(page, end - position, guard.most('turns/0', position));
      const step = records(position, size);
      const isDeadly = guard.begin(step);
      died = !isDeadly && step.some(({ offset }) => deadly.includes(offset));
      if (died) break;
      guard.computed();
      (isDeadly ? setAside : handled).push(...step.map(({ offset }) => offset));
      position += size;
    }
    if (!died) return { handled, setAside, deaths };
  }
  throw new Error('they die for ever');
};

describe('steps that end their thread', () => {
  it('become steps of one record, and the one that ends it alone is set aside', () => {
    const { handled, setAside, deaths } = run(20, 8, [5]);
    expect(setAside).toEqual([5]);
    expect(handled).toEqual(Array.from({ length: 20 }, (_, i) => i).filter(i => i !== 5));
    // Twice the page, twice the record.
    expect(deaths).toBe(4);
  });

  it('are of one record until the end of the page that died, for any number of deadly records in it', () => {
    const { setAside, deaths } = run(20, 8, [0, 3, 7]);
    expect(setAside).toEqual([0, 3, 7]);
    expect(deaths).toBe(2 + 3 * 2);
  });

  it('are forgotten once they are passed', () => {
    const memory = inMemory();
    run(20, 8, [5], memory);
    expect(memory.read()!.suspects).toEqual({});
    expect(guardSteps(memory, false).most('turns/0', 20)).toBe(Number.POSITIVE_INFINITY);
  });

  it('are remembered beside steps of other partitions', () => {
    const memory = inMemory();
    for (let death = 0; death < 2; death++) guardSteps(memory, true).begin(records(4, 3));
    const guard = guardSteps(memory, true);
    guard.begin(records(0, 9, 1));
    guard.computed();
    const next = guardSteps(memory, false);
    expect([next.most('turns/0', 4), next.most('turns/0', 6), next.most('turns/1', 9)]).toEqual([
      1,
      1,
      Number.POSITIVE_INFINITY,
    ]);
  });
});

describe('an end of the whole process', () => {
  const endsIn = (finish: (guard: ReturnType<typeof guardSteps>) => void): ReturnType<typeof guardSteps> => {
    const memory = inMemory();
    for (let ends = 0; ends < 6; ends++) {
      const guard = guardSteps(memory, false);
      guard.begin(records(3, 1));
      finish(guard);
    }
    return guardSteps(memory, false);
  };

  it('is blamed on a step that was computing', () => {
    expect(endsIn(() => {}).begin(records(3, 1))).toBe(true);
  });

  it('is not blamed on a step that waited for a disk', () => {
    expect(endsIn(guard => guard.computed()).begin(records(3, 1))).toBe(false);
  });
});
