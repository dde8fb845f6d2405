import { expect, test } from 'vitest';
import { makeBytesInFlight } from '../../../../../../services/surfaces/http/request/bytes-in-flight.ts';

test('an owner holds at most half, and another one still has its own', () => {
  const bytesOf = makeBytesInFlight(100);
  const [a, a2, b, c] = [bytesOf('a'), bytesOf('a'), bytesOf('b'), bytesOf('c')];
  a.add(30);
  a2.add(20);
  expect(() => a2.add(1)).toThrow(expect.objectContaining({ code: 'unavailable', retryAfter: 1 }));
  b.add(50);
  expect(() => c.add(1)).toThrow('Too many large requests');
  a.release();
  c.add(30);
  expect(() => c.add(1)).toThrow('Too many large requests');
  a2.add(0);
});

test('bytes that were refused are not held, and those that are released are released once', () => {
  const bytesOf = makeBytesInFlight(100);
  const a = bytesOf('a');
  a.add(40);
  expect(() => a.add(11)).toThrow();
  a.release();
  a.release();
  bytesOf('a').add(50);
  bytesOf('b').add(50);
  expect(() => bytesOf('b').add(1)).toThrow();
});
