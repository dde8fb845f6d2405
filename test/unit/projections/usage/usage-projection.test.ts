import { expect, it } from 'vitest';
import { projectUsage } from '../../../../projections/usage/usage-projection.ts';
import { extracted, recallMetered, turnRecorded } from '../../../support/worlds/builders.ts';

it('bills a recorded turn by its tokens and its first day, whatever tier it went to', () => {
  const turn = turnRecorded(1, { tokens: 42 });
  const address = { topic: 'turns', partition: turn.partition, offset: turn.offset };
  const row = { eventId: turn.id, org: 'acme', day: '2026-03-10', ...address, tokensIn: 42, tokensOut: 0 };
  expect(projectUsage(turn)).toEqual([row]);
  expect(projectUsage(turnRecorded(1, { tokens: 42, active: false }))).toEqual([row]);
  expect(projectUsage({ ...turn, recorded_at: '2026-03-11T00:00:00.000Z' })).toMatchObject([
    { day: '2026-03-11' },
  ]);
});

it('bills an answered recall both ways, and nothing else', () => {
  expect(projectUsage(recallMetered(1))).toMatchObject([{ eventId: 'rcl_1', tokensIn: 2, tokensOut: 30 }]);
  expect(projectUsage(extracted(1, turnRecorded(1)))).toEqual([]);
  expect(projectUsage({ ...turnRecorded(1), type: 'write.accepted' })).toEqual([]);
});

it('bills a turn whose key is gone', () => {
  const turn = turnRecorded(1, { tokens: 9 });
  const row = { eventId: turn.id, org: 'acme', tokensIn: 9, tokensOut: 0, topic: 'turns', partition: 0 };
  expect(projectUsage({ ...turn, data: undefined })).toEqual([{ ...row, day: '2026-03-10', offset: 1 }]);
});
