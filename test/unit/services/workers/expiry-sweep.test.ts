import { expect, it } from 'vitest';
import { startExpirySweep } from '../../../../services/workers/expiry-sweep.ts';
import { pause, until } from '../../../support/wait.ts';

/** Switched off by hand: expiry-sweep.ts sweeps whenever it looks → it had swept while the clock stood. */
it('the expiry sweep goes by its clock, keeps to its grace, and goes on for as long as there is more', async () => {
  let now = 1_000_000;
  const swept: number[] = [];
  const sweep = async (instant: number): Promise<boolean> => {
    swept.push(instant);
    return swept.length === 1;
  };
  const options = { clock: () => now, upTo: async () => now, everyMs: 5, graceMs: 100 };
  const sweeping = startExpirySweep({ sweep }, options, error => expect.unreachable(String(error)));
  try {
    await pause(50);
    expect(swept).toEqual([]);
    // As after a night in which the machine slept.
    now += 3_600_000;
    await until('it has swept', () => swept.length > 1);
    await pause(50);
    expect(swept).toEqual([now - 100, now - 100]);
  } finally {
    await sweeping.close();
  }
});
