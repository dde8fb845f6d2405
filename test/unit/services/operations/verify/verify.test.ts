import { expect, it } from 'vitest';
import { type Event, makeDecode } from '../../../../../core/log/events.ts';
import type { VerifiableRows } from '../../../../../core/ports.ts';
import { PROJECTIONS } from '../../../../../projections/all.ts';
import { projectUsage } from '../../../../../projections/usage/usage-projection.ts';
import { billedRow, dayRow } from '../../../../../projections/usage/verified-usage.ts';
import { makeVerify, reportOf } from '../../../../../services/operations/verify/verify.ts';
import { deadLetter } from '../../../../../services/workers/projector/poison.ts';
import { memoryLog } from '../../../../support/engines/memory-log.ts';
import { sessionKey, turnRecorded, writeAccepted } from '../../../../support/worlds/builders.ts';
import { turnsFrame } from '../../../../support/worlds/frames.ts';

const decode = makeDecode({ byId: async () => sessionKey().sealing, destroyKeys: async () => {} });

/** A log of a write of four turns, the second of which the store refused, and a store without these turns. */
const verified = async (missing: readonly number[]) => {
  const log = memoryLog(1);
  const turns = Array.from({ length: 4 }, (_, n) => turnRecorded(n));
  await log.append([{ topic: 'turns', key: 'k', value: turnsFrame(writeAccepted(1, turns), turns) }]);
  const [record] = await log.read('turns', 0, 0, 1);
  await log.append([deadLetter(record!, { kind: 'poison', step: 'apply', reason: 'RefusedWrites' }, 2)]);
  const decoded = await decode(record!);
  if (decoded.kind !== 'events') throw new Error(decoded.kind);
  const billed = decoded.events
    .flatMap((event: Event) => projectUsage(event))
    .map(row => billedRow(row, row));
  const { org_id: org, recorded_at } = turns[0]!;
  const day = dayRow({ org, day: recorded_at.slice(0, 10), tokensIn: 28, tokensOut: 0 });
  const positions = { 'turns/0': 1, 'usage/0': 0 };
  const rows: VerifiableRows = {
    projections: ['usage'],
    positions: async () => positions,
    open: async () => ({
      positions,
      rows: async function* () {
        yield* billed.filter((_, n) => !missing.includes(n));
        yield day;
      },
      derived: async function* () {},
      swept: async () => new Set(),
      close: async () => {},
    }),
  };
  const verify = makeVerify({
    log,
    decode,
    projections: { usage: { ...PROJECTIONS.usage, fold: projectUsage } } as never,
    clock: () => Date.parse('2026-03-10T12:00:00Z'),
  });
  const { named } = await reportOf(verify(rows));
  return named.map(({ how, kind, id }) => ({ how, kind, turn: turns.findIndex(turn => turn.id === id) }));
};

it('excuses a missing row of an event that the store refused', async () => {
  expect(await verified([])).toEqual([]);
  expect(await verified([1])).toEqual([]);
});

it('names a missing row of another event of the same record', async () => {
  expect(await verified([0, 1, 3])).toEqual([
    { how: 'missing', kind: 'billed', turn: 0 },
    { how: 'missing', kind: 'billed', turn: 3 },
  ]);
});
