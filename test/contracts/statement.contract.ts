import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Event } from '../../core/log/events.ts';
import type { UsageLedger } from '../../core/ports.ts';
import type { BilledEvent } from '../../projections/usage/merkle.ts';
import type { MonthTotals } from '../../projections/usage/statement.ts';
import { projectUsage } from '../../projections/usage/usage-projection.ts';
import type { TurnRecorded } from '../../schemas/events/turns.ts';
import { makeUsageStatement } from '../../services/use-cases/usage/statement.ts';
import {
  type Logged,
  memoryErased,
  recallMetered,
  retracted,
  turnRecorded,
} from '../support/worlds/builders.ts';
import { type Draw, drawing } from '../support/worlds/history.ts';

/** A store that a projector writes, and the ledger that reads it. */
export interface OpenLedger {
  ledger: Pick<UsageLedger, 'events' | 'firstDay'>;
  apply(events: readonly Event[]): Promise<void>;
  close(): Promise<void>;
}

const MONTH = '2026-03';
const context = { correlationId: '' };
const principal = { orgId: 'acme', userId: 'ada', roles: ['usage:read'], keyId: 'key_1' };

const sha256 = (...parts: readonly Buffer[]): Buffer =>
  createHash('sha256').update(Buffer.concat(parts)).digest();

/** As RFC 6962, section 2.1, has it, over all leaves at once. */
const hashOf = (leaves: readonly Buffer[]): Buffer => {
  if (leaves.length === 0) return sha256();
  if (leaves.length === 1) return sha256(Buffer.of(0), leaves[0]!);
  let split = 1;
  while (2 * split < leaves.length) split *= 2;
  return sha256(Buffer.of(1), hashOf(leaves.slice(0, split)), hashOf(leaves.slice(split)));
};

/** Returns what the month billed an organization: of each id the copy of the lowest offset. */
const bruteForce = (events: readonly Event[], org: string, month = MONTH): MonthTotals => {
  const first = new Map<string, ReturnType<typeof projectUsage>[number]>();
  for (const row of events.flatMap(projectUsage)) {
    if (row.org !== org) continue;
    const known = first.get(row.eventId);
    if (!known || row.offset < known.offset) first.set(row.eventId, row);
  }
  const rows = [...first.values()]
    .filter(({ day }) => day.startsWith(month))
    .sort((a, b) => Buffer.compare(Buffer.from(a.eventId), Buffer.from(b.eventId)));
  const sum = (some: readonly Omit<BilledEvent, 'id'>[]) => ({
    tokens_in: some.reduce((all, { tokensIn }) => all + tokensIn, 0),
    tokens_out: some.reduce((all, { tokensOut }) => all + tokensOut, 0),
    events: some.length,
  });
  const leaves = rows.map(({ eventId, tokensIn, tokensOut }) =>
    Buffer.from(JSON.stringify([eventId, tokensIn, tokensOut])),
  );
  const days = Array.from({ length: 31 }, (_, n) => `${month}-${String(n + 1).padStart(2, '0')}`);
  return {
    ...sum(rows),
    root: hashOf(leaves).toString('hex'),
    days: days.map(day => ({ day, ...sum(rows.filter(row => row.day === day)) })),
  };
};

/** Any time from the middle of February to the middle of April: some events are another month's. */
const recordedAt = (draw: Draw): string =>
  new Date(Date.parse('2026-02-15T00:00:00Z') + draw(60 * 86_400_000)).toISOString();

/**
 * Turns and recalls of two organizations in any order, copies of some on other days, and of some a repaired
 * first copy.
 */
const someEvents = (draw: Draw, count: number): Event[] => {
  const events: Event[] = [];
  const offsets = { turns: 0, usage: 0 };
  const put = (event: Event, offset = offsets[event.topic as 'turns']++): void => {
    events.push({ ...event, offset });
  };
  const holes: number[] = [];
  const some: Event[] = [];
  for (let n = 0; n < count; n++) {
    const org = draw(4) === 0 ? 'globex' : 'acme';
    if (draw(20) === 0) holes.push(offsets.turns++);
    if (draw(3) === 0) {
      const recall = recallMetered(n, { tokens_in: 1 + draw(9), tokens_out: draw(900) });
      put({ ...recall, org_id: org, recorded_at: recordedAt(draw) });
      continue;
    }
    const turn = {
      ...turnRecorded(n, { org, user: draw(2) ? 'ada' : 'grace', tokens: 1 + draw(50), active: draw(9) > 0 }),
      recorded_at: recordedAt(draw),
    };
    some.push(turn);
    put(turn);
    if (draw(5) === 0) put({ ...some[draw(some.length)]!, recorded_at: recordedAt(draw) });
  }
  // Events that could not be projected at first take the place that they have in the log.
  for (const hole of holes) {
    const later = some[draw(some.length)]!;
    put({ ...later, recorded_at: recordedAt(draw), readAt: offsets.turns++ }, hole);
  }
  return events;
};

