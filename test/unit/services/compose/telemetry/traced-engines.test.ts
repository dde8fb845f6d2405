import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Engines } from '../../../../../core/ports/engines.ts';
import type { NewRecord } from '../../../../../core/ports.ts';
import { stopTracing } from '../../../../../core/tracing/calls.ts';
import { logRecord, outgoing } from '../../../../../infra/cluster/kafka/records.ts';
import { tracedEngines } from '../../../../../services/compose/telemetry/traced-engines.ts';
import { inRequest, registerContext, startPlainTracing } from '../../../../support/http/in-a-trace.ts';

let unregister: () => void;
beforeAll(() => {
  unregister = registerContext();
});
afterAll(() => unregister());

const enginesOf = (append: (records: readonly NewRecord[]) => void): Engines =>
  ({
    log: {
      append: async (records: readonly NewRecord[]) => {
        append(records);
        return [];
      },
    },
    keys: {},
    admission: {},
    memory: {},
  }) as never;

const record: NewRecord = {
  topic: 'turns',
  key: '["local","ada","1"]',
  value: Buffer.from('sealed'),
  headers: { correlation_id: 'c1', attempt: 'a1' },
};
const PAYER = { kind: 'billed', attempt: 'a1' } as const;

it('are the engines themselves where nothing is traced', () => {
  const engines = enginesOf(() => {});
  expect(tracedEngines(engines)).toBe(engines);
});

it('puts the trace of a request beside the headers of its records, on Kafka too', async () => {
  startPlainTracing();
  const appended: NewRecord[] = [];
  const { log } = tracedEngines(enginesOf(records => appended.push(...records)));
  await log.append([record], PAYER);
  const { traceId } = await inRequest(() => log.append([record], PAYER));
  stopTracing();

  const [outside, inside] = appended as [NewRecord, NewRecord];
  expect(outside.headers).toEqual(record.headers);
  const traceparent = new RegExp(`^00-${traceId}-[0-9a-f]{16}-01$`);
  expect(inside.headers).toEqual({ ...record.headers, traceparent: expect.stringMatching(traceparent) });

  // As a broker gives it back.
  const { message } = outgoing({ namespace: 'test', partitions: 4 }, inside);
  const headers = Object.fromEntries(
    Object.entries(message.headers!).map(([name, text]) => [name, Buffer.from(text)]),
  );
  const read = logRecord('turns', 0, { offset: '7', key: null, value: message.value, headers });
  expect(read.headers).toEqual(inside.headers);
});
