import { expect, test } from 'vitest';
import { jsonSize } from '../../../../../../services/surfaces/http/request/json-size.ts';

const sizeOf = (text: string) => jsonSize(Buffer.from(text));

const valuesOf = (value: unknown): number =>
  typeof value === 'object' && value !== null
    ? 1 + Object.values(value).reduce<number>((sum, inner) => sum + valuesOf(inner), 0)
    : 1;

test.each([
  ['1'],
  ['"a,b[{"'],
  ['[]'],
  ['[1,2,[3,{}],"x"]'],
  ['{"a":1,"b":{"c":[null,true]},"d":"\\"]}\\\\"}'],
  [JSON.stringify({ text: 'quotes " and \\ slashes, ends with \\', more: ['\\"', '\\\\', '"'] })],
  [JSON.stringify({ long: 'a,b[{'.repeat(400), next: [1, 2] })],
  [JSON.stringify({ long: `${'a,[{'.repeat(400)}"${',{'.repeat(40)}\\`, next: [1, 2] })],
  [JSON.stringify({ ключ: ['言葉', '😀,😀'] })],
])('counts at least the values of %s, and not three times as many', text => {
  const { values, isClosed } = sizeOf(text);
  const exact = valuesOf(JSON.parse(text));
  expect(isClosed).toBe(true);
  expect(values).toBeGreaterThanOrEqual(exact);
  expect(values).toBeLessThanOrEqual(2 * exact + 1);
});

test.each([['['], ['{"a":[1}'], ['"a'], ['"a\\"'], ['[1,2'], [']'], ['{"a":"b}']])(
  '%s has no end, and is no JSON',
  text => {
    expect(() => JSON.parse(text)).toThrow();
    expect(sizeOf(text).isClosed).toBe(false);
  },
);

test('the largest valid body has fewer values than are allowed', () => {
  const observation = {
    text: 'a',
    subject: 'b',
    attribute: 'c',
    value: 'd',
    valid_from: '2026-01-01',
    ended: true,
  };
  const turn = {
    role: 'u',
    text: 'a',
    timestamp: '2026-01-01T00:00:00Z',
    observations: Array(64).fill(observation),
  };
  expect(
    sizeOf(JSON.stringify({ scope: { org_id: 'a' }, turns: Array(1_000).fill(turn) })).values,
  ).toBeLessThan(500_000);
});
