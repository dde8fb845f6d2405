import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type Event, makeDecode, ORIGINAL_OFFSET } from '../../../../core/log/events.ts';
import { packBody, unpackBody } from '../../../../core/log/packed-body.ts';
import { partsOf } from '../../../../core/log/parts.ts';
import type { LogRecord } from '../../../../core/ports.ts';
import { MOST_EVENTS, splitFrame } from '../../../../schemas/events/envelope.ts';
import {
  extracted,
  sessionKey,
  statement,
  turnRecorded,
  writeAccepted,
} from '../../../support/worlds/builders.ts';
import { observationsFrame, turnsFrame } from '../../../support/worlds/frames.ts';

const key = sessionKey();
const decode = makeDecode({
  byId: async id => (id === key.keyId ? key.sealing : undefined),
  destroyKeys: async () => {},
});
const record = (value: Uint8Array, headers: Record<string, string> = {}): LogRecord => ({
  topic: 'turns',
  partition: 3,
  offset: 9,
  value,
  headers: { attempt: 'a1', ...headers },
});
const eventsOf = async (value: Uint8Array, headers?: Record<string, string>): Promise<Event[]> => {
  const decoded = await decode(record(value, headers));
  if (decoded.kind !== 'events') throw new Error(JSON.stringify(decoded));
  return decoded.events;
};

const job_id = writeAccepted(1, []).id;
const turns = Array.from({ length: 4 }, (_, n) => {
  const text = `čaj 茶 🍵 ${n} `.repeat(40 + n);
  const observations = n === 2 ? ['hot'] : [];
  const event = turnRecorded(n, { text, observations, active: n !== 3, tokens: n });
  return { ...event, data: { ...event.data, job_id } };
});
const write = writeAccepted(1, turns);
const addressed = (event: Event, index: number) => ({
  ...event,
  userKeyId: key.userKeyId,
  topic: 'turns',
  partition: 3,
  offset: 9,
  index,
  attempt: 'a1',
});

describe('a record of several events', () => {
  it('tells of whom it is, and what is counted of it, when its key is destroyed', async () => {
    const gone = makeDecode({ byId: async () => undefined, destroyKeys: async () => {} });
    const fact = { subject: 'The user', attribute: 'home', value: 'Lyon' };
    const said = statement(1, { text: 'Ada lives in Lyon.', fact });
    const found = extracted(2, turns[0]!, {
      observations: [{ text: 'a', fact }, { text: 'b', fact }, { text: 'c' }],
    });
    const told = async (value: Uint8Array) => {
      const decoded = await gone(record(value));
      if (decoded.kind !== 'erased') throw new Error('it is not');
      return decoded.events.map(({ userKeyId, facts, stated }) => ({ userKeyId, facts, stated }));
    };
    const { userKeyId } = key;
    expect(await told(turnsFrame(write, [turns[0]!, said]))).toEqual([
      { userKeyId },
      { userKeyId },
      { userKeyId, facts: 1, stated: true },
    ]);
    expect(await told(observationsFrame([found]))).toEqual([{ userKeyId, facts: 2 }]);
  });

  it('is read as its events, each at its address', async () => {
    const late = { ...turns[1]!, recorded_at: '2026-03-09T23:59:59.999Z' };
    const all = [write, turns[0]!, late, turns[2]!, turns[3]!];
    expect(await eventsOf(turnsFrame(write, all.slice(1) as typeof turns))).toEqual(all.map(addressed));
    const some = turns.slice(0, 2);
    expect((await eventsOf(turnsFrame(write, some))).map(({ data }) => data)).toEqual(
      [write, ...some].map(({ data }) => data),
    );
    const found = [
      extracted(1, turns[0]!, { observations: [{ text: 'Tea is hot' }] }),
      extracted(2, turns[1]!, { entities: [{ label: 'Lisbon', kind: 'place' }] }),
    ] as const;
    expect(await eventsOf(observationsFrame(found))).toEqual(
      found.map((event, i) => ({ ...addressed(event, i), tokens: undefined })),
    );
  });

  it("shows ids, tokens and instants, and nothing of people's words", async () => {
    const secret = turnRecorded(1, { text: 'a secret', role: 'Ada', user: 'grace', session: 'garden' });
    const text = Buffer.from(turnsFrame(writeAccepted(1, [], secret.data as never), [secret])).toString();
    for (const word of ['secret', 'Ada', 'grace', 'garden']) expect(text).not.toContain(word);
    expect(text).toContain(`"id":"${secret.id}","tokens":7`);
  });

  it('says after its key is destroyed what it bills, and no more', async () => {
    const gone = await decode(record(turnsFrame(write, turns, { ...key, keyId: 'destroyed' })));
    expect(gone.kind).toBe('erased');
    if (gone.kind !== 'erased') return;
    expect(gone.events.map(({ id, tokens, data }) => [id, tokens, data])).toEqual([
      [write.id, undefined, undefined],
      ...turns.map(({ id, tokens }) => [id, tokens, undefined]),
    ]);
  });

  it('is poison, with a reason that holds nothing of it, when any byte is another or missing', async () => {
    const frame = turnsFrame(write, turns);
    const { head } = splitFrame(frame);
    const swapped = (from: string, to: string): Uint8Array =>
      Buffer.from(Buffer.from(frame).toString('latin1').replace(from, to), 'latin1');
    const cases: [Uint8Array, string][] = [
      [frame.subarray(0, 3), 'parse'],
      [frame.subarray(0, head.length - 1), 'parse'],
      [frame.subarray(0, frame.length - 1), 'open'],
      [swapped(turns[0]!.id, turns[1]!.id), 'open'],
      [swapped('"org_id":"acme"', '"org_id":"acne"'), 'open'],
      [swapped('"tokens":3', '"tokens":4'), 'open'],
      [swapped('"turns.recorded"', '"turns.Recorded"'), 'validate'],
      [swapped('"turns.recorded"', '"write.accepted"'), 'validate'],
      [swapped('"version":1', '"version":9'), 'validate'],
      [swapped(',"tokens":3', ',"tokenz":3'), 'validate'],
    ];
    for (const [value, step] of cases) {
      const poison = await decode(record(value));
      expect(poison).toMatchObject({ kind: 'poison', step });
      expect(JSON.stringify(poison)).not.toContain('čaj');
    }
    const byte = Buffer.from(frame);
    byte[byte.length - 20]! ^= 1;
    expect(await decode(record(byte))).toMatchObject({ kind: 'poison', step: 'open' });
  });

  it('gives only the event that a copy was requeued for, at the address of the first', async () => {
    const one = await eventsOf(turnsFrame(write, turns), { [ORIGINAL_OFFSET]: '4/2' });
    expect(one).toMatchObject([{ id: turns[1]!.id, offset: 4, index: 2, readAt: 9 }]);
    expect(await eventsOf(turnsFrame(write, turns), { [ORIGINAL_OFFSET]: '4' })).toHaveLength(5);
    // An address that isn't before the record.
    expect(await eventsOf(turnsFrame(write, turns), { [ORIGINAL_OFFSET]: '9/2' })).toHaveLength(5);
  });
});

