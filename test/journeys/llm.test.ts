import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ChatServer, replies, SECRET_ECHO, startChatServer } from '../support/http/chat-server.ts';
import { accessToken, type Client, connect, metric, send, settled } from '../support/http/client.ts';
import { type Server, startServer } from '../support/processes/server.ts';
import { until } from '../support/wait.ts';
import { sentence, turn } from '../support/worlds/builders.ts';
import { forgetProjections } from '../support/worlds/generations.ts';

/** The service with a language model behind it, from the write to the answer. */
const KEY = 'sk-swordfish';
let llm: ChatServer;
let servers: Server[];
beforeEach(async () => {
  llm = await startChatServer();
  servers = [];
});
afterEach(async () => {
  await Promise.all(servers.map(server => server.stop()));
  await llm.close();
});

const start = async (dataDir?: string): Promise<Server> => {
  const server = await startServer({
    ...(dataDir !== undefined && { dataDir }),
    environment: {
      TURNSTONE_EXTRACTOR: 'llm',
      TURNSTONE_LLM_BASE_URL: llm.url,
      TURNSTONE_LLM_MODEL: 'tiny',
      TURNSTONE_LLM_API_KEY: KEY,
      TURNSTONE_LOG_LEVEL: 'info',
    },
  });
  servers.push(server);
  return server;
};
const scope = { user_id: 'ada', session_id: 's1' };
const write = (client: Client, ...texts: string[]) =>
  client.ingest({ scope, turns: texts.map((text, n) => turn(n, { role: 'Ada', text })) });
const observationsOf = async (client: Client, q: string) =>
  (await client.recall({ q, kinds: ['observation'], top_k: 5 })).hits.observations.map(
    ({ text, source, source_turn_ids }) => ({ text, source, source_turn_ids }),
  );

describe('the extractor llm', () => {
  it('finds observations and entities, and is asked once a turn for ever', async () => {
    llm.reply(({ speaker, text }) =>
      replies.found({
        observations: [{ text: `${speaker} told of Hadrian: ${text}` }],
        entities: [{ label: 'Hadrian', kind: 'person' }],
      }),
    );
    const first = await start();
    const token = await accessToken(first.url, first.apiKey);
    const client = await connect(first, token);
    const texts = Array.from({ length: 40 }, (_, n) => sentence(n));
    const { job_id, active_fragment_ids } = await write(client, ...texts);
    await settled(first.url);
    expect(await client.job(job_id)).toMatchObject({
      status: 'done',
      turns: 40,
      observations: 40,
      reason: null,
    });
    expect(llm.texts().toSorted()).toEqual(texts.toSorted());
    expect(llm.requests[0]!.headers.authorization).toBe(`Bearer ${KEY}`);
    expect(await metric(first.url, 'turnstone_llm_requests')).toBe(40);

    const q = `${texts[7]}?`;
    const answers = await observationsOf(client, q);
    expect(answers).toContainEqual({
      text: `Ada told of Hadrian: ${texts[7]}`,
      source: 'llm',
      source_turn_ids: [active_fragment_ids[7]],
    });
    const { hits } = await client.recall({ q: 'Hadrian', kinds: ['entity'] });
    expect(hits.entities.map(({ label }) => label)).toEqual(['Hadrian']);

    // A replay takes what the log has: started again, with the projections and without.
    for (const forget of [false, true]) {
      const before = servers.pop()!;
      expect(await before.stop()).toBe(0);
      if (forget) forgetProjections(before.dataDir);
      const again = await start(first.dataDir);
      await settled(again.url);
      const client = await connect(again, token);
      expect(await observationsOf(client, q)).toEqual(answers);
      // The next turn of the session comes after all that the enricher might read anew.
      texts.push(`A later turn, ${texts.length}.`);
      await write(client, texts.at(-1)!);
      await until('it was asked for', () => llm.texts().includes(texts.at(-1)!));
      expect(llm.texts().toSorted()).toEqual(texts.toSorted());
      await settled(again.url);
      expect(await metric(again.url, 'turnstone_llm_requests')).toBe(1);
    }
  });

  it('tells on the job what it gave a turn up for, and the turn can still be recalled', async () => {
    llm.reply(({ text }) =>
      text.includes('walrus')
        ? replies.refusal()
        : text.includes('ibex')
          ? replies.status(400)
          : replies.found({}),
    );
    const server = await start();
    const client = await connect(server);
    const jobs = [];
    for (const text of ['The walrus has my passport.', 'An ibex ate it.', 'All is well.'])
      jobs.push((await write(client, text)).job_id);
    await settled(server.url, 60_000);
    const states = await Promise.all(jobs.map(job => client.job(job)));
    expect(states.map(({ status, reason }) => [status, reason])).toEqual([
      ['failed', 'the language model gave a refusal'],
      ['failed', 'the language model gave HTTP 400'],
      ['done', null],
    ]);
    const { hits } = await client.recall({ q: 'Who has the passport?', kinds: ['turn'], top_k: 1 });
    expect(hits.turns[0]!.text).toContain('The walrus has my passport.');
    expect(await metric(server.url, 'turnstone_llm_turns_given_up')).toBe(2);
  });

  it('waits for an endpoint that is away: nothing fails, all else works, nothing is told of words or keys', async () => {
    llm.reply(() => replies.status(401));
    const server = await start();
    const client = await connect(server);
    const texts = Array.from({ length: 30 }, (_, n) => `My swan is called Olaf${n}.`);
    const { job_id } = await write(client, ...texts);
    await until(
      'it is known to be away',
      async () => (await metric(server.url, 'turnstone_llm_waiting')) === 1,
    );
    expect(await client.job(job_id)).toMatchObject({
      status: 'queued',
      reason: 'waits for the language model: HTTP 401',
    });
    const ready = await send<{ engines: Record<string, unknown> }>(`${server.url}/readyz`, 'GET');
    expect(ready.status).toBe(200);
    expect(ready.body.engines.enricher).toEqual({
      ok: true,
      detail: 'waits for the language model: HTTP 401',
    });
    const { hits } = await client.recall({ q: 'What is my swan called?', kinds: ['turn'], top_k: 3 });
    expect(hits.turns).toHaveLength(3);

    // It may be stopped meanwhile, and killed: the turns wait in the log.
    expect(await servers.pop()!.stop()).toBe(0);
    const second = await start(server.dataDir);
    await until('it is away again', async () => (await metric(second.url, 'turnstone_llm_waiting')) === 1);
    await second.kill();
    servers.pop();
    llm.reply(({ text }) => replies.found({ observations: [{ text }] }));
    const third = await start(server.dataDir);
    await settled(third.url);
    expect(await (await connect(third)).job(job_id)).toMatchObject({ status: 'done', observations: 30 });

    const told = [server, second, third].map(each => each.stdout() + each.stderr()).join('\n');
    expect(told).toContain('waits for the language model');
    for (const words of [KEY, SECRET_ECHO, 'swan', 'Olaf']) expect(told).not.toContain(words);
  });

  it('goes on by itself when the endpoint is back', async () => {
    llm.reply(() => replies.status(503));
    const server = await start();
    const client = await connect(server);
    const { job_id } = await write(client, 'The gander is called Nils.');
    await until('it is away', async () => (await metric(server.url, 'turnstone_llm_waiting')) === 1, 60_000);
    llm.reply(() => replies.found({ observations: [{ text: "Ada's gander is called Nils." }] }));
    await settled(server.url, 60_000);
    expect(await client.job(job_id)).toMatchObject({ status: 'done', observations: 1 });
    expect(await metric(server.url, 'turnstone_llm_waiting')).toBe(0);
  });
});
