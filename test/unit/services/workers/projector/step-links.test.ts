import { expect, it } from 'vitest';
import { ALL_WRITTEN } from '../../../../../core/ports/projection/projection-store.ts';
import type { LogRecord } from '../../../../../core/ports.ts';
import { PROJECTIONS } from '../../../../../projections/all.ts';
import { makeStep } from '../../../../../services/workers/projector/step.ts';
import { turnRecorded } from '../../../../support/worlds/builders.ts';

const SINCE = Date.UTC(2026, 10, 30, 12);
const traceparent = (n: number): string =>
  `00-${String(n).padStart(32, '0')}-${String(n).padStart(16, '0')}-01`;

/** Records of turns: when each was recorded, and whether its request was traced. */
const stepOver = async (
  linksSince: (() => number) | undefined,
  ...turns: { recordedAt: number; trace?: number }[]
) => {
  const events = turns.map(({ recordedAt }, n) => ({
    ...turnRecorded(n),
    recorded_at: new Date(recordedAt).toISOString(),
  }));
  const records = turns.map(
    ({ trace }, offset): LogRecord => ({
      topic: 'turns',
      partition: 2,
      offset,
      value: Buffer.from(''),
      headers: trace === undefined ? {} : { traceparent: traceparent(trace) },
    }),
  );
  const nothing = () => [];
  const step = makeStep({
    log: { append: async () => [] },
    store: { apply: async () => ALL_WRITTEN },
    decode: async ({ offset }) => ({ kind: 'events', events: [events[offset]!] }),
    projections: {
      recall: { ...PROJECTIONS.recall, fold: nothing },
      usage: { ...PROJECTIONS.usage, fold: nothing },
      accounts: { ...PROJECTIONS.accounts, fold: nothing },
      audit: { ...PROJECTIONS.audit, fold: nothing },
      activity: { ...PROJECTIONS.activity, fold: nothing },
    },
    limits: { inARow: 100, share: 20 },
    ...(linksSince && { linksSince }),
  });
  const outcome = await step(records as [LogRecord, ...LogRecord[]]);
  if (outcome.kind !== 'applied') throw new Error(outcome.kind);
  return outcome.step;
};

it('links to each traced request once, whichever of its records they are', async () => {
  const of = (trace?: number) => ({ recordedAt: SINCE, ...(trace !== undefined && { trace }) });
  const step = await stepOver(() => SINCE, of(7), of(), of(7), of(8));
  expect(step).toMatchObject({
    name: 'projector',
    topic: 'turns',
    partition: 2,
    records: 4,
    links: [traceparent(7), traceparent(8)],
    stages: [{ name: 'fold' }, { name: 'apply' }],
  });
  expect(step!.ended).toBeGreaterThanOrEqual(step!.began);
});

it('links to nothing that was recorded long ago, as a projection that is built again reads it', async () => {
  const old = { recordedAt: SINCE - 1, trace: 7 };
  expect(await stepOver(() => SINCE, old)).toBeUndefined();
  expect((await stepOver(() => SINCE, old, { recordedAt: SINCE, trace: 8 }))!.links).toEqual([
    traceparent(8),
  ]);
});

it('links to nothing where nobody asks for links, and where no request was traced', async () => {
  expect(await stepOver(undefined, { recordedAt: SINCE, trace: 7 })).toBeUndefined();
  expect(await stepOver(() => SINCE, { recordedAt: SINCE })).toBeUndefined();
});
