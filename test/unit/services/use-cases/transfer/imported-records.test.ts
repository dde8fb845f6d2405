import { describe, expect, it } from 'vitest';
import { makeDecode } from '../../../../../core/log/events.ts';
import type { NewRecord } from '../../../../../core/ports.ts';
import type { ImportedEvent } from '../../../../../services/use-cases/transfer/group-records.ts';
import { makeImportedRecords } from '../../../../../services/use-cases/transfer/imported-records.ts';
import { ENRICHED } from '../../../../../services/workers/enricher/enrich.ts';
import {
  extracted,
  recallMetered,
  sessionKey,
  turnRecorded,
  writeAccepted,
} from '../../../../support/worlds/builders.ts';

const key = sessionKey();
const decode = makeDecode({ byId: async () => key.sealing, destroyKeys: async () => {} });

const job_id = `job_${'a'.repeat(32)}`;
const turns = [0, 1, 2, 3].map(n => {
  const event = turnRecorded(n, { tokens: n + 1, active: n !== 1, observations: n === 2 ? ['hot'] : [] });
  return {
    ...event,
    correlation_id: 'c',
    recorded_at: '2026-03-02T10:00:00.000Z',
    data: { ...event.data, job_id },
  };
});
const write = {
  ...writeAccepted(1, turns),
  id: job_id,
  correlation_id: 'c',
  recorded_at: '2026-03-02T10:00:00.000Z',
};
write.data = { ...write.data, job_id };

const imported = (event: object, changes: Partial<ImportedEvent> = {}): ImportedEvent => ({
  ...(event as ImportedEvent),
  key,
  has: {},
  isKnown: false,
  ...changes,
});

const recordsOf = async (events: readonly ImportedEvent[]): Promise<NewRecord[]> => {
  const { take, rest } = makeImportedRecords('acme');
  const records: NewRecord[] = [];
  for (const event of events) records.push(...(await take(event)));
  return [...records, ...(await rest())];
};

const eventsIn = async ({ topic, value, headers = {} }: NewRecord) => {
  const decoded = await decode({ topic, partition: 0, offset: 0, value, headers });
  if (decoded.kind !== 'events') throw new Error(JSON.stringify(decoded));
  return decoded.events.map(({ type, id, tokens, recorded_at, data }) => ({
    type,
    id,
    tokens,
    recorded_at,
    data,
  }));
};
const told = ({
  type,
  id,
  tokens,
  recorded_at,
  data,
}: Omit<Partial<ImportedEvent>, 'type'> & { type: string }) => ({
  type,
  id,
  tokens,
  recorded_at,
  data,
});

describe('imported records', () => {
  it('have a write and its turns in one, as they were', async () => {
    const late = { ...turns[1]!, recorded_at: '2026-03-09T23:59:59.999Z' };
    const events = [write, turns[0]!, late, turns[2]!, turns[3]!];
    const [record, ...others] = await recordsOf(events.map(event => imported(event)));
    expect(others).toEqual([]);
    expect(await eventsIn(record!)).toEqual(events.map(told));
    expect(record).toMatchObject({ topic: 'turns', headers: { correlation_id: 'c' } });
    expect(record!.headers).not.toHaveProperty('attempt');
  });

  it('have the turns apart whose facts are in the file, in their order', async () => {
    const records = await recordsOf([
      imported(write),
      ...turns.map((event, n) => imported(event, { has: n === 1 ? {} : { enriched: 'imported' } })),
    ]);
    const found = await Promise.all(
      records.map(async record => [record.headers![ENRICHED], (await eventsIn(record)).map(({ id }) => id)]),
    );
    expect(found).toEqual([
      ['imported', [job_id, turns[0]!.id]],
      [undefined, [job_id, turns[1]!.id]],
      ['imported', [job_id, turns[2]!.id, turns[3]!.id]],
    ]);
  });

  it('lack what the log has already', async () => {
    const [record] = await recordsOf([
      imported(write, { isKnown: true }),
      ...turns.map((event, n) => imported(event, { isKnown: n < 3 })),
    ]);
    expect((await eventsIn(record!)).map(({ id }) => id)).toEqual([job_id, turns[3]!.id]);
    expect(await recordsOf([write, ...turns].map(event => imported(event, { isKnown: true })))).toEqual([]);
  });

  it('have in one what was extracted from turns of one session', async () => {
    const facts = turns.map((event, n) => ({
      ...extracted(n, event, { observations: [{ text: `fact ${n}` }] }),
      correlation_id: 'c',
      recorded_at: `2026-03-02T10:00:0${n}.000Z`,
    }));
    const other = { ...facts[3]!, data: { ...facts[3]!.data, extractor: 'rules-2' } };
    const records = await recordsOf([...facts.slice(0, 3), other].map(event => imported(event)));
    expect(await Promise.all(records.map(eventsIn))).toEqual([facts.slice(0, 3).map(told), [told(other)]]);
    expect(records.map(({ topic }) => topic)).toEqual(['observations', 'observations']);
    const [rest] = await recordsOf(facts.map((event, n) => imported(event, { isKnown: n !== 2 })));
    expect(await eventsIn(rest!)).toEqual([told(facts[2]!)]);
  });

  it('are one of its own for any other event, with a write for a turn that follows none, in the order of the file', async () => {
    const facts = extracted(1, turns[0]!);
    const recall = recallMetered(1);
    const elsewhere = { ...turns[1]!, data: { ...turns[1]!.data, session_id: 'another' } };
    const records = await recordsOf([
      imported(write),
      imported(facts),
      imported(turns[0]!),
      imported(elsewhere),
      imported(recall, { key: undefined }),
    ]);
    expect(records.map(({ topic }) => topic)).toEqual(['turns', 'observations', 'turns', 'turns', 'usage']);
    const made = await Promise.all(records.map(eventsIn));
    const ids = made.map(events => events.map(({ id }) => id));
    expect(ids).toEqual([[job_id], [facts.id], [job_id, turns[0]!.id], [job_id, elsewhere.id], [recall.id]]);
    expect(made[0]).toEqual([told(write)]);
    const ofOne = { ...write, data: { ...write.data, turn_ids: [turns[0]!.id] } };
    expect(made[2]).toEqual([told(ofOne), told(turns[0]!)]);
    expect(made[3]![1]).toEqual(told(elsewhere));
  });

  it('are made before a write fills the memory', async () => {
    const { take, rest } = makeImportedRecords('acme');
    const large = turns.map(event => ({ ...event, data: { ...event.data, text: 'x'.repeat(600_000) } }));
    const counts: number[] = [];
    for (const event of [write, ...large]) counts.push((await take(imported(event))).length);
    expect(counts).toEqual([0, 0, 2, 0, 2]);
    expect(await rest()).toEqual([]);
  });
});
