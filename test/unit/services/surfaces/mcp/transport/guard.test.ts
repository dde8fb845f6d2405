import { describe, expect, it } from 'vitest';
import { isLoopback } from '../../../../../../core/address-name.ts';
import { digestOf, keyOf, refusedPage } from '../../../../../../services/surfaces/mcp/transport/guard.ts';
import { makeSessions } from '../../../../../../services/surfaces/mcp/transport/sessions.ts';

describe('web pages are kept out', () => {
  it.each(['localhost:8090', '127.0.0.1:8090', '127.8.8.8', '[::1]:8090'])('but a caller of %s', host => {
    expect(refusedPage({ host }, { loopback: true })).toBeUndefined();
  });

  it.each(['evil.example', 'localhost.evil.example:8090', '127.0.0.1.evil.example', '192.168.0.2'])(
    'who pointed the name %s here',
    host => {
      expect(refusedPage({ host }, { loopback: true })).toMatchObject({ status: 403 });
      expect(refusedPage({ host }, { loopback: false })).toBeUndefined();
    },
  );

  it.each(['https://evil.example', 'http://localhost:3000', 'null'])('who name themselves %s', origin => {
    for (const loopback of [true, false])
      expect(refusedPage({ host: 'localhost', origin }, { loopback })).toMatchObject({ status: 403 });
  });

  it('who name no host', () => {
    expect(refusedPage({}, { loopback: false })).toMatchObject({ status: 400 });
    expect(refusedPage({ host: 'a b' }, { loopback: false })).toMatchObject({ status: 400 });
  });
});

describe('whose key a call is made with', () => {
  it.each([
    ['127.0.0.1', true],
    ['localhost', true],
    ['::1', true],
    ['0.0.0.0', false],
    ['::', false],
    ['192.168.0.2', false],
    ['localhost.example', false],
  ])('%s is an address of this machine alone: %s', (host, loopback) => {
    expect(isLoopback(host)).toBe(loopback);
  });

  it.each([
    [{ authorization: 'bearer ts_1_x' }],
    [{ 'x-api-key': 'ts_1_x' }],
    [{ 'x-api-key': 'ts_1_x', authorization: 'Bearer other' }],
  ])("is the caller's: %j", headers => {
    expect(keyOf(headers)).toEqual({ ok: true, key: 'ts_1_x' });
  });

  it.each([undefined, 'Basic YTpi', 'Bearer', 'Bearer a b', ''])(
    'is missing for who sent %o',
    authorization => {
      expect(keyOf(authorization === undefined ? {} : { authorization })).toMatchObject({
        refusal: { status: 401 },
      });
    },
  );
});

describe('sessions over HTTP', () => {
  const [ADA, BEN] = [digestOf('ada'), digestOf('ben')];
  const world = (most = 10, mostOfKey = most) => {
    let now = 0;
    const closed: string[] = [];
    const faults: unknown[] = [];
    const sessions = makeSessions<{ close(): Promise<void> }>({
      most,
      mostOfKey,
      idleMs: 100,
      clock: () => now,
      onFault: error => faults.push(error),
    });
    const add = (id: string, key = ADA) => {
      const session = { close: async () => void closed.push(id) };
      sessions.add(id, session, key);
      return session;
    };
    const pass = (ms: number) => {
      now += ms;
    };
    return { sessions, add, pass, closed, faults };
  };

  it('are found with the key that began them, and with no other', () => {
    const { sessions, add } = world();
    const session = add('one');
    expect(sessions.find('one', ADA)).toBe(session);
    expect(sessions.find('one', BEN)).toBeUndefined();
    expect(sessions.find('two', ADA)).toBeUndefined();
  });

  it('are closed when nobody has used them for a while', async () => {
    const { sessions, add, pass, closed } = world();
    add('idle');
    add('streaming');
    add('asked');
    const ended = sessions.used('streaming');
    pass(60);
    sessions.used('asked')();
    pass(60);
    await sessions.closeIdle();
    expect(closed).toEqual(['idle']);
    pass(1_000);
    await sessions.closeIdle();
    expect(closed).toEqual(['idle', 'asked']);
    ended();
    await sessions.closeIdle();
    expect(closed).toHaveLength(2);
    pass(100);
    await sessions.closeIdle();
    expect(closed).toEqual(['idle', 'asked', 'streaming']);
    expect(sessions.all()).toEqual([]);
  });

  it('give their place to a new one when there are too many: the longest idle first', () => {
    const { sessions, add, pass, closed } = world(2);
    add('first');
    sessions.used('first');
    pass(1);
    add('second');
    pass(1);
    add('third');
    expect(closed).toEqual(['second']);
    sessions.used('third');
    add('fourth');
    expect(closed).toEqual(['second', 'first']);
    expect(sessions.all()).toHaveLength(2);
  });

  it('of a key that begins too many give their place to its own alone', () => {
    const { add, pass, closed } = world(4, 2);
    add('ben', BEN);
    for (const id of ['first', 'second', 'third', 'fourth']) {
      pass(1);
      add(id);
    }
    expect(closed).toEqual(['first', 'second']);
  });

  it('give their place to one of the same key first when there are too many of all', () => {
    const { add, pass, closed } = world(3);
    for (const [id, key] of [
      ['ben', BEN],
      ['ada', ADA],
      ['ben 2', BEN],
      ['ada 2', ADA],
    ] as const) {
      pass(1);
      add(id, key);
    }
    expect(closed).toEqual(['ada']);
    add('cleo', digestOf('cleo'));
    expect(closed).toEqual(['ada', 'ben']);
  });

  it('that can not be closed are gone all the same, and told of', async () => {
    const { sessions, pass, faults } = world();
    const fault = new Error('its stream broke');
    sessions.add('one', { close: () => Promise.reject(fault) }, ADA);
    pass(100);
    await sessions.closeIdle();
    expect([sessions.all(), faults]).toEqual([[], [fault]]);
  });
});
