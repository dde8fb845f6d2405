import { describe, expect, it } from 'vitest';
import { encodeEvent } from '../../../../core/log/encode.ts';
import { type Decoded, makeDecode } from '../../../../core/log/events.ts';
import type { LogRecord } from '../../../../core/ports.ts';
import { recallMetered, sessionKey, sessionTitled } from '../../../support/worlds/builders.ts';

const key = sessionKey();
const decode = makeDecode({
  byId: async id => (id === key.keyId ? key.sealing : undefined),
  destroyKeys: async () => {},
});
const record = (value: Uint8Array): LogRecord => ({
  topic: 'turns',
  partition: 3,
  offset: 9,
  value,
  headers: {},
});
const changed = (value: Uint8Array, changes: object): Promise<Decoded> =>
  decode(
    record(
      new TextEncoder().encode(JSON.stringify({ ...JSON.parse(Buffer.from(value).toString()), ...changes })),
    ),
  );

describe('an event in the log', () => {
  it('is read as it was written, with its address', async () => {
    for (const event of [sessionTitled(1, 'čaj 茶 🍵'), recallMetered(1)]) {
      const { topic: _, partition: __, offset: ___, version, ...written } = event;
      const bytes = encodeEvent(written, event.type === 'session.titled' ? key : undefined);
      const decoded = await decode(record(bytes));
      expect(decoded).toEqual({
        kind: 'events',
        events: [{ ...written, version, topic: 'turns', partition: 3, offset: 9 }],
      });
    }
  });

  it("shows nothing of people's words", () => {
    const bytes = Buffer.from(
      encodeEvent(sessionTitled(1, 'a secret', { user: 'grace', session: 'garden' }), key),
    ).toString();
    for (const word of ['secret', 'grace', 'garden']) expect(bytes).not.toContain(word);
  });

  it('is bound to its id, its type and its organization', async () => {
    const sealed = encodeEvent(sessionTitled(1, 'Soup'), key);
    const swaps = [{ id: sessionTitled(2, 'Soup').id }, { org_id: 'other' }, { type: 'entity.corrected' }];
    for (const swap of swaps)
      expect(await changed(sealed, swap)).toMatchObject({ kind: 'poison', step: 'open' });
  });

  it('is gone when its key is, and that is no fault', async () => {
    const title = sessionTitled(1, 'Soup');
    const erased = encodeEvent(title, { ...key, keyId: 'destroyed' });
    const { id, org_id, recorded_at } = title;
    expect(await decode(record(erased))).toMatchObject({
      kind: 'erased',
      events: [
        {
          id,
          org_id,
          recorded_at,
          type: 'session.titled',
          keyId: 'destroyed',
          data: undefined,
        },
      ],
    });
  });

  it('is poison when it is anything else, with a reason that holds nothing of it', async () => {
    const plain = encodeEvent(recallMetered(1));
    const cases: [Promise<Decoded>, string][] = [
      [decode(record(new TextEncoder().encode('{"secret": '))), 'parse'],
      [decode(record(Uint8Array.from([0xff]))), 'parse'],
      [decode(record(new TextEncoder().encode('null'))), 'validate'],
      [changed(plain, { type: 'secret.type' }), 'validate'],
      [changed(plain, { type: 'constructor' }), 'validate'],
      [changed(plain, { version: 99 }), 'validate'],
      [changed(plain, { version: 0 }), 'validate'],
      [changed(plain, { recorded_at: 'yesterday' }), 'validate'],
      [changed(plain, { data: { user_id: 'secret', tokens_in: 1.5, tokens_out: 0 } }), 'validate'],
      [changed(plain, { key_id: key.keyId }), 'validate'],
      [changed(encodeEvent(sessionTitled(1, 'secret'), key), { key_id: null }), 'validate'],
      // An event of a frame is no record of its own.
      [changed(encodeEvent(sessionTitled(1, 'secret'), key), { type: 'turn.recorded' }), 'validate'],
    ];
    for (const [decoded, step] of cases) {
      const poison = await decoded;
      expect(poison).toMatchObject({ kind: 'poison', step });
      expect(JSON.stringify(poison)).not.toContain('secret');
    }
  });
});

it('destroys the keys that an end of a session names as former ones, which need be told to nobody', async () => {
  const destroyed: unknown[] = [];
  const keys = {
    byId: async () => undefined,
    destroyKeys: async (...call: unknown[]) => void destroyed.push(call),
  };
  const digest = '0'.repeat(32);
  const value = encodeEvent({
    id: `exp_${digest}/0`,
    type: 'memory.expired',
    org_id: 'acme',
    recorded_at: '2026-03-10T08:00:00.000Z',
    correlation_id: 'c',
    data: { owner: digest, session: digest, key_ids: ['key-1'], before: 1, turn_ids: [] },
  });
  const record = { topic: 'turns' as const, partition: 0, offset: 1, value, headers: {} };
  expect(await makeDecode(keys)(record as never)).toMatchObject({ kind: 'events' });
  expect(destroyed).toEqual([[['key-1'], 'former']]);
});
