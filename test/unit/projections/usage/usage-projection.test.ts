import { expect, it } from 'vitest';
import { scopeDigest } from '../../../../domain/identity/identity.ts';
import { foldUsage, projectUsage } from '../../../../projections/usage/usage-projection.ts';
import { extracted, memoryErased, recallMetered, turnRecorded } from '../../../support/worlds/builders.ts';

const AT = Date.parse('2026-03-10T08:00:00.000Z');
const NAMED = { user: 'ada', session: 's1', at: AT };
const ADA = scopeDigest(['acme', 'ada']);

it('bills a recorded turn by its tokens and its first day, whatever tier it went to', () => {
  const turn = turnRecorded(1, { tokens: 42 });
  const address = { topic: 'turns', partition: turn.partition, offset: turn.offset };
  const of = { source: 'key-1', apiKey: '', named: NAMED };
  const row = {
    eventId: turn.id,
    org: 'acme',
    day: '2026-03-10',
    ...address,
    tokensIn: 42,
    tokensOut: 0,
    ...of,
  };
  expect(projectUsage(turn)).toEqual([row]);
  expect(projectUsage(turnRecorded(1, { tokens: 42, active: false }))).toEqual([row]);
  expect(projectUsage({ ...turn, recorded_at: '2026-03-11T00:00:00.000Z' })).toMatchObject([
    { day: '2026-03-11' },
  ]);
  expect(projectUsage({ ...turn, apiKey: 'abc' })).toEqual([{ ...row, apiKey: 'abc' }]);
});

it('bills an answered recall both ways, and nothing else', () => {
  expect(projectUsage(recallMetered(1))).toMatchObject([{ eventId: 'rcl_1', tokensIn: 2, tokensOut: 30 }]);
  expect(projectUsage(extracted(1, turnRecorded(1)))).toEqual([]);
  expect(projectUsage({ ...turnRecorded(1), type: 'write.accepted' })).toEqual([]);
});

it('bills a turn whose key is gone, without a name', () => {
  const turn = turnRecorded(1, { tokens: 9 });
  const row = { eventId: turn.id, org: 'acme', tokensIn: 9, tokensOut: 0, topic: 'turns', partition: 0 };
  expect(projectUsage({ ...turn, apiKey: 'abc', data: undefined })).toEqual([
    { ...row, day: '2026-03-10', offset: 1, source: 'key-1', apiKey: 'abc', named: undefined },
  ]);
});

it('counts a recall to the user that it searched, and names that one only where it asked itself', () => {
  const named = { user: 'ada', session: null, at: AT };
  expect(projectUsage(recallMetered(1, { api_key: 'abc' }))).toMatchObject([
    { source: ADA, apiKey: 'abc', named },
  ]);
  const searched = scopeDigest(['acme', 'grace']);
  expect(projectUsage(recallMetered(1, { searched }))).toMatchObject([
    { source: searched, apiKey: '', named: undefined },
  ]);
});

it('takes names away with an erasure and an expiry in the topic of turns, and nothing that is billed', () => {
  const forget = { op: 'forget', org: 'acme', owner: ADA, place: null, partition: 0, offset: 7, at: AT };
  expect(foldUsage(memoryErased(7))).toEqual([forget]);
  const place = scopeDigest(['acme', 'ada', 's1']);
  const ofSession = memoryErased(7, { session: 's1' });
  expect(foldUsage(ofSession)).toEqual([{ ...forget, place }]);
  const expired = { ...ofSession, type: 'memory.expired', data: { owner: ADA, session: place, before: 5 } };
  expect(foldUsage(expired)).toEqual([{ ...forget, place, offset: 5 }]);
  expect(foldUsage(memoryErased(7, { topic: 'observations' }))).toEqual([]);
});
