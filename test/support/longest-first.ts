/**
 * The order of a run's files: those that take long begin first, so that none of them is left to run alone
 * while the other workers have nothing to do. A checkout that ran before knows more than this list, but only
 * of the files that it ran.
 */
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Below test/, longest first: measured where each takes more than half a minute. */
export const LONG = [
  'cluster/outages/engines-down.cluster.test.ts',
  'abuse/largest-writes.cluster.speed.test.ts',
  'contracts/verify.both.test.ts',
  'contracts/listing.both.test.ts',
  'cluster/upgrade.cluster.test.ts',
  'abuse/largest-writes.speed.test.ts',
  'journeys/retraction.both.test.ts',
  'contracts/projections.both.test.ts',
  'contracts/filter.both.test.ts',
  'contracts/generations.both.test.ts',
  'cluster/replay.cluster.test.ts',
  'cluster/outages/kafka-restarts.cluster.test.ts',
  'faults/poison.test.ts',
  'cluster/erasure.cluster.test.ts',
  'cluster/second-deletion.cluster.test.ts',
  'contracts/expired-keys.both.test.ts',
  'contracts/key-store.both.test.ts',
  'contracts/as-of.both.test.ts',
  'contracts/dead-letters.both.test.ts',
  'contracts/expiry.both.test.ts',
  'cluster/outages/degraded.cluster.test.ts',
  'cluster/restored-stores.cluster.test.ts',
  'abuse/large-tail.cluster.test.ts',
  'journeys/generations.slow.test.ts',
  'simulator/planted.slow.test.ts',
  'simulator/simulator.test.ts',
  'journeys/embeddings.slow.test.ts',
  'cluster/redis-restarted.cluster.test.ts',
  'journeys/expiry.both.test.ts',
  'integrations/python-packages.slow.test.ts',
  'examples/langchain.test.ts',
  'cluster/chart.cluster.test.ts',
  'clients/python.slow.test.ts',
  'journeys/statement.both.test.ts',
  'faults/upgrade.test.ts',
  'console/linked-turn.test.ts',
];

const rank = ({ moduleId }: TestSpecification): number => {
  const place = LONG.findIndex(file => moduleId.endsWith(`/test/${file}`));
  return place < 0 ? LONG.length : place;
};

const groupOf = ({ project }: TestSpecification): number => project.config.sequence.groupOrder;

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => groupOf(a) - groupOf(b) || rank(a) - rank(b));
  }
}