/** Tests what a statement says of the billed events: the same on every store. */
export const describeStatement = (name: string, open: () => Promise<OpenLedger>): void => {
  describe(`the statement of a month: ${name}`, () => {
    let opened: OpenLedger;
    beforeEach(async () => {
      opened = await open();
    });
    afterEach(() => opened.close());

    const stated = async (org = 'acme', month = MONTH, by: OpenLedger = opened): Promise<MonthTotals> => {
      const { usageStatement } = makeUsageStatement({
        ledger: { ...by.ledger, projectedUntil: async () => Date.parse('2026-06-01') },
        statements: {
          sign: async ({ statedAt: _, org: __, month: ___, ...totals }) => JSON.stringify(totals),
        },
        clock: () => Date.parse('2026-06-01'),
      });
      return JSON.parse((await usageStatement({ ...principal, orgId: org }, month, context)).statement);
    };

    /** In steps of any size, some of them twice, as a projector that died before its checkpoint does. */
    const project = async (
      events: readonly Event[],
      draw: Draw,
      into: OpenLedger = opened,
    ): Promise<void> => {
      for (let at = 0; at < events.length; ) {
        const step = events.slice(at, at + 1 + draw(120));
        await into.apply(step);
        if (draw(3) === 0) await into.apply(step);
        at += step.length;
      }
    };

    it.each([1, 2, 3])(
      'is what a count of the log gives, out of order and with copies: seed %i',
      async seed => {
        const draw = drawing(seed);
        const events = someEvents(draw, 600);
        await project(events, draw);
        for (const org of ['acme', 'globex', 'initech'])
          expect(await stated(org), org).toEqual(bruteForce(events, org));
        expect(bruteForce(events, 'acme').events).toBeGreaterThan(100);
        expect((await stated('initech')).root).toBe(
          'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
        );
      },
    );

    it('is the same after a retraction and an erasure, and after a replay of them', async () => {
      const draw = drawing(7);
      const events = someEvents(draw, 300).filter(({ readAt }) => readAt === undefined);
      await project(events, draw);
      const before = await stated();
      const turn = events.find(({ type, org_id }) => type === 'turn.recorded' && org_id === 'acme')!;
      const hiding = [
        retracted(10_000, turn as Logged<TurnRecorded>),
        memoryErased(10_001, { user: 'ada' }),
      ] as Event[];
      await project(hiding, draw);
      expect(await stated()).toEqual(before);
      expect(before).toEqual(bruteForce(events, 'acme'));

      const rebuilt = await open();
      // A destroyed key leaves what is in the clear.
      const left = events.map(event =>
        event.topic === 'turns' && (event.data as { user_id: string }).user_id === 'ada'
          ? { ...event, data: undefined }
          : event,
      );
      await project([...left, ...hiding], draw, rebuilt);
      expect(await stated('acme', MONTH, rebuilt)).toEqual(before);
      await rebuilt.close();
    });

    it('reads more events of a day than a page holds, in the order of their ids', async () => {
      const events = Array.from({ length: 12_000 }, (_, n) => ({
        ...recallMetered(n, { tokens_in: 1 + (n % 7), tokens_out: n }),
        id: `rcl_${createHash('md5').update(String(n)).digest('hex')}`,
        recorded_at: n % 10 === 0 ? '2026-03-04T10:00:00.000Z' : '2026-03-05T10:00:00.000Z',
        offset: n,
      }));
      await opened.apply(events);
      expect(await stated()).toEqual(bruteForce(events, 'acme'));
    });

    it('counts ids by their bytes, and no event that bills nothing', async () => {
      const at = (n: number, id: string, tokens_in: number) => ({
        ...recallMetered(n, { tokens_in, tokens_out: 0 }),
        id,
        recorded_at: `2026-03-0${(n % 3) + 1}T10:00:00.000Z`,
        offset: n,
      });
      const billed = ['rcl_\u{1f600}', 'rcl_\ufffd', 'rcl_Z', 'rcl_a', 'rcl_é'].map((id, n) =>
        at(n, id, n + 1),
      );
      await opened.apply([...billed, at(9, 'rcl_none', 0)]);
      expect(await stated()).toEqual(bruteForce(billed, 'acme'));
      expect((await stated()).events).toBe(5);
    });
  });
};
