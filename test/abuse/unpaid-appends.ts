/**
 * A tenant whose tokens are used up calls every operation of the contract again and again: what the log, the
 * keys and the engines keep of it is bounded by its budgets. An operation without a line here fails the test,
 * so that a new one has to be decided. Shared by both modes.
 */
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { expect, test } from 'vitest';
import { operations } from '../../schemas/http/contract.ts';
import { RIGHTS } from '../../schemas/http/rights.ts';
import {
  type Caller,
  call,
  query,
  type Recalled,
  type Reply,
  refused,
  signUp,
  turn,
  type Usage,
  write,
} from '../http/contract/kit.ts';
import { settled } from '../support/http/client.ts';
import { until } from '../support/wait.ts';

const BUDGETS = { names: 9, retractions: 7, erasures: 4 };
const KEYS = 5;
const REFRESHES = 6;
const CAP_IN = 2_000;
/** How often each operation is called. */
const TIMES = 25;

/** The service of this scenario is started with these. */
export const SMALL_BUDGETS = {
  TURNSTONE_SIGNUP: 'open',
  TURNSTONE_ORGANIZATIONS: '8',
  TURNSTONE_QUOTA_TOKENS_IN: String(CAP_IN),
  TURNSTONE_NAMES_PER_DAY: String(BUDGETS.names),
  TURNSTONE_RETRACTIONS_PER_DAY: String(BUDGETS.retractions),
  TURNSTONE_ERASURES_PER_DAY: String(BUDGETS.erasures),
  TURNSTONE_KEYS_PER_ORGANIZATION: String(KEYS),
  TURNSTONE_REFRESHES_PER_DAY: String(REFRESHES),
};

/** Everything that there is, of all tenants. */
export interface Kept {
  /** Records of the log, without the topic of keys. */
  records: number;
  /** Sealing keys. */
  keys: number;
  /** Rows of the index, or keys of Redis. */
  rows: number;
}

export interface World {
  url: string;
  kept: () => Promise<Kept>;
  /** Where the service is reached after its process was killed, or at another of its processes. */
  elsewhere: () => Promise<string>;
  /** Runs a command of an operator. */
  operator: (...args: string[]) => Promise<void>;
}

interface Tenant {
  caller: Caller;
  turns: string[];
  observations: string[];
  entity: string;
  /** A recall that was paid for, and a turn that it found. */
  recalled: { receipt: string; turn: string };
  refreshToken: string;
  /** The id of its first key. */
  ownKey: string;
}

interface Attempt {
  path?: string;
  body?: object;
}

interface Decision {
  /** The i-th call; nothing: it is not called (why is beside it). */
  calls?: (tenant: Tenant, i: number) => Attempt;
  /** How many of the calls may be answered with success; not named: any number, and they append nothing. */
  most?: number;
  /** Records that each of those may append; default: one. */
  records?: number;
  /** Rows or keys of an engine that each may leave; default: 4. */
  rows?: number;
  /** Sealing keys, or the records that destroy them, that each may leave; default: none. */
  keys?: number;
}

const scope = (i: number) => ({ org_id: 'any', user_id: `nobody ${i}`, session_id: `none ${i}` });
const READS: Decision = { calls: () => ({}) };

