import { expect, test } from 'vitest';
import { makeEventReader } from '../../../console/src/api/events.ts';

const STREAM =
  'retry: 1000\n:\nid: a\n\nid: b\nevent: turn\ndata: {"kind":"turn","text":"one: two"}\n\n:\nid: c\n\nid: d\nevent: turn\nda';

test.each([1, 3, 1_000])('events are read from pieces of %i characters', size => {
  const read = makeEventReader();
  const messages = [];
  for (let at = 0; at < STREAM.length; at += size) messages.push(...read(STREAM.slice(at, at + size)));
  expect(messages).toEqual([
    { id: 'a', data: '' },
    { id: 'b', data: '{"kind":"turn","text":"one: two"}' },
    { id: 'c', data: '' },
  ]);
});
