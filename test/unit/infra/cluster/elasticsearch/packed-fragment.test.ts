import { expect, it } from 'vitest';
import { packFragment, unpackFragment } from '../../../../../infra/cluster/elasticsearch/packed-fragment.ts';
import { eventOffsetOf } from '../../../../../schemas/events/event-offset.ts';

const fragment = {
  id: 'trn_1',
  kind: 'turn',
  user: 'ada',
  session: 's1',
  role: 'user',
  text: 'hello',
  timestamp: 7,
} as const;
const DOCUMENT = new Uint8Array([1, 2, 3, 4]);

it.each([
  ['first', { partition: 0, offset: 0, part: 0 }],
  ['last', { partition: 999, offset: eventOffsetOf({ offset: 2 ** 36 - 1, index: 255 }), part: 127 }],
  ['beyond 2^28', { partition: 11, offset: eventOffsetOf({ offset: 2 ** 28, index: 3 }), part: 1 }],
])('keeps the address of the %s that an index can store', (_, address) => {
  const unpacked = unpackFragment(packFragment(fragment, address, 5, DOCUMENT));
  expect(unpacked).toMatchObject({ fragment, address, sessionKey: 5 });
  expect([...unpacked.document]).toEqual([...DOCUMENT]);
});

it('keeps that a fragment has no address', () => {
  expect(unpackFragment(packFragment(fragment, undefined, 5, DOCUMENT)).address).toBeUndefined();
});

it('reads what was stored when a record held one event', () => {
  const json = Buffer.from(JSON.stringify({ ...fragment, key: (3 * 2 ** 36 + 42) * 128 + 2, sessionKey: 5 }));
  const bytes = Buffer.concat([Buffer.from([4, 0, 0, 0]), DOCUMENT, json]);
  expect(unpackFragment(bytes.toString('base64'))).toMatchObject({
    fragment,
    address: { partition: 3, offset: 42, part: 2 },
  });
});
