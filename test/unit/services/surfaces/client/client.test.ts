import { afterEach, describe, expect, it } from 'vitest';
import { makeClient } from '../../../../../services/surfaces/client/client.ts';
import { type Script, type StubService, startStub } from '../../../../support/http/stub-service.ts';

let stub: StubService;
afterEach(() => stub.close());

const clientOf = async (script?: Script) => {
  stub = await startStub(script);
  const pauses: number[] = [];
  const client = makeClient({
    url: stub.url,
    apiKey: 'ts_key',
    pause: async ms => pauses.push(ms),
  });
  return { client, pauses };
};

const read = { method: 'GET', path: '/x' } as const;
/** Answers the calls of `/x` one after the other. */
const answering = (...answers: Awaited<ReturnType<Script>>[]): Script => {
  let next = 0;
  return ({ path }) => (path === '/x' ? answers[Math.min(next++, answers.length - 1)] : undefined);
};
const ok = { status: 200, body: { fine: true } };
const failed = { status: 503, body: { message: 'out of reach' } };

describe('the key', () => {
  it('goes with every call, which is the only request', async () => {
    const { client } = await clientOf(answering(ok));
    await Promise.all([client.call(read), client.call(read)]);
    expect(stub.seen.map(({ path, apiKey }) => [path, apiKey])).toEqual([
      ['/x', 'ts_key'],
      ['/x', 'ts_key'],
    ]);
  });

  it.each([
    [401, 'The API key is not known.'],
    [403, 'The API key is revoked.'],
  ])('ends with 77 when it is refused with %i, and is not sent again', async (status, message) => {
    const { client } = await clientOf(answering({ status, body: { message } }));
    await expect(client.call(read)).rejects.toMatchObject({
      exitStatus: 77,
      message: expect.stringContaining(message),
    });
    expect(stub.paths()).toEqual(['/x']);
  });

  it('follows no redirect to another origin', async () => {
    const elsewhere = await startStub();
    try {
      const { client } = await clientOf(
        answering({ status: 307, headers: { location: `${elsewhere.url}/me` } }),
      );
      await expect(client.call(read)).rejects.toThrow(
        'TURNSTONE_URL must be the address of the service itself',
      );
      expect(elsewhere.seen).toEqual([]);
    } finally {
      await elsewhere.close();
    }
  });

  it('has an owner, who is asked for once', async () => {
    const { client } = await clientOf();
    const [{ org_id }] = await Promise.all([client.me(), client.me()]);
    expect(org_id).toBe('acme');
    expect(stub.paths()).toEqual(['/me']);
  });

  it('has an owner, who is asked for again after a failure', async () => {
    let refusals = 1;
    const slowDown = { status: 429, body: { message: 'slow down' } };
    const { client } = await clientOf(({ path }) =>
      path === '/me' && refusals-- > 0 ? slowDown : undefined,
    );
    await expect(client.me()).rejects.toThrow('slow down');
    expect(await client.me()).toMatchObject({ org_id: 'acme' });
  });
});

describe('retries', () => {
  it.each([408, 500, 502, 503, 504])('come twice on %i, after 0.5 s and 1 s', async status => {
    const { client, pauses } = await clientOf(answering({ status }, { status }, ok));
    expect(await client.call(read)).toEqual({ fine: true });
    expect(pauses).toEqual([500, 1_000]);
  });

  it('end after the third answer, with 69', async () => {
    const { client, pauses } = await clientOf(answering(failed));
    await expect(client.call(read)).rejects.toMatchObject({
      exitStatus: 69,
      message: expect.stringContaining('503'),
    });
    expect(pauses).toEqual([500, 1_000]);
  });

  it('wait for as long as Retry-After asks', async () => {
    const { client, pauses } = await clientOf(answering({ ...failed, headers: { 'retry-after': '7' } }, ok));
    await client.call(read);
    expect(pauses).toEqual([7_000]);
  });

  it('leave a Retry-After of an hour to the caller', async () => {
    const { client, pauses } = await clientOf(answering({ ...failed, headers: { 'retry-after': '3600' } }));
    await expect(client.call(read)).rejects.toMatchObject({ exitStatus: 69 });
    expect(pauses).toEqual([]);
  });

  it('come after a broken connection', async () => {
    const { client, pauses } = await clientOf(answering('drop', ok));
    expect(await client.call(read)).toEqual({ fine: true });
    expect(pauses).toEqual([500]);
  });

  it.each([400, 401, 403, 404, 409, 422, 429])('do not come on %i', async status => {
    const { client, pauses } = await clientOf(answering({ status }));
    await expect(client.call(read)).rejects.toThrow(String(status));
    expect(pauses).toEqual([]);
  });

  it('do not come for a call that may have happened and must not happen twice', async () => {
    const { client, pauses } = await clientOf(answering('drop'));
    await expect(client.call({ ...read, method: 'POST', isRepeatable: false })).rejects.toMatchObject({
      exitStatus: 69,
    });
    expect(pauses).toEqual([]);
    expect(stub.paths().filter(path => path === '/x')).toHaveLength(1);
  });
});

describe('messages', () => {
  it('name the way out of a quota', async () => {
    const body = {
      message: 'Daily quota exceeded.',
      details: { error: 'quota_exceeded', kind: 'tokens_in_daily' },
    };
    const { client } = await clientOf(answering({ status: 429, body }));
    await expect(client.call(read)).rejects.toThrow(/turnstone orgs set-limits acme --tokens-in/);
  });

  it('list the faults of fields', async () => {
    const body = {
      message: 'Bad.',
      details: { errors: [{ loc: ['body', 'top_k'], message: 'must be at most 50' }] },
    };
    const { client } = await clientOf(answering({ status: 422, body }));
    await expect(client.call(read)).rejects.toThrow('body.top_k: must be at most 50');
  });

  it('say who does not answer, and never the key', async () => {
    const { client } = await clientOf();
    await stub.close();
    const error = await client.call(read).catch(reason => reason as Error);
    expect(error).toMatchObject({ exitStatus: 69, message: `no answer from ${stub.url}: ECONNREFUSED` });
  });
});
