import { afterEach, describe, expect, it } from 'vitest';
import { inSpan, isTracing, setTracing, traced } from '../../../../core/tracing/spans.ts';
import { instant, recordStages, withStages } from '../../../../core/tracing/stages.ts';
import { pause } from '../../../support/wait.ts';

afterEach(() => setTracing(undefined));

const twice = async (n: number): Promise<number> => {
  await pause(2);
  return 2 * n;
};

describe('traced', () => {
  it('returns the function itself while nothing is traced', () => {
    expect(isTracing()).toBe(false);
    expect(traced('twice', twice)).toBe(twice);
  });

  it('gives the work of a span its arguments, and its result back', async () => {
    const ran: string[] = [];
    setTracing({
      isActive: () => true,
      run: (name, work) => {
        ran.push(name);
        return work();
      },
    });
    expect(await traced('twice', twice)(21)).toBe(42);
    expect(inSpan('sum', () => 1 + 1)).toBe(2);
    expect(ran).toEqual(['twice', 'sum']);
  });
});

describe('withStages', () => {
  it('tells the stages of its own work, when they began and when they ended', async () => {
    recordStages();
    const stage = traced('twice', twice);
    const before = instant();
    const [first, second] = await Promise.all([
      withStages(async () => (await stage(1)) + inSpan('plain', () => 1)),
      withStages(() => stage(2)),
    ]);
    expect(first.result).toBe(3);
    expect(first.stages.map(({ name }) => name)).toEqual(['twice', 'plain']);
    expect(second.stages.map(({ name }) => name)).toEqual(['twice']);
    const [slow] = second.stages;
    expect(slow!.began).toBeGreaterThanOrEqual(before);
    expect(slow!.ended - slow!.began).toBeGreaterThan(1);
    expect(slow!.ended).toBeLessThanOrEqual(instant());
  });

  it('tells a stage that failed, and fails with it', async () => {
    recordStages();
    const broken = traced('broken', async () => {
      throw new Error('as asked');
    });
    const told = await withStages(async () => {
      await expect(broken()).rejects.toThrow('as asked');
      expect(() =>
        inSpan('at once', () => {
          throw new RangeError('as well');
        }),
      ).toThrow('as well');
    });
    expect(told.stages.map(({ name }) => name)).toEqual(['broken', 'at once']);
  });

  it('is told nothing of work that runs beside it', async () => {
    recordStages();
    const stage = traced('twice', twice);
    const [{ stages }] = await Promise.all([withStages(async () => pause(5)), stage(1)]);
    expect(stages).toEqual([]);
  });
});
