import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openChatCompletions } from '../../../../../../infra/llm/chat-completions.ts';
import type { ExtractorState } from '../../../../../../services/workers/enricher/extractor.ts';
import { makeLlmExtractor } from '../../../../../../services/workers/enricher/llm/extractor.ts';
import { type ChatServer, PROBE, replies, startChatServer } from '../../../../../support/http/chat-server.ts';
import { until } from '../../../../../support/wait.ts';

let server: ChatServer;
let states: ExtractorState[];
beforeEach(async () => {
  server = await startChatServer();
  states = [];
});
afterEach(() => server.close());

const ATTEMPTS = 6;
const CONCURRENCY = 8;
const open = new AbortController().signal;

/** Pauses are a hundredth of what they are outside, unless the test says other. */
const makeExtractor = (pace = 0.01, withinMs = 5_000) =>
  makeLlmExtractor({
    chat: openChatCompletions({ baseUrl: server.url, withinMs }),
    model: 'tiny',
    onState: state => states.push(state),
    random: () => 1,
    pace,
  });
const turn = (text: string) => ({ role: 'Ada', text, timestamp: 0 });
const fact = (text: string) => ({ observations: [{ text: `Ada said: ${text}` }], entities: [] });
const probes = (): number => server.requests.filter(({ asked }) => asked.text === PROBE).length;

describe('a turn', () => {
  it('is asked for once when all goes well', async () => {
    const extractor = makeExtractor();
    expect(await extractor.extract(turn('one'), open)).toEqual(fact('one'));
    expect(extractor).toMatchObject({ version: 'llm-3:tiny', source: 'llm' });
    expect(states).toEqual([{ requests: 1, faults: 0, givenUp: 0, waitsFor: null }]);
  });

  it('is not asked for when it has expired, nor once more when it expires meanwhile', async () => {
    let isOver = true;
    const expiring = { ...turn('one'), hasExpired: () => isOver };
    const expired = { givenUp: 'the turn has expired' };
    expect(await makeExtractor().extract(expiring, open)).toEqual(expired);
    expect(server.texts()).toEqual([]);
    isOver = false;
    server.reply(() => {
      isOver = true;
      return replies.status(500);
    });
    expect(await makeExtractor(0.001).extract(expiring, open)).toEqual(expired);
    expect(server.texts()).toEqual(['one']);
  });

  it.each([
    ['429', replies.status(429)],
    ['408', replies.status(408)],
    ['500', replies.status(500)],
    ['an answer that is not JSON', replies.json(200, '<html>')],
    ['a cut connection', replies.cut()],
    ['no answer in time', replies.silence()],
    ['content of another schema', replies.content('{}')],
    ['a refusal', replies.refusal()],
    ['an answer that was cut off', replies.content('{"obs', 'length')],
  ])('is asked for again after %s', async (_, reply) => {
    server.reply((_asked, nth) => (nth < ATTEMPTS ? reply : replies.found({})));
    const extraction = await makeExtractor(0.001, 200).extract(turn('one'), open);
    expect(extraction).toEqual({ observations: [], entities: [] });
    expect(server.texts()).toHaveLength(ATTEMPTS);
    expect(probes()).toBe(0);
    expect(states.at(-1)).toEqual({
      requests: ATTEMPTS,
      faults: ATTEMPTS - 1,
      givenUp: 0,
      waitsFor: null,
    });
  });

  it.each([
    ['a refusal', replies.refusal(), ATTEMPTS, 0],
    ['content of another schema', replies.content('{}'), ATTEMPTS, 0],
    ['HTTP 500', replies.status(500), ATTEMPTS, 1],
    ['HTTP 400', replies.status(400), 2, 2],
    ['HTTP 413', replies.status(413), 2, 2],
  ])('is given up after %s, where others are answered', async (reason, reply, requests, asked) => {
    server.reply(({ text }) => (text === 'bad' ? reply : replies.found({})));
    const extractor = makeExtractor();
    const failed = await extractor.extract(turn('bad'), open);
    expect(failed).toEqual({ givenUp: expect.stringContaining(`the language model gave ${reason}`) });
    expect([server.texts().length, probes()]).toEqual([requests, asked]);
    expect(states.at(-1)).toMatchObject({ givenUp: 1, waitsFor: null });
    expect(await extractor.extract(turn('good'), open)).toEqual({ observations: [], entities: [] });
  });

  it('is asked once more after it was refused and a short one was not: the key may have been mended', async () => {
    server.reply(({ text }, nth) => (text !== PROBE && nth === 1 ? replies.status(401) : replies.found({})));
    expect(await makeExtractor().extract(turn('one'), open)).toEqual({ observations: [], entities: [] });
    expect(probes()).toBe(1);
  });

  it('is given up where it is turned away for too many requests and short ones never are', async () => {
    server.reply(({ text }) => (text === PROBE ? replies.found({}) : replies.status(429)));
    const failed = await makeExtractor(0.0001).extract(turn('large'), open);
    expect(failed).toEqual({ givenUp: expect.stringContaining('the language model gave HTTP 429') });
  });

  it('is not given up for too many requests for a while, even where a short one passes', async () => {
    server.reply(({ text }, nth) =>
      text !== PROBE && nth <= 3 * ATTEMPTS ? replies.status(429) : replies.found({}),
    );
    await makeExtractor(0.001).extract(turn('long'), open);
    expect(server.texts()).toHaveLength(3 * ATTEMPTS + 1);
    expect(states.at(-1)).toMatchObject({ givenUp: 0, waitsFor: null });
  });

  it('waits as long as the endpoint asks for, and no longer than a minute', async () => {
    const waited = async (retryAfter: string): Promise<number> => {
      server.reply((_, nth) =>
        nth === 1 ? replies.status(429, { 'retry-after': retryAfter }) : replies.found({}),
      );
      const began = performance.now();
      await makeExtractor(0.01).extract(turn(retryAfter), open);
      return performance.now() - began;
    };
    expect(await waited('20')).toBeGreaterThan(200);
    // The moment is a whole second, and some time has passed until it is read.
    expect(await waited(new Date(Date.now() + 40_000).toUTCString())).toBeGreaterThan(180);
    // A day would take longer than a test may.
    await waited('86400');
  });

  it('is asked for with others, a few at once', async () => {
    const waiting: (() => void)[] = [];
    server.reply(async () => {
      await new Promise<void>(resolve => waiting.push(resolve));
      return replies.found({});
    });
    const extractor = makeExtractor();
    const turns = Array.from({ length: 20 }, (_, n) => extractor.extract(turn(`turn ${n}`), open));
    for (let released = 0; released < 20; released += waiting.splice(0).map(go => go()).length)
      await until('requests are under way', () => waiting.length === Math.min(CONCURRENCY, 20 - released));
    await Promise.all(turns);
    expect(server.mostAtOnce()).toBe(CONCURRENCY);
  });
});