/** By operation, in this order: one that takes away stands after those that need what it takes. */
const DECISIONS: Record<string, Decision> = {
  // `last_used_at` has its own bound, and one record a minute.
  exchangeToken: { calls: ({ caller }) => ({ body: { api_key: caller.apiKey } }) },
  refreshToken: {
    calls: tenant => ({ body: { refresh_token: tenant.refreshToken } }),
    most: REFRESHES,
    // A rotation, and its delivery.
    records: 2,
    rows: 8,
  },
  // Nobody vouches here. Where somebody does, an identity is one entry, within the cap of keys.
  exchangeIdentityCode: {
    calls: (_, i) => ({
      body: {
        provider: 'acme',
        code: `${i}`,
        code_verifier: 'v'.repeat(43),
        redirect_uri: 'https://memory.example/console/',
        nonce: 'n'.repeat(16),
      },
    }),
    most: 0,
  },
  exchangeIdentityToken: { calls: (_, i) => ({ body: { token: `${i}` } }), most: 0 },
  // Refused by the quota, so each new session and its keys must not be made either.
  ingest: { calls: (_, i) => ({ body: { scope: scope(i), turns: [turn(`Not paid for ${i}.`)] } }), most: 0 },
  say: { calls: (_, i) => ({ body: { scope: scope(1_000 + i), text: `Not paid for ${i}.` } }), most: 0 },
  recall: {
    calls: (_, i) => ({ body: { scope: { ...scope(i) }, q: `What ${i}?`, receipt: true } }),
    most: 0,
  },
  correct: {
    calls: ({ observations }, i) => ({
      path: `/memory/observations/${observations[0]}`,
      body: { text: `It was ${i}.` },
    }),
    most: 0,
  },
  titleSession: {
    calls: (_, i) => ({ path: '/memory/sessions/paid?user_id=ada', body: { title: `Title ${i}` } }),
    most: BUDGETS.names,
  },
  // The titles have used up the same budget.
  nameUser: {
    calls: (_, i) => ({ path: '/memory/users/ada', body: { names: [`Ada ${i}`] } }),
    most: 0,
  },
  correctEntity: {
    calls: ({ entity }, i) => ({
      path: `/memory/entities/${entity}?user_id=ada`,
      body: { label: `Lyon ${i}` },
    }),
    most: 0,
  },
  giveFeedback: {
    calls: ({ recalled }, i) => ({
      path: `/recalls/${recalled.receipt}/feedback`,
      body: { hit_id: recalled.turn, verdict: i % 2 ? 'wrong' : 'helpful' },
    }),
    most: 10_000,
  },
  retractObservation: {
    calls: ({ observations }, i) => ({ path: `/memory/observations/${observations[i + 1]}` }),
    most: BUDGETS.retractions,
  },
  retractTurn: { calls: ({ turns }, i) => ({ path: `/memory/turns/${turns[i]}` }), most: 0 },
  erase: {
    calls: (_, i) => ({ path: `/memory?user_id=ada&session_id=paid-${i}` }),
    most: BUDGETS.erasures,
    records: 40,
    rows: 40,
    keys: 4,
  },
  // Asked for once, however often; a day too early to be confirmed; taken back once.
  askDeletion: { calls: ({ caller }) => ({ body: { org_id: caller.org } }), most: 100 },
  confirmDeletion: { calls: ({ caller }) => ({ body: { org_id: caller.org } }), most: 0 },
  withdrawDeletion: { calls: () => ({}), most: 100 },
  setScreening: { calls: (_, i) => ({ body: { screen: i % 2 ? 'secrets' : 'off' } }), most: 100 },
  setRetention: { calls: (_, i) => ({ body: { days: 100 + i } }), most: 100 },
  createApiKey: { calls: (_, i) => ({ body: { name: `key ${i}` } }), most: KEYS },
  // One is left of the same budget, since the first key came with the sign-up: a key, and another's end.
  rotateApiKey: {
    calls: ({ ownKey }) => ({ path: `/me/api-keys/${ownKey}/rotate`, body: {} }),
    most: 1,
    records: 2,
  },
  revokeApiKey: { calls: () => ({ path: '/me/api-keys/none' }), most: 0 },
  // Nothing is erased after them, so that none has anything to deliver; one key seals the secrets of all.
  createWebhook: {
    calls: (_, i) => ({ body: { url: `https://example.com/${i}`, events: ['erased'] } }),
    most: 10,
    keys: 1,
  },
  resumeWebhook: { calls: () => ({ path: '/me/webhooks/none/resume' }), most: 0 },
  deleteWebhook: { calls: () => ({ path: '/me/webhooks/none' }), most: 0 },
  // Organizations end at their own cap.
  signUp: {
    calls: (_, i) => ({ body: { org_id: `free-${process.pid}-${i}` } }),
    most: 8,
    records: 2,
    rows: 12,
  },
  // Streams: the first answers with entries, the second reads the log. Neither has a port that appends.
  feed: {},
  export: {},
  // One entry an hour, and one of a sign-in.
  readAudit: READS,
};

const paths = Object.entries(operations).map(([id, { method, path }]) => ({
  id,
  method: method.toUpperCase(),
  path,
}));

/** Without one of its own, an operation may only read. */
const decisionOf = (id: string, method: string): Decision | undefined =>
  DECISIONS[id] ?? (method === 'GET' ? READS : undefined);

const usedToday = async (caller: Caller): Promise<number> =>
  (await caller.get<Usage>('/usage/today')).tokens_in;

