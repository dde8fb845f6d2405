import { createHmac, createSecretKey } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { hmacOf } from '../../../../domain/identity/hmac.ts';

const keys = fc.uint8Array({ minLength: 1, maxLength: 130 });
/** Also lone surrogates, and texts of more bytes than most turns have. */
const texts = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc
    .array(fc.constantFrom('\ud800', '\udfff', 'é', '한', 'a', '😀'), { maxLength: 200 })
    .map(all => all.join('')),
  fc
    .tuple(fc.string({ minLength: 1 }), fc.integer({ min: 300, max: 3_000 }))
    .map(([one, times]) => one.repeat(times)),
);

it('equals createHmac for any key and text, also when a key is used again', () => {
  fc.assert(
    fc.property(keys, fc.array(texts, { minLength: 1, maxLength: 4 }), (bytes, all) => {
      const key = createSecretKey(bytes);
      for (const text of all)
        expect(hmacOf(key, text)).toEqual(createHmac('sha256', key).update(text).digest('hex'));
    }),
  );
});

it('equals the test cases of RFC 4231', () => {
  const cases = [
    [Buffer.alloc(20, 0x0b), 'Hi There', 'b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7'],
    [
      Buffer.from('Jefe'),
      'what do ya want for nothing?',
      '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
    ],
    [
      Buffer.alloc(131, 0xaa),
      'Test Using Larger Than Block-Size Key - Hash Key First',
      '60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54',
    ],
  ] as const;
  for (const [key, text, digest] of cases) expect(hmacOf(createSecretKey(key), text)).toBe(digest);
});
