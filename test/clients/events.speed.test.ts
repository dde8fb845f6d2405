import { expect, it } from 'vitest';
import { makeMessageParser } from '../../clients/typescript/src/transport/server-sent-events.ts';

it('reads a message in a time that grows with its length, in pieces of any size', () => {
  const parse = makeMessageParser();
  const piece = 'x'.repeat(64);
  const began = performance.now();
  parse('data: ');
  for (let i = 0; i < 30_000; i++) parse(piece);
  const [message] = parse('\n\n');
  expect(message!.data).toHaveLength(1_920_000);
  expect(performance.now() - began).toBeLessThan(2_000);
});
