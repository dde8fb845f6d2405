import { expect, it } from 'vitest';
import { freshnessOf } from '../../../../services/core/freshness.ts';
import { tailTurn, turnRecorded } from '../../../support/builders.ts';

const MOMENT = Date.parse('2026-01-05T10:00:00.000Z');
const recorded = (recordedAt: number | undefined) => ({ ...tailTurn(turnRecorded(1)), recordedAt });

it('says that everything is in the index when nothing waits', () => {
  expect(freshnessOf([], MOMENT)).toEqual({ indexed_until: '2026-01-05T10:00:00.000Z', from_tail: 0 });
});

it('says until when, by the first turn that waits', () => {
  const tail = [recorded(MOMENT - 2_000), recorded(MOMENT - 5_000), recorded(MOMENT - 1_000)];
  expect(freshnessOf(tail, MOMENT)).toEqual({ indexed_until: '2026-01-05T09:59:55.000Z', from_tail: 3 });
});

it('takes turns whose instant a former release left out, and a clock that is ahead', () => {
  const tail = [recorded(undefined), recorded(MOMENT + 9_000)];
  expect(freshnessOf(tail, MOMENT)).toEqual({ indexed_until: '2026-01-05T10:00:00.000Z', from_tail: 2 });
});
