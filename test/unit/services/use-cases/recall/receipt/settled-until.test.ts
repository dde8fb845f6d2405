import { describe, expect, it } from 'vitest';
import { unavailable } from '../../../../../../core/errors.ts';
import { encodeEvent } from '../../../../../../core/log/encode.ts';
import type { LogRecord, Positions, Topic } from '../../../../../../core/ports.ts';
import { PROJECTIONS } from '../../../../../../projections/all.ts';
import { makeSettledUntil } from '../../../../../../services/use-cases/recall/receipt/settled-until.ts';
import { memoryLog } from '../../../../../support/engines/memory-log.ts';
import { minute } from '../../../../../support/worlds/builders.ts';

const NOW = minute(1_000);

const recorded = (at: number): Uint8Array =>
  encodeEvent({
    id: 'evt_1',
    type: 'session.titled',
    org_id: 'acme',
    recorded_at: new Date(at).toISOString(),
    correlation_id: '',
    data: {},
  });
const poison = Buffer.from('{');

/** A log with these records in partition 0 of a topic, and how often it was asked. */
const asking = async (values: Partial<Record<Topic, Uint8Array[]>>, positions: Positions) => {
  const log = memoryLog();
  for (const [topic, all] of Object.entries(values)) {
    await log.append(all.map(value => ({ topic: topic as Topic, key: 'a', partition: 0, value })));
  }
  const reads: LogRecord['offset'][] = [];
  let asked = 0;
  const passed = makeSettledUntil({
    log: {
      ends: async () => {
        asked++;
        return log.ends();
      },
      read: async (topic, partition, offset, limit) => {
        reads.push(offset);
        return log.read(topic, partition, offset, limit);
      },
    },
    settled: () => positions,
    topics: PROJECTIONS.recall.topics,
    clock: () => NOW,
  });
  return { passed, reads, asked: () => asked };
};

describe('what the projections have safely passed', () => {
  it('is a minute ago when they have all of the log', async () => {
    const { passed } = await asking(
      { turns: [recorded(minute(1))], observations: [recorded(minute(2))] },
      { 'turns/0': 1, 'observations/0': 1 },
    );
    expect(await passed()).toBe(NOW - 60_000);
  });

  it('is a minute before the first record that one of them lacks, of turns and of observations', async () => {
    const values = {
      turns: [minute(1), minute(700), minute(600)].map(recorded),
      observations: [minute(2), minute(650)].map(recorded),
    };
    const all = { 'turns/0': 3, 'observations/0': 2 };
    const at = async (positions: Positions) => (await asking(values, { ...all, ...positions })).passed();
    expect(await at({ 'turns/0': 1 })).toBe(minute(699));
    expect(await at({ 'observations/0': 1 })).toBe(minute(649));
    expect(await at({ 'turns/0': 1, 'observations/0': 1 })).toBe(minute(649));
    expect(await (await asking(values, {})).passed()).toBe(minute(0));
  });

  it('does not wait for what recall has nothing of', async () => {
    const { passed } = await asking({ usage: [recorded(minute(1))], accounts: [recorded(minute(1))] }, {});
    expect(await passed()).toBe(NOW - 60_000);
  });

  it('passes over what can not be read, as the projector will', async () => {
    const { passed } = await asking(
      { turns: [...Array.from({ length: 40 }, () => poison), recorded(minute(5))] },
      {},
    );
    expect(await passed()).toBe(minute(4));
    expect(await (await asking({ turns: [poison] }, {})).passed()).toBe(NOW - 60_000);
  });

  it('asks the log once for a burst', async () => {
    const { passed, asked, reads } = await asking({ turns: [recorded(minute(5))] }, {});
    const told = await Promise.all(Array.from({ length: 50 }, () => passed()));
    expect(new Set(told)).toEqual(new Set([minute(4)]));
    expect(asked()).toBe(1);
    expect(reads).toEqual([0]);
  });

  it('asks again at once after an outage', async () => {
    const log = memoryLog();
    let away = true;
    const passed = makeSettledUntil({
      log,
      settled: () => {
        if (away) throw unavailable('The log is away.');
        return {};
      },
      topics: PROJECTIONS.recall.topics,
      clock: () => NOW,
    });
    await expect(passed()).rejects.toMatchObject({ code: 'unavailable' });
    away = false;
    expect(await passed()).toBe(NOW - 60_000);
  });
});
