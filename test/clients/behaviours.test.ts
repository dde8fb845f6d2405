/** The TypeScript client, held to the table that all clients are held to. */
import { inspect } from 'node:util';
import { Turnstone, TurnstoneError } from '@turnstone/client';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  type Behaviour,
  type BehaviourCall,
  behaviours,
  bodyOf,
  camelCase,
  type ExpectedRequest,
  type ExpectedResult,
  scriptOf,
  turnsOf,
} from './behaviours.ts';
import { type MisbehavingServer, type Seen, startMisbehavingServer } from './misbehaving-server.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

// biome-ignore lint/suspicious/noExplicitAny: the table's calls are data
type Options = any;

const runBatch = async (client: Turnstone, options: Options): Promise<object> => {
  const { turns, ...batchOptions } = options;
  const batch = client.batch({ maxAgeMs: 50, ...batchOptions });
  let added = 0;
  let addedFirst: number | undefined;
  const outcomes = [];
  for (const { session, ...turn } of turnsOf(turns)) {
    const { outcome } = await batch.add(turn, { session });
    added++;
    outcomes.push(outcome);
    if (added === 1) void outcome.then(() => (addedFirst = added));
  }
  const closed = await batch.close().then(
    () => undefined,
    (error: TurnstoneError) => error,
  );
  const settled = await Promise.all(outcomes);
  const failed = settled.flatMap((outcome, index) =>
    outcome.ok ? [] : [{ index, code: outcome.error.code }],
  );
  // The close tells the same.
  expect((closed?.details?.failed as typeof failed | undefined) ?? []).toMatchObject(failed);
  return { stored: settled.length - failed.length, failed, added_first: addedFirst };
};

const taken = async (items: AsyncIterable<unknown>, take = Number.POSITIVE_INFINITY) => {
  const list: unknown[] = [];
  try {
    for await (const item of items) if (list.push(item) >= take) break;
  } catch (error) {
    return { list, error };
  }
  return { list };
};

/** Makes a call; returns what it gives, in the table's words. */
const make = async (client: Turnstone, call: BehaviourCall): Promise<Record<string, unknown>> => {
  const given: Options = camelCase(call.with);
  const options: Options = { ...given };
  if (call.abort_after_ms !== undefined) options.signal = AbortSignal.timeout(call.abort_after_ms);
  const { turns, q, id, ...rest } = options;
  const answer = async (work: Promise<unknown>) => ({ answer: await work });
  const items = async (list: AsyncIterable<unknown>) => {
    const { list: items, error } = await taken(list);
    return { items, error };
  };
  switch (call.do) {
    case 'remember':
      return answer(client.remember(turns, rest));
    case 'recall':
      return answer(client.recall(q, rest));
    case 'context':
      return { text: await client.context(q, rest) };
    case 'wait': {
      const { write, ...others } = rest;
      return answer(client.wait(write, others));
    }
    case 'get_recall':
      return answer(client.getRecall(id, rest));
    case 'give_feedback': {
      const { hitId, verdict, ...others } = rest;
      return answer(client.giveFeedback(id, hitId, verdict, others));
    }
    case 'forget':
      return answer(client.forget(rest));
    case 'job':
      return answer(client.job(id, rest));
    case 'me':
      return answer(client.me(rest));
    case 'usage.today':
      return answer(client.usage.today(rest));
    case 'usage.month':
      return answer(client.usage.month(rest));
    case 'usage.daily':
      return answer(client.usage.daily(rest));
    case 'usage.statement':
      return answer(client.usage.statement(rest as { month: string }));
    case 'keys.list':
      return answer(client.keys.list(rest));
    case 'keys.create':
      return answer(client.keys.create(rest));
    case 'keys.rotate':
      return answer(client.keys.rotate(id, rest));
    case 'keys.revoke':
      return { nothing: (await client.keys.revoke(id, rest)) === undefined };
    case 'webhooks.list':
      return answer(client.webhooks.list(rest));
    case 'webhooks.create':
      return answer(client.webhooks.create(rest));
    case 'webhooks.delete':
      return { nothing: (await client.webhooks.delete(id, rest)) === undefined };
    case 'webhooks.deliveries':
      return answer(client.webhooks.deliveries(id, rest));
    case 'webhooks.resume':
      return answer(client.webhooks.resume(id, rest));
    case 'memory.turn':
      return answer(client.memory.turn(id, rest));
    case 'memory.add_fact':
      return answer(client.memory.addFact(rest));
    case 'memory.correct':
      return answer(client.memory.correct(id, rest));
    case 'memory.delete_turn':
      return { nothing: (await client.memory.deleteTurn(id, rest)) === undefined };
    case 'memory.delete_observation':
      return { nothing: (await client.memory.deleteObservation(id, rest)) === undefined };
    case 'memory.correct_entity': {
      const { label, mergeInto, split, ...others } = rest;
      const named = split?.map((one: string | { session_id: string; label?: string }) =>
        typeof one === 'string' ? one : { session: one.session_id, label: one.label },
      );
      return answer(client.memory.correctEntity(id, { label, mergeInto, split: named }, others));
    }
    case 'memory.user':
      return answer(client.memory.user(id, rest));
    case 'memory.name_user': {
      const { names, ...others } = rest;
      return answer(client.memory.nameUser(id, names, others));
    }
    case 'memory.title_session': {
      const { title, ...others } = rest;
      return answer(client.memory.titleSession(id, title, others));
    }
    case 'memory.stats':
      return answer(client.memory.stats(rest));
    case 'memory.users':
      return items(client.memory.users(options));
    case 'memory.sessions':
      return items(client.memory.sessions(options));
    case 'memory.turns':
      return items(client.memory.turns(options));
    case 'memory.observations':
      return items(client.memory.observations(options));
    case 'memory.entities':
      return items(client.memory.entities(options));
    case 'memory.facts':
      return items(client.memory.facts(options));
    case 'events': {
      const { list, error } = await taken(client.events(rest), call.take);
      return { events: list, error };
    }
    case 'batch':
      return { ...(await runBatch(client, options)) };
    default:
      throw new Error(`the table has a call that is not known here: ${call.do}`);
  }
};

