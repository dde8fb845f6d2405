import { createSecretKey, type KeyObject } from 'node:crypto';
import { expect, it } from 'vitest';
import { makeCursorSeal } from '../../../core/sealed-cursors.ts';

const keyOf = (n: number): KeyObject => createSecretKey(Buffer.alloc(32, n));
const sealOf = (...keys: KeyObject[]) => makeCursorSeal({ read: () => keys });
const [first, second] = [keyOf(1), keyOf(2)];

const cursor = Buffer.from(JSON.stringify([1, 'turns asc', 'ada', 'monday', 1042])).toString('base64url');

it('opens what it has sealed, and seals the same to the same', () => {
  const seal = sealOf(first);
  for (const text of [cursor, '', 'AA', 'A'.repeat(10_000)])
    expect(seal.open(seal.seal(text, 'acme'), 'acme')).toBe(text);
  expect(seal.seal(cursor, 'acme')).toBe(seal.seal(cursor, 'acme'));
});

it('shows nothing of a cursor but its length', () => {
  const sealed = Buffer.from(sealOf(first).seal(cursor, 'acme'), 'base64url');
  expect(sealed.toString('latin1')).not.toMatch(/turns|ada|1042/);
  // Two that differ in one digit have no block in common.
  const other = Buffer.from(cursor, 'base64url').toString().replace('1042', '1043');
  const sealedOther = Buffer.from(
    sealOf(first).seal(Buffer.from(other).toString('base64url'), 'acme'),
    'base64url',
  );
  const same = [...sealed].filter((byte, i) => byte === sealedOther[i]).length;
  expect(same).toBeLessThan(sealed.length / 4);
});

it("opens no other organization's, none that was changed, and none that was made elsewhere", () => {
  const seal = sealOf(first);
  const sealed = seal.seal(cursor, 'acme');
  expect(seal.open(sealed, 'acm')).toBeUndefined();
  expect(sealOf(second).open(sealed, 'acme')).toBeUndefined();
  for (const text of [cursor, '', '?', 'now', `${sealed}AA`, sealed.slice(0, -2), 'A'.repeat(200_000)])
    expect(seal.open(text, 'acme'), text.slice(0, 40)).toBeUndefined();
  for (const at of [0, 10, 30, sealed.length - 3]) {
    const changed = sealed.slice(0, at) + (sealed[at] === 'A' ? 'B' : 'A') + sealed.slice(at + 1);
    expect(seal.open(changed, 'acme'), `changed at ${at}`).toBeUndefined();
  }
});

it('takes no end of an organization’s name for the beginning of a cursor', () => {
  const seal = sealOf(first);
  const vectorOf = (plain: string, org: string): string =>
    seal.seal(Buffer.from(plain).toString('base64url'), org).slice(0, 21);
  expect(vectorOf('[1042]', 'acme')).toBe(vectorOf('[1042]', 'acme'));
  expect(vectorOf('[1042]', 'acme')).not.toBe(vectorOf('e[1042]', 'acm'));
  expect(vectorOf('[1042]', 'acme 1')).not.toBe(vectorOf(' 1[1042]', 'acme'));
});

it('opens those of before a rotation until the key is retired', () => {
  const sealed = sealOf(first).seal(cursor, 'acme');
  const rotated = sealOf(second, first);
  expect(rotated.open(sealed, 'acme')).toBe(cursor);
  expect(rotated.seal(cursor, 'acme')).toBe(sealOf(second).seal(cursor, 'acme'));
  expect(sealOf(second).open(sealed, 'acme')).toBeUndefined();
});