/** Sessions that are paid for, then the rest of the day's tokens. */
const usedUp = async (url: string): Promise<Tenant> => {
  const caller = await signUp(url, 'unpaid');
  const ids = async (session_id: string, turns: object[]) =>
    (await caller.ingest({ scope: { org_id: 'any', user_id: 'ada', session_id }, turns }))
      .active_fragment_ids;
  const turns = await ids(
    'paid',
    Array.from({ length: TIMES + 2 }, (_, i) =>
      turn(`Paid ${i}: I moved to Lyon.`, { observations: [`Seen ${i}`] }),
    ),
  );
  for (let i = 0; i < TIMES; i++) await ids(`paid-${i}`, [turn(`Session ${i}.`)]);
  await settled(url);
  const list = async <T>(path: string, name: string): Promise<T[]> =>
    (await caller.get<Record<string, T[]>>(`${path}?user_id=ada&limit=100`))[name]!;
  const seen = await list<{ id: string; text: string }>('/memory/observations', 'observations');
  const [entity] = await list<{ id: string }>('/memory/entities', 'entities');
  const { receipt_id, hits } = (await caller.recall(
    query('Who moved to Lyon?', { receipt: true, kinds: ['turn'] }),
  )) as Recalled & { receipt_id: string };
  const left = CAP_IN - (await usedToday(caller));
  await ids('rest', [turn(' fig'.repeat(left))]);
  expect(await usedToday(caller)).toBe(CAP_IN);
  await settled(url);
  return {
    caller,
    turns,
    observations: seen.filter(({ text }) => text.startsWith('Seen')).map(({ id }) => id),
    entity: entity!.id,
    recalled: { receipt: receipt_id, turn: hits.turns[0]!.id },
    refreshToken: caller.tokens.refresh_token,
    ownKey: (await caller.get<{ api_keys: { id: string }[] }>('/me/api-keys')).api_keys[0]!.id,
  };
};

/** A byte of these paths stands for nothing: it is refused before anything is done. */
const filled = (path: string): string => path.replace(/\{[a-z_]+\}/g, 'none');