const expectResult = (result: Record<string, unknown>, expected: ExpectedResult): void => {
  const { error: expectedError, answer, ...others } = expected;
  const { error } = result;
  if (!expectedError && error !== undefined) throw error;
  if (expectedError) {
    const { says = '', hides, ...members } = expectedError;
    expect(error).toBeInstanceOf(TurnstoneError);
    const { status, code, requestId, retryAfter, details, message } = error as TurnstoneError;
    const told = { status: status ?? null, code, request_id: requestId, retry_after: retryAfter, details };
    expect(told).toMatchObject(members);
    expect(message).toContain(says);
    if (hides) expect(inspect(error, { depth: 9, showHidden: true })).not.toContain(hides);
  }
  if ('answer' in expected) expect(result.answer).toEqual(bodyOf(answer));
  for (const [name, value] of Object.entries(others))
    expect({ [name]: result[name] }).toEqual({ [name]: value });
};

const expectRequests = (seen: readonly Seen[], expected: readonly ExpectedRequest[]): void => {
  expect(seen.map(({ method, path }) => `${method} ${path}`)).toEqual(
    expected.map(({ method, path }) => `${method} ${path}`),
  );
  const correlations = new Map<number, unknown>();
  for (const [i, { headers = {}, call, turns, first, ...request }] of expected.entries()) {
    const { headers: had, body } = seen[i]!;
    for (const [name, value] of Object.entries(headers))
      expect([name, had[name] ?? null]).toEqual([name, value]);
    if ('body' in request) expect(body).toEqual(request.body);
    const sent = body as { turns: { text: string }[] };
    if (turns !== undefined) expect(sent.turns).toHaveLength(turns);
    if (first !== undefined) expect(sent.turns[0]!.text).toBe(first);
    const id = had['x-correlation-id'];
    expect(id).toMatch(UUID);
    if (call === undefined) continue;
    if (correlations.has(call)) expect(id).toBe(correlations.get(call));
    else expect([...correlations.values()]).not.toContain(id);
    correlations.set(call, id);
  }
};

/** The clients' clock; timers go on as they did. */
const hurryClock = (rate: number): void => {
  const now = Date.now;
  const began = now();
  vi.spyOn(Date, 'now').mockImplementation(() => began + (now() - began) * rate);
};

describe('the TypeScript client', () => {
  let server: MisbehavingServer;
  beforeAll(async () => {
    server = await startMisbehavingServer();
  });
  afterEach(() => void vi.restoreAllMocks());
  afterAll(() => server.close());

  it.each(behaviours.map(behaviour => [behaviour.name, behaviour] as [string, Behaviour]))(
    '%s',
    async (_, behaviour) => {
      server.script(scriptOf(behaviour));
      if (behaviour.clock_rate) hurryClock(behaviour.clock_rate);
      const waits: number[] = [];
      const client = new Turnstone({
        baseUrl: server.url,
        apiKey: 'ts_key_secret',
        ...camelCase(behaviour.client),
        sleep: async ms => void waits.push(ms),
      });
      const called = async (call: BehaviourCall) => make(client, call).catch(error => ({ error }));
      const results: Record<string, unknown>[] = [];
      if (behaviour.at_once) results.push(...(await Promise.all(behaviour.calls.map(called))));
      else for (const call of behaviour.calls) results.push(await called(call));
      for (const [i, expected] of behaviour.results.entries()) expectResult(results[i]!, expected);
      expectRequests(server.seen(), behaviour.requests);
      expect(waits).toEqual(behaviour.waits ?? []);
      expect(inspect(client, { depth: 9, showHidden: true })).not.toContain('ts_key_secret');
    },
  );
});
