/**
 * Tests what must always hold, seen from outside. Kept through kill -9: test/faults/kill.test.ts. The log is
 * the truth: rebuild.test.ts. No silent loss: test/faults/poison.test.ts. "Switched off" says what was broken
 * by hand once, to see the test fail.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { IngestAnswer } from '../../schemas/http/ingestion.ts';
import type { RecallAnswer } from '../../schemas/http/recall.ts';
import { billedByLog, inFolder } from '../contracts/openers/log.ts';
import {
  accessToken,
  type Client,
  connect,
  expectStatus,
  inParallel,
  send,
  settled,
  withoutFreshness,
} from '../support/http/client.ts';
import { rounds } from '../support/long.ts';
import { type Server, startServer } from '../support/processes/server.ts';
import { sentence, turn } from '../support/worlds/builders.ts';

const environment = {
  TURNSTONE_CLOCK: '2026-03-10T08:00:00Z',
  TURNSTONE_QUOTA_TOKENS_IN: '0',
  TURNSTONE_QUOTA_TOKENS_OUT: '0',
};
let server: Server;
let client: Client;
let orgs = 0;

beforeAll(async () => {
  server = await startServer({ environment });
  client = await connect(server);
});
afterAll(() => server.stop());

interface Org {
  id: string;
  apiKey: string;
  client: Client;
}

const signUp = async (): Promise<Org> => {
  const id = `org-${++orgs}`;
  const answer = await send<{ api_key: string }>(`${server.url}/signup`, 'POST', { org_id: id });
  const apiKey = expectStatus(answer, 201).api_key;
  return { id, apiKey, client: await connect({ url: server.url, apiKey }) };
};

const finds = ({ hits }: RecallAnswer, id: string): boolean => hits.turns.some(hit => hit.id === id);

describe('read your writes', () => {
  // Switched off: no tail is read in services/use-cases/recall/recall.ts → "expected 50 to be +0".
  it('finds a turn from the moment of its 202, in every scope that covers it, under heavy ingestion', async () => {
    const ROUNDS = rounds(20, 150);
    let done = false;
    let heavy = 0;
    const ingestion = Promise.all(
      [0, 1, 2].map(async worker => {
        for (let n = 0; !done; n++) {
          const turns = Array.from({ length: 25 }, (_, i) =>
            turn(10_000 + worker * 10_000 + ((n * 25 + i) % 10_000)),
          );
          heavy += (await client.ingest({ scope: { user_id: `heavy-${worker}-${n}` }, turns }))
            .active_fragment_ids.length;
        }
      }),
    );
    let misses = 0;
    await inParallel(ROUNDS, 3, async n => {
      const scope = { user_id: `reader-${n % 5}`, session_id: `session-${n % 7}` };
      const { active_fragment_ids } = await client.ingest({
        scope,
        turns: [turn(n, { observations: [`seen${n} twice`] })],
      });
      const q = sentence(n);
      const scopes = [{ user_id: scope.user_id }, scope, { session_id: scope.session_id }, {}];
      const answers = await Promise.all(scopes.map(each => client.recall({ q, scope: each })));
      misses += answers.filter(answer => !finds(answer, active_fragment_ids[0]!)).length;
    }).finally(() => {
      done = true;
    });
    await ingestion;
    expect(misses).toBe(0);
    expect(heavy).toBeGreaterThan(ROUNDS);
  });
});

describe('once', () => {
  // Switched off: `holder` of infra/embedded/admission/admission.ts finds nobody → "to have a length of 1 but
  // got 15".
  it('bills one of twenty identical requests in flight, and gives all of them the same ids', async () => {
    for (let n = 0; n < 5; n++) {
      const { client: own } = await signUp();
      const turns = [turn(n), turn(n + 1), turn(n, { role: 'assistant' })];
      const answers = await Promise.all(Array.from({ length: 20 }, () => own.ingest({ turns })));
      expect(answers.filter(({ usage }) => usage.tokens_in > 0)).toHaveLength(1);
      expect(
        new Set(answers.map(({ job_id, active_fragment_ids }) => `${job_id} ${active_fragment_ids}`)).size,
      ).toBe(1);
      const billed = answers.reduce((sum, { usage }) => sum + usage.tokens_in, 0);
      expect((await own.today()).tokens_in).toBe(billed);
    }
  });

  it('bills each turn of overlapping requests in flight once', async () => {
    const { client: own } = await signUp();
    const { client: other } = await signUp();
    const overlapping = Array.from({ length: 30 }, (_, n) => [turn(n), turn(n + 1), turn(n + 2)]);
    const answers = await Promise.all(overlapping.map(turns => own.ingest({ turns })));
    const all = await other.ingest({ turns: Array.from({ length: 32 }, (_, n) => turn(n)) });
    expect(answers.reduce((sum, { usage }) => sum + usage.tokens_in, 0)).toBe(all.usage.tokens_in);
    expect((await own.today()).tokens_in).toBe(all.usage.tokens_in);
  });

  it('keeps the first write of a turn: its options, its observations, its ids', async () => {
    const { client: own } = await signUp();
    const first = await own.ingest({ turns: [turn(1)], options: { write_passive: false } });
    const again = await own.ingest({
      turns: [turn(1, { observations: ['a later thought'] })],
      options: { write_active: false },
    });
    expect(again).toEqual({ ...first, usage: { tokens_in: 0, tokens_out: 0 } });
    await settled(server.url);
    const { hits } = await own.recall({ q: 'a later thought' });
    expect(hits.turns.map(hit => hit.id)).toEqual(first.active_fragment_ids);
    expect(hits.observations).toEqual([]);
  });

  // Switched off: infra/embedded/index/write/stored-usage.ts adds the usage of every copy → tokens_in 556,
  // not 278.
  it('changes nothing for records that are in the log twice', async () => {
    const own = await startServer({ environment });
    let one = await connect(own);
    const answer = await one.ingest({
      turns: Array.from({ length: 20 }, (_, n) => turn(n, { observations: [`told${n}`] })),
    });
    await settled(own.url);
    const queries = [0, 3, 8].map(n => ({ q: sentence(n), include_timeline: true }));
    const ask = async (): Promise<unknown[]> => {
      const answers: unknown[] = [];
      for (const query of queries) answers.push(withoutFreshness(await one.recall(query)));
      return answers;
    };
    const before = await ask();
    const usage = await one.today();
    await own.stop();
    await inFolder(own.dataDir, async ({ log, records }) => {
      const key = JSON.stringify(['local', 'owner', 'default-session']);
      for (const topic of ['turns', 'observations', 'usage'] as const) {
        for (const { value, headers } of await records(topic)) {
          await log.append([{ topic, key: topic === 'usage' ? 'local' : key, value, headers }]);
        }
      }
    });
    const again = await startServer({ environment, dataDir: own.dataDir });
    one = await connect(again);
    expect(await one.today()).toEqual(usage);
    expect(await ask()).toEqual(before);
    await settled(again.url);
    expect(await ask()).toEqual(before);
    expect(await one.ingest({ turns: [turn(4)] })).toMatchObject({
      active_fragment_ids: [answer.active_fragment_ids[4]],
      usage: { tokens_in: 0 },
    });
    const now = await one.today();
    await again.stop();
    expect(now).toMatchObject({ tokens_in: (await billedByLog(own.dataDir)).tokens_in });
  });
});

describe("nobody sees another's memory", () => {
  // Switched off: `readScope` (core/scope.ts) takes org_id from the body → the other's id, not the own.
  it('answers from the own organization alone, whatever the body says', async () => {
    const [one, two] = [await signUp(), await signUp()];
    const write = (n: number) => ({
      scope: { user_id: 'ada', session_id: 's' },
      turns: [turn(n, { observations: [`it cost ${n} euros`] })],
    });
    const a = await one.client.ingest(write(1));
    const b = await two.client.ingest(write(1));
    expect(b.usage).toEqual(a.usage);
    expect(b.active_fragment_ids).not.toEqual(a.active_fragment_ids);
    await settled(server.url);
    for (const scope of [
      { org_id: two.id },
      { org_id: two.id, user_id: 'ada' },
      { org_id: two.id, session_id: 's' },
    ]) {
      for (const mode of ['active', 'deep'] as const) {
        const { hits } = await one.client.recall({ q: sentence(1), scope, mode, top_k: 30 });
        expect(hits.turns.map(hit => hit.id)).toEqual(a.active_fragment_ids);
        expect(hits.observations.every(hit => hit.source_turn_ids![0] === a.active_fragment_ids[0])).toBe(
          true,
        );
      }
    }
    expect((await one.client.request('GET', `/ingestion/jobs/${b.job_id}`)).status).toBe(404);
    expect((await one.client.request('GET', `/ingestion/jobs/${b.passive_job_id}`)).status).toBe(404);
    expect((await two.client.today()).tokens_in).toBe(b.usage.tokens_in);
  });

  // Switched off: `retrieve` searches the organization for a user's scope → other hits, other scores.
  it('gives the same answer, to the last digit, whatever others have written', async () => {
    const [one, two] = [await signUp(), await signUp()];
    await one.client.ingest({
      scope: { user_id: 'ada' },
      turns: Array.from({ length: 12 }, (_, n) => turn(n)),
    });
    const ask = async (): Promise<unknown> => {
      const {
        usage: _,
        freshness: __,
        ...answer
      } = await one.client.recall({
        q: `${sentence(3)} kettle`,
        scope: { user_id: 'ada' },
        mode: 'deep',
      });
      return answer;
    };
    await settled(server.url);
    const before = await ask();
    const others = Array.from({ length: 40 }, (_, n) =>
      turn(n, { text: `${sentence(3)} and the kettle again`, role: 'Ada' }),
    );
    await two.client.ingest({ scope: { user_id: 'ada' }, turns: others });
    await one.client.ingest({ scope: { user_id: 'grace' }, turns: others });
    expect(await ask()).toEqual(before);
    await settled(server.url);
    expect(await ask()).toEqual(before);
  });

  it('keeps a principal without the role * to its own partition', async () => {
    const { client: owner } = await signUp();
    const mine = await owner.ingest({ scope: { user_id: 'ada' }, turns: [turn(1)] });
    const theirs = await owner.ingest({ scope: { user_id: 'grace' }, turns: [turn(1)] });
    const made = await owner.request<{ api_key: string }>('POST', '/me/api-keys', {
      name: 'for ada',
      user_id: 'ada',
      roles: ['memory:read', 'memory:write'],
    });
    const token = await accessToken(server.url, expectStatus(made, 201).api_key);
    const ada = await connect(server, token);
    expect((await ada.recall({ q: sentence(1) })).hits.turns.map(hit => hit.id)).toEqual(
      mine.active_fragment_ids,
    );
    const scope = { org_id: 'any', user_id: 'grace' };
    expect((await ada.request('POST', '/recall', { scope, q: sentence(1) })).status).toBe(403);
    const write = { scope, turns: [turn(1)] };
    expect((await ada.request<IngestAnswer>('POST', '/ingestion/memory', write)).status).toBe(403);
    expect((await ada.request('GET', `/ingestion/jobs/${theirs.job_id}`)).status).toBe(404);
  });
});
