import { describe, expect, it } from 'vitest';
import {
  type GenerationWriters,
  writeToGenerations,
} from '../../../../../infra/cluster/generations/writes.ts';

describe('a generation that fails', () => {
  const writers = (failed: number[]): GenerationWriters => ({
    targets: async () => ({ required: [3], optional: [2], beside: [], marked: [] }),
    failed: async generation => void failed.push(generation),
  });

  it('holds no batch, and is tried again first', async () => {
    const failed: number[] = [];
    let tries = 0;
    const flaky = async (generation: number) => {
      if (generation === 2 && tries++ < 2) throw new Error('busy');
      return generation;
    };
    expect(
      await writeToGenerations(
        writers(failed),
        { required: [3], optional: [2], beside: [], marked: [] },
        flaky,
      ),
    ).toEqual([3, 2]);
    expect(failed).toEqual([]);
  });

  it('is left out when it goes on failing, or never answers', async () => {
    const failed: number[] = [];
    const write = async (generation: number) => {
      if (generation === 2) throw new Error('blocked');
      return generation === 1 ? new Promise<number>(() => {}) : generation;
    };
    const targets = { required: [3], optional: [1, 2], beside: [], marked: [] };
    expect(await writeToGenerations(writers(failed), targets, write, 50)).toEqual([3]);
    expect(failed).toEqual([1, 2]);
  });

  it('fails the batch where it must be in it', async () => {
    const failed: number[] = [];
    const write = async (generation: number) => {
      if (generation === 3) throw new Error('away');
    };
    await expect(
      writeToGenerations(writers(failed), { required: [3], optional: [2], beside: [], marked: [] }, write),
    ).rejects.toThrow('away');
    expect(failed).toEqual([]);
  });
});
