import { createSecretKey } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { open, seal } from '../../../../../core/log/keys/sealing.ts';

const key = createSecretKey(Buffer.alloc(32, 1));
const other = createSecretKey(Buffer.alloc(32, 2));

describe('sealing', () => {
  it('opens what it sealed, of any length and in any script', () => {
    for (const text of ['', 'a', 'čaj 茶 🍵', 'x'.repeat(100_000)]) {
      expect(open(key, seal(key, text, 'about'), 'about').toString()).toBe(text);
      expect(open(key, seal(key, Buffer.from(text), 'about'), 'about').toString()).toBe(text);
    }
  });

  it('opens nothing under another key, for another event, or with any bit changed', () => {
    const sealed = seal(key, 'a secret', 'turn.recorded\ntrn_1\nacme');
    expect(() => open(other, sealed, 'turn.recorded\ntrn_1\nacme')).toThrow();
    expect(() => open(key, sealed, 'turn.recorded\ntrn_1\nother')).toThrow();
    for (let at = 0; at < sealed.length; at++) {
      const changed = Buffer.from(sealed);
      changed[at]! ^= 1;
      expect(() => open(key, changed, 'turn.recorded\ntrn_1\nacme')).toThrow();
      expect(() => open(key, sealed.subarray(0, at), 'turn.recorded\ntrn_1\nacme')).toThrow();
    }
  });

  it('never uses a nonce twice, and shows nothing of the text', () => {
    const sealed = Array.from({ length: 5_000 }, () => seal(key, 'the same words', 'about'));
    expect(new Set(sealed.map(each => each.toString('hex', 0, 12))).size).toBe(5_000);
    expect(sealed.some(each => each.includes('words'))).toBe(false);
  });
});