describe('an endpoint that is away', () => {
  it.each([
    ['HTTP 503', replies.status(503)],
    ['HTTP 429', replies.status(429)],
    ['HTTP 401', replies.status(401)],
    ['HTTP 404', replies.status(404)],
  ])('is waited for, and no turn is given up: %s', async (reason, reply) => {
    server.reply(() => reply);
    const extractor = makeExtractor(0.001);
    const turns = Array.from({ length: 12 }, (_, n) => extractor.extract(turn(`turn ${n}`), open));
    await until('it is known to be away', () => probes() > 15);
    expect(states.at(-1)).toMatchObject({ givenUp: 0, waitsFor: reason });
    const before = server.texts().length;
    const asked = probes();
    await until('it is asked', () => probes() > asked + 3);
    // One asks for all of them.
    expect(server.texts().length).toBe(before);

    server.reply(() => replies.found({}));
    expect(await Promise.all(turns)).toHaveLength(12);
    expect(states.at(-1)).toMatchObject({ givenUp: 0, waitsFor: null });
  });

  it('is asked less and less often', async () => {
    server.reply(() => replies.status(401));
    const ending = new AbortController();
    const began = performance.now();
    const settled = expect(makeExtractor().extract(turn('one'), ending.signal)).rejects.toThrow();
    await until('it was asked five times', () => probes() === 5);
    // 1, 2, 4 and 8 seconds between them, at a hundredth.
    expect(performance.now() - began).toBeGreaterThan(150);
    ending.abort();
    await settled;
  });

  it('takes nothing of its going away for the fault of a turn', async () => {
    let isAway = true;
    let faultsSince = 0;
    server.reply(({ text }) => {
      if (text !== 'first') return isAway ? replies.status(401) : replies.found({});
      return isAway || faultsSince++ < ATTEMPTS - 1 ? replies.status(500) : replies.found({});
    });
    const extractor = makeExtractor();
    const first = extractor.extract(turn('first'), open);
    await until('it failed', () => server.texts().length >= 3);
    const second = extractor.extract(turn('second'), open);
    await until('it is away', () => states.at(-1)?.waitsFor === 'HTTP 401');
    isAway = false;
    await Promise.all([first, second]);
    expect(faultsSince).toBe(ATTEMPTS);
  });

  it('has a turn given up that it went away with ten times', async () => {
    // The turn breaks the server: the next request after its attempts meets none.
    let broken = false;
    server.reply(({ text }) => {
      if (text === 'poison') broken = true;
      else if (!broken) return replies.found({});
      else broken = false;
      return replies.status(502);
    });
    const failed = await makeExtractor(0.0001).extract(turn('poison'), open);
    expect(failed).toEqual({ givenUp: expect.stringContaining('the language model gave HTTP 502') });
    expect(server.texts()).toHaveLength(11 * ATTEMPTS);
  });

  it('keeps nobody who ends from ending', async () => {
    server.reply(() => replies.status(503));
    const ending = new AbortController();
    const waiting = makeExtractor(1).extract(turn('one'), ending.signal);
    const settled = expect(waiting).rejects.toThrow(/aborted/);
    await until('it was refused', () => states.length > 0);
    ending.abort();
    await settled;
    expect(states.at(-1)).toMatchObject({ givenUp: 0 });
  });
});
