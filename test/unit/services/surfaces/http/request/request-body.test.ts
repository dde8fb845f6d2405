import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import {
  arrivedBody,
  ClientGone,
  KNOWN_BODY,
  readBody,
} from '../../../../../../services/surfaces/http/request/request-body.ts';

const NOT_HELD = { add: () => {} };

/** A request of which so much has arrived. */
const requestOf = (text: string, { announced = text.length, type = 'application/json' } = {}) => {
  const stream = new PassThrough();
  stream.write(text);
  const complete = text.length === announced;
  if (complete) stream.end();
  const headers = { 'content-length': String(announced), 'content-type': type };
  return Object.assign(stream, { complete, headers }) as unknown as IncomingMessage & PassThrough;
};

it('gives a body that has arrived whole at once, and counts its bytes', () => {
  let held = 0;
  const body = arrivedBody(requestOf('{"q":"a"}'), KNOWN_BODY, { add: bytes => (held += bytes) });
  expect(body?.toString()).toBe('{"q":"a"}');
  expect(held).toBe(9);
});

it('gives nothing at once of a body that has arrived in part, or is none', async () => {
  const slow = requestOf('{"q":', { announced: 9 });
  expect(arrivedBody(slow, KNOWN_BODY, NOT_HELD)).toBeUndefined();
  expect(arrivedBody(requestOf(''), KNOWN_BODY, NOT_HELD)).toBeUndefined();
  const read = readBody(slow, KNOWN_BODY, NOT_HELD);
  slow.end('"a"}');
  expect((await read).toString()).toBe('{"q":"a"}');
});

it('refuses a body that has arrived as it refuses one that has not', () => {
  const plain = requestOf('{}', { type: 'text/plain' });
  expect(() => arrivedBody(plain, KNOWN_BODY, NOT_HELD)).toThrow(
    expect.objectContaining({ code: 'unsupported_media_type' }),
  );
  expect(() => arrivedBody(requestOf('{}'), { mostBytes: 1 }, NOT_HELD)).toThrow(
    expect.objectContaining({ code: 'too_large' }),
  );
});

it('waits for no body of a client that was gone before', async () => {
  const gone = requestOf('{"q":', { announced: 9 });
  await once(gone.destroy(), 'close');
  await expect(readBody(gone, KNOWN_BODY, NOT_HELD)).rejects.toBeInstanceOf(ClientGone);
});
