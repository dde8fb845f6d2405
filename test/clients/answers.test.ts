/** Tests the TypeScript client with answers that no service gives. */
import { inspect } from 'node:util';
import { Turnstone } from '@turnstone/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type MisbehavingServer, startMisbehavingServer } from './misbehaving-server.ts';

let server: MisbehavingServer;
beforeAll(async () => {
  server = await startMisbehavingServer();
});
afterAll(() => server.close());

const makeClient = (): Turnstone =>
  new Turnstone({ baseUrl: server.url, apiKey: 'ts_key_secret', sleep: async () => {} });
const refusedWith = async (answer: object): Promise<{ retryAfter?: number; requestId?: string }> => {
  server.script({ answers: { 'GET /me': [{ status: 403, ...answer }] } });
  return makeClient()
    .me()
    .catch(error => error);
};

describe('an error', () => {
  it('has no secret that the server wrote in escapes, in texts and in names', async () => {
    const escaped = [...'ts_key_secret'].map(
      letter => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );
    const secret = escaped.join('');
    const text = `{"message": "bad key ${secret}", "details": {"${secret}": [{"deep": "${secret}"}], "n": 5}}`;
    const error = await refusedWith({ text });
    expect(inspect(error, { depth: 9, showHidden: true })).not.toContain('ts_key_secret');
    expect(error).toMatchObject({ message: 'bad key …', details: { '…': [{ deep: '…' }], n: 5 } });
  });

  it('is told also where its body is deeper than anybody reads', async () => {
    const deep = 200_000;
    const text = `{"message": "deep", "details": {"a": ${'['.repeat(deep)}${']'.repeat(deep)}}}`;
    expect(await refusedWith({ text })).toMatchObject({ code: 'forbidden', status: 403 });
  });

  it.each([
    ['3000.5', undefined],
    ['-5', undefined],
    ['1.5', undefined],
    ['0x10', undefined],
    ['2026', 2_026],
    ['Wed, 21 Oct 2015 07:28:00 GMT', 0],
    ['Wed, 21 Oct 99999999999999 07:28:00 GMT', undefined],
    ['tomorrow', undefined],
  ])('takes a Retry-After of %s as %s', async (value, expected) => {
    expect((await refusedWith({ headers: { 'retry-after': value } })).retryAfter).toBe(expected);
  });

  it('has the id of its request where the body has none that could be one', async () => {
    const { requestId } = await refusedWith({ body: { message: 'no', request_id: 'see the log\nof today' } });
    expect(requestId).toBe(server.seen().at(-1)!.headers['x-correlation-id']);
  });
});
