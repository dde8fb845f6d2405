import { expect, it } from 'vitest';
import { keyOf, packFragment, unpackFragment } from '../../../../../infra/cluster/elasticsearch/fragment.ts';
import { placeOf } from '../../../../../schemas/events/place.ts';

const LAST = 2 ** 28 - 1;

it('numbers the last event of a full partition before the first one of the next', () => {
  const last = keyOf({ partition: 3, offset: placeOf({ offset: LAST, index: 255 }), part: 127 });
  expect(keyOf({ partition: 4, offset: 0, part: 0 })).toBe(last + 1);
});

it('refuses a record beyond a full partition, whose number would be one of the next, and not what is stored of it', () => {
  const place = { partition: 3, offset: LAST + 1, part: 0 };
  expect(() => keyOf(place)).toThrow('partition 3 of turns has more than 268435456 records');
  const fragment = { id: 'trn_1', kind: 'turn', user: 'ada', session: 's1', role: 'user', text: '' } as const;
  const packed = packFragment({ ...fragment, timestamp: 0 }, place, 1, new Uint8Array());
  expect(() => unpackFragment(packed)).toThrow(RangeError);
});
