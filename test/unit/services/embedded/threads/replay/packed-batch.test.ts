import { MessageChannel } from 'node:worker_threads';
import { expect, it } from 'vitest';
import type { ProjectedBatch } from '../../../../../../core/ports.ts';
import {
  type PackedBatch,
  packBatch,
  unpackBatch,
} from '../../../../../../services/embedded/threads/replay/packed-batch.ts';
import { fold } from '../../../../../contracts/openers/embedded.ts';
import { extracted, recallMetered, turnRecorded } from '../../../../../support/worlds/builders.ts';

it('is the same batch on the other side of a port', async () => {
  const turns = [0, 1, 2].map(n => turnRecorded(n, { active: n !== 1, observations: n === 2 ? ['so'] : [] }));
  const found = extracted(0, turns[0]!, {
    observations: [{ text: 'fact' }],
    entities: [{ label: 'Lisbon', kind: 'place' }],
  });
  const batch: ProjectedBatch = {
    ...fold([...turns, found, recallMetered(1)]),
    positions: { 'turns/0': 3, 'observations/0': 1 },
  };
  const { port1, port2 } = new MessageChannel();
  const arrived = new Promise<PackedBatch>(resolve => port2.once('message', resolve));
  const { packed, moved } = packBatch(structuredClone(batch));
  port1.postMessage(packed, [moved]);
  const other = unpackBatch(await arrived);
  port1.close();
  const plain = (of: ProjectedBatch): unknown => ({
    ...of,
    recall: of.recall.map(write =>
      Object.fromEntries(
        Object.entries(write).map(([name, value]) => [
          name,
          (value as unknown) instanceof Uint8Array ? Buffer.from(value as never).toString('hex') : value,
        ]),
      ),
    ),
  });
  expect(batch.recall.length).toBeGreaterThan(6);
  expect(plain(other)).toEqual(plain(batch));
});
