import { expect, it } from 'vitest';
import { reportOf } from '../../services/verify/verify.ts';
import { turnRecorded } from '../support/builders.ts';
import { someEvents, verifyWorld } from '../support/contracts-verify.ts';
import { openClusterVerify } from '../support/contracts-verify-cluster.ts';
import { openEmbeddedVerify } from '../support/contracts-verify-embedded.ts';
import { describeOnEngines } from '../support/engines.ts';
import { describeVerify } from './verify.contract.ts';

describeOnEngines('on Elasticsearch, ClickHouse and Redis', () => {
  describeVerify('cluster', () => openClusterVerify());

  it('has the digests that the embedded store has of the same log', async () => {
    const world = verifyWorld();
    await world.append(someEvents());
    const benches = [await openClusterVerify(), await openEmbeddedVerify()];
    const digests: unknown[] = [];
    for (const bench of benches) {
      const { project, verify } = verifyWorld(world.log);
      await project(bench.store);
      // Of usage the two keep different rows.
      const report = await reportOf(verify(bench.rows, { projections: ['recall', 'accounts'] }));
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
    let written = 1_000;
    const load = (async () => {
      while (running) {
        await world.append(Array.from({ length: 20 }, () => turnRecorded(written++, { user: 'live' })));
        await world.project(bench.store);
      }
    })();
    for (let i = 0; i < 5; i++) {
      const report = await reportOf(world.verify(bench.rows));
      expect(report.named).toEqual([]);
    }
    running = false;
    await load;
    expect(written).toBeGreaterThan(1_100);
    await bench.close();
  });
});
