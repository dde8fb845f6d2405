import { expect, it } from 'vitest';
import type { Event } from '../../../../../core/log/events.ts';
import type { LogRecord, NewRecord } from '../../../../../core/ports.ts';
import {
  type ConsumerDefinition,
  joinConsumers,
  type SharedLogPorts,
} from '../../../../../services/workers/consumer.ts';
import { enricherOf, enrichStep } from '../../../../../services/workers/enricher/enricher.ts';
import type { Report } from '../../../../../services/workers/report.ts';
import { sessionKey, turnRecorded } from '../../../../support/worlds/builders.ts';

const TRACEPARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

/** Records that carry their turn. */
const recordOf = (n: number, headers: Record<string, string>): LogRecord =>
  ({
    topic: 'turns',
    partition: 0,
    offset: n,
    value: new Uint8Array(),
    headers,
    turn: turnRecorded(n),
  }) as LogRecord;

const enriched = async (...records: LogRecord[]) => {
  const appended: NewRecord[] = [];
  const reports: Report[] = [];
  const log: SharedLogPorts['log'] = {
    append: async sent => {
      appended.push(...sent);
      return [];
    },
    consume: async ({ handle }) => {
      await handle(records, new AbortController().signal);
      return { rewind: () => {}, close: async () => {} };
    },
  };
  const ports = {
    keys: { byId: async () => sessionKey().sealing },
    decode: async (record: LogRecord) => ({
      kind: 'events' as const,
      events: [(record as never as { turn: Event }).turn],
    }),
    clock: () => 0,
  };
  const extractor = {
    version: 'rules-1',
    source: 'rules' as const,
    extract: async () => ({ observations: [{ text: 'Ada likes tea.' }], entities: [] }),
  };
  const definition: ConsumerDefinition = {
    ...enricherOf({ kind: 'rules' }),
    open: async () => enrichStep({ ...ports, extractor }),
  };
  const report = (one: Report): void => void reports.push(one);
  await joinConsumers(definition, { ...ports, log, report } as unknown as SharedLogPorts);
  return { appended, reports };
};

it('hands the trace of a write on to what is found in it, and links its step to the request', async () => {
  const { appended, reports } = await enriched(recordOf(0, { traceparent: TRACEPARENT }), recordOf(1, {}));
  expect(appended.map(({ headers }) => headers?.traceparent)).toEqual([TRACEPARENT, undefined]);
  expect(reports).toMatchObject([
    { kind: 'progress', step: { name: 'enricher', topic: 'turns', records: 2, links: [TRACEPARENT] } },
  ]);
});

it('tells no step where no request was traced', async () => {
  const { reports } = await enriched(recordOf(0, {}));
  expect(reports).toEqual([{ kind: 'progress', positions: { 'turns/0': 1 }, events: 1 }]);
});