describe('the body of a record', () => {
  it('is compressed where that is worth it, and grows when it is read by eight at most', () => {
    const small = { text: 'short' };
    const usual = { texts: turns.map((_, n) => turnRecorded(n * 97).data), more: crypto.randomUUID() };
    const bomb = { text: 'a'.repeat(1_000_000) };
    // About an eighth: what fills up the last bytes has a head of its own.
    const said = randomBytes(105).toString('base64');
    const edges = Array.from({ length: 40 }, (_, n) => ({ text: said + 'a'.repeat(900 + 10 * n) }));
    for (const body of [small, usual, bomb, ...edges]) {
      const packed = packBody(body);
      expect(unpackBody(packed)).toEqual(body);
      expect(packed.length * 8).toBeGreaterThan(JSON.stringify(body).length);
    }
    expect(packBody(bomb).length * 7).toBeLessThan(1_000_000);
    expect(packBody(usual).length).toBeLessThan(JSON.stringify(usual).length);
    expect(() => unpackBody(Buffer.of(7, 1))).toThrow(SyntaxError);
  });
});

describe('the parts of a write', () => {
  const bytesOf = (items: readonly object[]) => Buffer.byteLength(JSON.stringify(items));

  it('hold 256 KiB, or one event that has more', () => {
    const items = [10, 100_000, 150_000, 20_000, 900_000, 10].map(n => ({ text: 'x'.repeat(n) }));
    const parts = [...partsOf(items)];
    expect(parts.flat()).toEqual(items);
    expect(parts.map(({ length }) => length)).toEqual([3, 1, 1, 1]);
    for (const part of parts) if (part.length > 1) expect(bytesOf(part)).toBeLessThanOrEqual(256 * 1024);
    // The bytes that are in every part are counted.
    expect([...partsOf(items, 100_000)].map(({ length }) => length)).toEqual([2, 1, 1, 1, 1]);
  });

  it('hold no more events than a record may have', () => {
    const parts = [...partsOf(Array.from({ length: 1_000 }, (_, n) => ({ n })))];
    expect(parts.map(({ length }) => length)).toEqual([255, 255, 255, 235]);
    expect(Math.max(...parts.map(({ length }) => length)) + 1).toBeLessThanOrEqual(MOST_EVENTS);
  });
});
