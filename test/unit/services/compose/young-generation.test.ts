import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';

const MODULE = new URL('../../../../services/compose/young-generation.ts', import.meta.url).href;

/** MiB that the young generation took at most, of a thread whose objects live for a while. */
const mostOf = (limited: boolean): number => {
  const program = `
    import { setImmediate } from 'node:timers/promises';
    import { getHeapSpaceStatistics } from 'node:v8';
    if (${limited}) (await import('${MODULE}')).limitYoungGeneration();
    const kept = [];
    let most = 0;
    for (let round = 0; round < 400; round++) {
      kept[round % 60] = Array.from({ length: 10_000 }, (_, i) => ({ i, list: [i] }));
      await setImmediate();
      const { space_size } = getHeapSpaceStatistics().find(space => space.space_name === 'new_space');
      most = Math.max(most, space_size);
    }
    console.log(most);`;
  const said = execFileSync(process.execPath, ['--input-type=module', '--eval', program]);
  return Number(said.toString()) / 1024 / 1024;
};

describe('the young generation', () => {
  it('stays far below what it would grow to', () => {
    expect(mostOf(false)).toBeGreaterThanOrEqual(64);
    expect(mostOf(true)).toBeLessThanOrEqual(48);
  });
});