export const unpaidAppendTests = (world: () => World): void => {
  test('a title that comes with a write is billed with it, and needs no budget', async () => {
    const caller = await signUp(world().url, 'titled');
    const named = async (session_id: string, session_title: string, text: string) =>
      (
        await caller.ingest({
          scope: { org_id: 'any', session_id },
          turns: [turn(text)],
          options: { session_title },
        })
      ).usage.tokens_in;
    const cost = countTokens('Seen.') + countTokens('The move to Lyon');
    for (let i = 0; i <= BUDGETS.names; i++)
      expect(await named(`s${i}`, 'The move to Lyon', 'Seen.')).toBe(cost);
    // Once more it stores nothing; later writes don't name a session that has a title.
    expect(await named('s0', 'Another', 'Seen.')).toBe(0);
    await settled(world().url);
    expect(await named('s0', 'Another', 'Seen again.')).toBe(countTokens('Seen again.'));
    await settled(world().url);
    const { sessions } = await caller.get<{ sessions: { session_id: string; title: string }[] }>(
      `/memory/sessions?user_id=${caller.user}&limit=50`,
    );
    expect(sessions).toHaveLength(BUDGETS.names + 1);
    expect(new Set(sessions.map(({ title }) => title))).toEqual(new Set(['The move to Lyon']));
    // One that was taken away, here with a turn that is hidden, can be given again.
    const hidden = await caller.ingest({
      scope: { org_id: 'any', session_id: 'again' },
      turns: [turn('Said by mistake.'), turn('Said.')],
      options: { session_title: 'By mistake' },
    });
    const titleOfAgain = async (): Promise<string | null> => {
      await settled(world().url);
      const { sessions: all } = await caller.get<{
        sessions: { session_id: string; title: string | null }[];
      }>(`/memory/sessions?user_id=${caller.user}&limit=50`);
      return all.find(one => one.session_id === 'again')!.title;
    };
    const hiding = `/memory/turns/${hidden.active_fragment_ids[0]}?user_id=${caller.user}`;
    expect((await caller.send('DELETE', hiding)).status).toBe(204);
    expect(await titleOfAgain()).toBeNull();
    await named('again', 'The better one', 'Seen.');
    expect(await titleOfAgain()).toBe('The better one');
    // All of the budget is left.
    const path = `/memory/sessions/s0?user_id=${caller.user}`;
    for (let i = 0; i < BUDGETS.names; i++)
      expect((await caller.send('PATCH', path, { title: `Title ${i}` })).status).toBe(200);
    expect((await caller.send('PATCH', path, { title: 'One more' })).status).toBe(429);
  });

  test('a write that has expired before it comes makes no key', async () => {
    const { url, kept } = world();
    const caller = await signUp(url, 'late');
    const before = await kept();
    for (let i = 0; i < TIMES; i++) {
      const body = write([turn('Too late.')], {
        scope: { org_id: 'any', session_id: `s${i}` },
        options: { expires_at: '2000-01-01T00:00:00Z' },
      });
      expect((await caller.send('POST', '/ingestion/memory', body)).status).toBe(422);
    }
    expect((await kept()).keys - before.keys).toBe(0);
  });

  test('a receipt is billed for each hit that it keeps', async () => {
    const caller = await signUp(world().url, 'receipts');
    await caller.ingest(write(Array.from({ length: 20 }, (_, i) => turn(`The cat number ${i} sleeps.`))));
    const asked = async (rest: object) =>
      (await caller.recall(query('cat', { top_k: 15, ...rest }))) as Recalled & { receipt_id?: string };
    const plain = await asked({});
    expect(plain.usage.tokens_in).toBe(1);
    const kept = await asked({ receipt: true });
    const { hits } = await caller.get<{ hits: unknown[] }>(`/recalls/${kept.receipt_id}`);
    expect(hits.length).toBeGreaterThan(10);
    expect(kept.usage.tokens_in).toBe(1 + hits.length);
    const before = await usedToday(caller);
    await asked({ receipt: true });
    expect(await usedToday(caller)).toBe(before + kept.usage.tokens_in);
  });

  test('a budget is one wherever it is used and whatever dies, until an operator raises it', async () => {
    const { url, elsewhere, operator } = world();
    const caller = await signUp(url, 'budgets');
    await caller.ingest(write([turn('Paid.')], { scope: { org_id: 'any', session_id: 'paid' } }));
    const title = (at: string, i: number): Promise<Reply> =>
      call(at, 'PATCH', `/memory/sessions/paid?user_id=${caller.user}`, {
        token: caller.token,
        body: { title: `Title ${i}` },
      });
    for (let i = 0; i < BUDGETS.names; i++) expect((await title(url, i)).status).toBe(200);
    const other = await elsewhere();
    const refusal = await title(other, 100);
    expect(refused(refusal, 429)).toMatchObject({
      details: { error: 'rate_limited' },
      message: expect.stringContaining('turnstone orgs set-limits ORG --names N'),
    });
    expect(Number(refusal.headers.get('retry-after'))).toBeGreaterThan(60);
    // The same title once more appends nothing.
    expect((await title(other, BUDGETS.names - 1)).status).toBe(200);
    await operator('orgs', 'set-limits', caller.org, '--names', String(BUDGETS.names + 3));
    await until('it is raised', async () => (await title(other, 101)).status === 200, 15_000);
    // Its tokens are those that it had.
    expect((await call(other, 'GET', '/me', { token: caller.token })).as<object>()).toMatchObject({
      limits: { tokens_in: CAP_IN },
    });
  });

  // The last one: it takes all the organizations that there may be.
  test('with its tokens used up, no operation makes the log, the keys or the index grow', async () => {
    const { url, kept } = world();
    expect(paths.filter(({ id, method }) => !decisionOf(id, method)).map(({ id }) => id)).toEqual([]);
    expect(Object.keys(DECISIONS).filter(id => !(id in operations))).toEqual([]);
    const tenant = await usedUp(url);
    const { caller } = tenant;
    const grown: string[] = [];

    const order = Object.keys(DECISIONS);
    const place = (id: string): number => (order.includes(id) ? order.indexOf(id) : -1);
    for (const { id, method, path } of paths.toSorted((a, b) => place(a.id) - place(b.id))) {
      const { calls, most, records = 1, rows = 4, keys = 0 } = decisionOf(id, method)!;
      if (!calls) continue;
      const before = await kept();
      const answers: Reply[] = [];
      for (let i = 0; i < TIMES; i++) {
        const { path: own = filled(path), body } = calls(tenant, i);
        const answer = await call(url, method, own, { token: caller.token, body });
        answers.push(answer);
        if (id === 'refreshToken' && answer.status === 200)
          tenant.refreshToken = answer.as<{ refresh_token: string }>().refresh_token;
      }
      await settled(url);
      const after = await kept();
      const good = answers.filter(({ status }) => status < 300).length;
      const allowed = Math.min(good, most ?? 0);
      const growth = {
        good,
        records: after.records - before.records,
        keys: after.keys - before.keys,
        rows: after.rows - before.rows,
      };
      // Each act that was paid for has an entry in the audit log.
      const entries = id === 'signUp' || RIGHTS[id as keyof typeof RIGHTS]?.noted === 'acts' ? 1 : 0;
      // Three more: a use of the key is noted once a minute; and what was read or changed nothing, an hour.
      const isBudget = most !== undefined && Object.values<number>(BUDGETS).includes(most);
      const isBounded =
        (isBudget ? good === most : good <= (most ?? TIMES)) &&
        growth.records <= allowed * (records + entries) + 3 &&
        growth.keys <= allowed * keys + 6 &&
        growth.rows <= allowed * rows + 12;
      if (!isBounded) grown.push(`${id}: ${JSON.stringify(growth)}`);
      for (const { status, headers, text } of answers) {
        expect(status, `${id}: ${text.slice(0, 300)}`).toBeLessThan(500);
        if (status === 429) expect(Number(headers.get('retry-after')), id).toBeGreaterThan(0);
      }
    }
    expect(grown).toEqual([]);
  });
};
