import { expect, it } from 'vitest';
import { openDiskRoom } from '../../../../infra/embedded/disk-room.ts';
import { temporaryFolder } from '../../../support/processes/server.ts';

it('has no shortage without a reserve, and keeps at most a tenth of the disk', () => {
  const folder = temporaryFolder();
  const all = openDiskRoom(folder, 0);
  expect(all.shortage()).toBeUndefined();
  expect(all.free()).toBeGreaterThan(0);
  const most = openDiskRoom(folder, Number.MAX_SAFE_INTEGER);
  expect(most.free()).toBeLessThan(all.free());
});

it('takes a disk that can not be asked for one with room: its writes fail themselves', () => {
  expect(openDiskRoom('/no/such/folder', 1).shortage()).toBeUndefined();
});
