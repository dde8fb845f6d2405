/** Decoding a page of records opens its keys at once: where a key is a round trip, each in turn is slow. */
import { expect, it } from 'vitest';
import { makeDecode, openKeysOf } from '../../../../core/log/events.ts';
import { ALL_WRITTEN } from '../../../../core/ports/projection/projection-store.ts';
import type { LogRecord, SharedLog } from '../../../../core/ports.ts';
import { PROJECTIONS } from '../../../../projections/all.ts';
import { projectUsage } from '../../../../projections/usage/usage-projection.ts';
import { makeLogSide } from '../../../../services/operations/verify/log-side.ts';
import { makeExportChunks } from '../../../../services/use-cases/transfer/chunk.ts';
import { joinConsumers } from '../../../../services/workers/consumer.ts';
import { makeStep } from '../../../../services/workers/projector/step.ts';
import { memoryLog } from '../../../support/engines/memory-log.ts';
import { sessionKey, turnRecorded } from '../../../support/worlds/builders.ts';
import { recordWith } from '../../../support/worlds/frames.ts';

const KEYS = 6;

/** A log of records under different keys, and keys that count how many are asked for at a time. */
const world = async () => {
  const log = memoryLog(1);
  const turns = Array.from({ length: KEYS }, (_, n) => turnRecorded(n));
  await log.append(
    turns.map((turn, n) => ({ topic: 'turns' as const, key: '', value: recordWith(turn, sessionKey(n)) })),
  );
  const opened = new Map<string, ReturnType<typeof sessionKey>['sealing']>();
  const seen = { underWay: 0, most: 0, asked: 0 };
  const keys = {
    byId: async (id: string) => {
      const known = opened.get(id);
      if (known) return known;
      seen.asked++;
      seen.most = Math.max(seen.most, ++seen.underWay);
      await new Promise(resolve => setImmediate(resolve));
      seen.underWay--;
      const { sealing } = sessionKey(Number(id.slice('key-'.length)));
      opened.set(id, sealing);
      return sealing;
    },
    destroyKeys: async () => {},
  };
  const decode = makeDecode(keys);
  const prepare = (records: readonly LogRecord[]) => openKeysOf(keys, records);
  const read = await log.read('turns', 0, 0, KEYS);
  const org = turns[0]!.org_id;
  return { log, keys, decode, prepare, seen, org, records: read as [LogRecord, ...LogRecord[]] };
};

it('a step of the projector', async () => {
  const { decode, prepare, records, seen } = await world();
  const step = makeStep({
    log: { append: async () => [] },
    store: { apply: async () => ALL_WRITTEN },
    decode,
    prepare,
    projections: PROJECTIONS as never,
    limits: { inARow: 0, share: 0 },
  });
  await step(records).catch(() => {});
  expect(seen).toMatchObject({ most: KEYS, asked: KEYS });
});

it('a consumer of the shared log', async () => {
  const { keys, decode, records, seen } = await world();
  let handle: Parameters<SharedLog['consume']>[0]['handle'] | undefined;
  const definition = {
    role: 'enricher',
    name: 'enricher',
    group: 'enricher',
    topics: ['turns'],
    counts: '',
    open: async () => ({
      handle: async () => {
        for (const record of records) await decode(record);
        return { append: [], events: KEYS };
      },
    }),
  } as const;
  const consume: SharedLog['consume'] = async given => {
    ({ handle } = given);
    return { rewind: () => {}, close: async () => {} };
  };
  await joinConsumers(definition, {
    keys,
    decode,
    openChat: () => ({}) as never,
    openEmbeddings: () => ({}) as never,
    clock: () => 0,
    report: () => {},
    log: { append: async () => [], consume },
  });
  await handle!(records, new AbortController().signal);
  expect(seen).toMatchObject({ most: KEYS, asked: KEYS });
});

it('an export, of its own organization alone', async () => {
  const { log, decode, prepare, seen, org } = await world();
  const chunks = makeExportChunks({ log, decode, prepare });
  const to = { 'turns/0': KEYS };
  const { lines } = await chunks({ org, from: {}, to, hidden: new Set(), horizon: { now: 0 } });
  // Each turn has its write.
  expect(lines).toHaveLength(2 * KEYS);
  expect(seen).toMatchObject({ most: KEYS, asked: KEYS });
  const others = await world();
  const nobody = makeExportChunks({ log: others.log, decode: others.decode, prepare: others.prepare });
  await nobody({ org: 'nobody', from: {}, to, hidden: new Set(), horizon: { now: 0 } });
  expect(others.seen.asked).toBe(0);
});

it('a verification opens the keys of a page together', async () => {
  const { log, decode, prepare, seen } = await world();
  const projections = { usage: { ...PROJECTIONS.usage, fold: projectUsage } } as never;
  const scope = { projections: ['usage'], whole: true, most: 1_000 } as const;
  const setAside = { refused: new Set<string>(), deadly: new Set<string>() };
  const side = makeLogSide(
    { log, decode, prepare, projections },
    scope,
    { from: 0, to: 1 } as never,
    setAside,
  );
  for await (const _ of side.foldTo({ 'turns/0': KEYS })) expect(side.expected().size).toBeGreaterThan(0);
  expect(seen).toMatchObject({ most: KEYS, asked: KEYS });
});
