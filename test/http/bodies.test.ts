import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Reply, startApp, type TestApp } from '../support/http/app.ts';
import { expectRefusal } from '../support/http/refusal.ts';
import { untilDefined } from '../support/wait.ts';

const LIMIT = 4 * 1024 * 1024;

const turn = { role: 'user', text: 'hello', timestamp: '2026-01-31T10:00:00Z' };
const ingest = { scope: { org_id: 'acme' }, turns: [turn] };
const recall = { scope: { org_id: 'acme' }, q: 'where?' };

/** A valid body of 4 MiB. */
const largest = (): string => {
  const empty = JSON.stringify({ ...ingest, pad: '' });
  return JSON.stringify({ ...ingest, pad: 'x'.repeat(LIMIT - empty.length) });
};

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

describe('a body', () => {
  const faults = (reply: Reply): [string, string][] =>
    reply.json.details.errors.map(({ loc, type }: { loc: string[]; type: string }) => [loc.join('.'), type]);

  test.each([
    ['empty', '', 'json'],
    ['blank', '  ', 'json'],
    ['broken', '{"scope":', 'json'],
    ['with a comma too many', '{"q":"a",}', 'json'],
    ['of words', 'hello', 'json'],
    ['of NaN', 'NaN', 'json'],
    ['two of them', '{}{}', 'json'],
    ['with a raw newline in a string', '{"q":"a\nb"}', 'json'],
    ['cut within a character', new Uint8Array([...Buffer.from('{"q":"'), 0xf0, 0x9f, 0x22, 0x7d]), 'utf8'],
    ['of Latin-1', Buffer.from('{"q":"é"}', 'latin1'), 'utf8'],
    ['of UTF-16', Buffer.from('{"q":"e"}', 'utf16le'), 'json'],
    ['with an encoded surrogate', new Uint8Array([0x22, 0xed, 0xa0, 0x80, 0x22]), 'utf8'],
    ['deeply nested and open', '['.repeat(LIMIT), 'json'],
  ])('%s is a 400', async (_what, body, type) => {
    const reply = await app.call('POST', '/recall', { body });
    expectRefusal(reply, 400);
    expect(faults(reply)).toEqual([['body', type]]);
    expect(reply.text).not.toContain('hello');
  });

  test('that is none is a 400 too', async () => {
    expectRefusal(await app.call('POST', '/recall'), 400);
  });

  test.each([
    ['deeply nested', '['.repeat(LIMIT / 2) + ']'.repeat(LIMIT / 2), 422],
    ['nested less deeply', '['.repeat(200_000) + ']'.repeat(200_000), 400],
    ['deeply nested where nobody looks', `{"x":${'['.repeat(2_000_000)}${']'.repeat(2_000_000)}}`, 422],
    [
      'with deeply nested metadata',
      `${JSON.stringify(ingest).slice(0, -1)},"metadata":{"a":${'['.repeat(2_000_000)}${']'.repeat(2_000_000)}}}`,
      422,
    ],
    [
      'of objects in objects',
      `${JSON.stringify(ingest).slice(0, -1)},"metadata":${'{"a":'.repeat(600_000)}1${'}'.repeat(600_000)}}`,
      422,
    ],
  ])('%s is refused', async (_what, body, status) => {
    expectRefusal(await app.call('POST', '/ingestion/memory', { body }), status);
  });

  test('with faults of form and of value lists them all as a 400', async () => {
    const reply = await app.call('POST', '/ingestion/memory', {
      body: { scope: { org_id: '' }, turns: [{ role: 'u', timestamp: 'soon' }] },
    });
    expectRefusal(reply, 400);
    expect(faults(reply)).toEqual(
      expect.arrayContaining([
        ['body.scope.org_id', 'too_short'],
        ['body.turns.0.text', 'missing'],
        ['body.turns.0.timestamp', 'timestamp'],
      ]),
    );
  });

  test('with faults of value alone is a 422', async () => {
    const reply = await app.call('POST', '/recall', { body: { ...recall, top_k: 51 } });
    expectRefusal(reply, 422);
    expect(reply.json.details).toEqual({
      errors: [{ loc: ['body', 'top_k'], type: 'out_of_range', message: 'must be at most 50' }],
    });
  });

  test('may begin with a byte order mark and name a member twice: the last one counts', async () => {
    const body = `\ufeff{"scope":{"org_id":""},"scope":{"org_id":"a"},"turns":${JSON.stringify([turn])}}`;
    expect((await app.call('POST', '/ingestion/memory', { body })).status).toBe(202);
  });

  test('of 4 MiB is taken, one byte more is a 413', async () => {
    const body = largest();
    expect(Buffer.byteLength(body)).toBe(LIMIT);
    expect((await app.call('POST', '/ingestion/memory', { body })).status).toBe(202);
    expectRefusal(await app.call('POST', '/ingestion/memory', { body: `${body} ` }), 413);
  });

  test('that is announced as larger is a 413 before it is sent', async () => {
    const request = httpRequest(`${app.url}/recall`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${app.token}`,
        'content-type': 'application/json',
        'content-length': LIMIT + 1,
      },
    });
    request.flushHeaders();
    const [response] = await once(request, 'response');
    expect(response.statusCode).toBe(413);
    request.on('error', () => {}).destroy();
  });

  test('whose length nobody told is cut off at 4 MiB', async () => {
    const chunk = new Uint8Array(64 * 1024).fill(0x20);
    let left = (LIMIT + 2 * 1024 * 1024) / chunk.length;
    const stream = new ReadableStream({
      pull: controller => {
        if (left-- > 0) controller.enqueue(chunk);
        else controller.close();
      },
    });
    const response = await fetch(`${app.url}/recall`, {
      method: 'POST',
      headers: { authorization: `Bearer ${app.token}`, 'content-type': 'application/json' },
      body: stream,
      duplex: 'half',
    } as RequestInit);
    expect(response.status).toBe(413);
    expect(await response.json()).toMatchObject({ error: 'HTTP 413' });
  });

  test.each([
    ['text/plain'],
    ['application/x-www-form-urlencoded'],
    ['multipart/form-data; boundary=x'],
    ['application/jsonp'],
    ['application/json; charset=latin1'],
    ['application/json; charset=utf-16'],
    ['json'],
  ])('of type %s is a 415', async type => {
    const reply = await app.call('POST', '/recall', {
      body: JSON.stringify(recall),
      headers: { 'content-type': type },
    });
    expectRefusal(reply, 415);
  });

  test.each([
    'application/json',
    'Application/JSON',
    'application/json; charset=utf-8',
    'application/json;charset="UTF-8"',
    'application/json; x=y; charset=utf-8',
  ])('of type %s is taken', async type => {
    const reply = await app.call('POST', '/ingestion/memory', {
      body: JSON.stringify(ingest),
      headers: { 'content-type': type },
    });
    expect(reply.status).toBe(202);
  });

  test('that is compressed is a 415, however little it becomes', async () => {
    const body = gzipSync(JSON.stringify(recall));
    expectRefusal(await app.call('POST', '/recall', { body, headers: { 'content-encoding': 'gzip' } }), 415);
    const asIs = { body: ingest, headers: { 'content-encoding': 'identity' } };
    expect((await app.call('POST', '/ingestion/memory', asIs)).status).toBe(202);
  });

  /** Sends the start of a body, hangs up, and returns the status that was logged. */
  const breakOff = async (start: string, announced: number): Promise<unknown> => {
    const id = randomUUID();
    const request = httpRequest(`${app.url}/recall`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${app.token}`,
        'content-type': 'application/json',
        'content-length': announced,
        'x-correlation-id': id,
      },
    });
    request.on('error', () => {});
    await new Promise(resolve => request.write(start, resolve));
    request.destroy();
    return untilDefined(
      'the request is logged',
      () => app.logged.find(line => line.request_id === id && line.status !== undefined)?.status,
    );
  };

  test('that breaks off is no error of ours', async () => {
    const errors = app.logged.filter(line => Number(line.level) >= 40).length;
    expect(await breakOff('{"scope":', 1_000)).toBe(499);
    expect(app.logged.filter(line => Number(line.level) >= 40)).toHaveLength(errors);
  });

  test('that breaks off gives back the bytes that it held', async () => {
    const start = ' '.repeat(LIMIT - 1);
    // More of them than an organization may hold at once.
    for (let n = 0; n < 12; n++) expect(await breakOff(start, LIMIT)).toBe(499);
    expect((await app.call('POST', '/ingestion/memory', { body: largest() })).status).toBe(202);
  });
});
