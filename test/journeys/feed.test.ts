import { describe, expect, it } from 'vitest';
import { accessToken, connect, settled } from '../support/http/client.ts';
import { openEvents, take } from '../support/http/event-stream.ts';
import { startServer, temporaryFolder } from '../support/processes/server.ts';
import { turn } from '../support/worlds/builders.ts';
import { forgetProjections, replayed } from '../support/worlds/generations.ts';

describe('the feed, embedded', () => {
  it('goes on after a restart and after the projections were built anew', async () => {
    const dataDir = temporaryFolder();
    const environment = { TURNSTONE_CLOCK: '2026-03-10T08:00:00Z' };
    let server = await startServer({ dataDir, environment });
    let client = await connect(server);
    await client.ingest({ scope: { user_id: 'ada', session_id: 's' }, turns: [turn(1), turn(2)] });
    await settled(server.url);
    const first = await take(
      await openEvents(server.url, await accessToken(server.url, server.apiKey)),
      told => told.filter(({ event }) => event === 'turn').length === 2,
    );
    expect(first[0]!.data).toEqual({
      id: expect.stringMatching(/^trn_/),
      text: turn(1).text,
      kind: 'turn',
      timestamp: String(Date.parse(turn(1).timestamp) / 1_000),
      user_id: 'ada',
      session_id: 's',
      role: 'user',
      recorded_at: expect.stringMatching(/^2026-03-10T08:/),
    });
    const last = first.at(-1)!.id;
    await server.stop();

    forgetProjections(dataDir);
    server = await startServer({ dataDir, environment });
    client = await connect(server);
    await client.ingest({ scope: { user_id: 'ada', session_id: 's' }, turns: [turn(3)] });
    const token = await accessToken(server.url, server.apiKey);
    const rest = await take(await openEvents(server.url, token, { after: last }), told =>
      told.some(({ event }) => event === 'turn'),
    );
    expect(rest.filter(({ event }) => event === 'turn').map(({ data }) => data.text)).toEqual([turn(3).text]);

    // Another generation serves: a position is of the log, not of a file.
    expect((await replayed(dataDir)).at(-1)).toMatchObject({ kind: 'promoted' });
    const now = await openEvents(server.url, token, { after: 'now' });
    await client.ingest({ scope: { user_id: 'ada', session_id: 's' }, turns: [turn(4)] });
    const coming = await take(now, told => told.some(({ event }) => event === 'turn'));
    expect(coming.filter(({ event }) => event === 'turn').map(({ data }) => data.text)).toEqual([
      turn(4).text,
    ]);
    await server.stop();
  });

  it('refuses positions that are none of its own, ends with a revoked key, and at a close', async () => {
    const server = await startServer();
    const client = await connect(server);
    const token = await accessToken(server.url, server.apiKey);
    const beyond = Buffer.from('[1,[9],[]]').toString('base64url');
    for (const after of ['nonsense', Buffer.from('[2,[],[]]').toString('base64url'), beyond]) {
      const refused = await openEvents(server.url, token, { after });
      expect(refused.status).toBe(422);
      expect(await refused.refusal()).toMatchObject({
        error: 'HTTP 422',
        details: { errors: [{ loc: ['query', 'after'], type: 'position' }] },
      });
    }
    const { body: key } = await client.request<{ id: string; api_key: string }>('POST', '/me/api-keys', {
      name: 'short',
      roles: ['memory:read'],
    });
    const stream = await openEvents(server.url, await accessToken(server.url, key.api_key));
    expect(stream.headers.get('content-type')).toMatch(/^text\/event-stream/);
    expect(stream.headers.get('x-correlation-id')).toMatch(/^[0-9a-f-]{36}$/);
    const ended = take(stream, () => false);
    await client.request('DELETE', `/me/api-keys/${key.id}`);
    expect(await ended).toEqual([]);

    const open = await openEvents(server.url, token);
    const closed = take(open, () => false);
    expect(await server.stop()).toBe(0);
    await closed;
  });
});
