import { expect, it } from 'vitest';
import { reportOf } from '../../services/operations/verify/verify.ts';
import { describeInBothModes } from '../support/engines/both-modes.ts';
import { turnRecorded } from '../support/worlds/builders.ts';
import { someEvents, verifyWorld } from './openers/verify.ts';
import { openClusterVerify } from './openers/verify-cluster.ts';
import { openEmbeddedVerify } from './openers/verify-embedded.ts';
import { describeVerify } from './verify.contract.ts';

describeInBothModes('verify', {
  embedded: () => {
    describeVerify('embedded', () => openEmbeddedVerify());
  },
  cluster: () => {
    /** Turns that are projected while the log is verified. */
    const ENOUGH = 100;

    describeVerify('cluster', () => openClusterVerify());

    it('has the digests that the embedded store has of the same log', async () => {
      const world = verifyWorld();
      await world.append(someEvents());
      const benches = [await openClusterVerify(), await openEmbeddedVerify()];
      const digests: unknown[] = [];
      for (const bench of benches) {
        const { project, verify } = verifyWorld(world.log);
        await project(bench.store);
        // The two keep different rows of usage.
        const report = await reportOf(
          verify(bench.rows, { projections: ['recall', 'accounts', 'audit', 'activity'] }),
        );
        digests.push(report.digests);
        await bench.close();
      }
      expect(digests[0]).toEqual(digests[1]);
    });

    it('finds nothing while a projector writes', async () => {
      const world = verifyWorld();
      const bench = await openClusterVerify();
      await world.append(someEvents());
      await world.project(bench.store);
      let running = true;
      let written = 0;
      const load = (async () => {
        while (running) {
          await world.append(
            Array.from({ length: 20 }, () => turnRecorded(1_000 + written++, { user: 'live' })),
          );
          await world.project(bench.store);
        }
      })();
      const deadline = performance.now() + 60_000;
      try {
        // The projector and the proof share the processor: how much is written meanwhile is no matter of
        // speed.
        for (let i = 0; (i < 5 || written <= ENOUGH) && performance.now() < deadline; i++) {
          const report = await reportOf(world.verify(bench.rows));
          expect(report.named).toEqual([]);
        }
      } finally {
        running = false;
        await load;
      }
      expect(written).toBeGreaterThan(ENOUGH);
      await bench.close();
    });
  },
});
