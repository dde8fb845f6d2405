/** Holds what a build answers against what the build before answered. */
import { expect } from 'vitest';
import type { IngestAnswer } from '../../../schemas/http/ingestion.ts';
import { wordsIn } from '../files/find-words.ts';
import { accessToken, type Client, connect, inParallel, send } from '../http/client.ts';
import { sentence } from '../worlds/builders.ts';
import { listTurns } from '../worlds/list-passes.ts';
import { answersOf } from './answers.ts';
import { NEWCOMER } from './newcomer.ts';
import type { OrganizationThen, Write } from './world.ts';

const WORKERS = 4;

const ofOthers = <T extends { user_id: string }>(items: T[]): T[] =>
  items.filter(({ user_id }) => user_id !== NEWCOMER);

/** Everything is there, and nothing else but the newcomer's. */
export const expectAnswers = async (client: Client, { answers: then }: OrganizationThen): Promise<void> => {
  const { recalls, ...now } = await answersOf(client);
  const { recalls: before, ...others } = then;
  expect({
    ...now,
    turns: ofOthers(now.turns),
    observations: ofOthers(now.observations),
    entities: ofOthers(now.entities),
    users: ofOthers(now.users),
  }).toEqual(others);
  expect(recalls).toEqual(before);
};

/** Nothing that was erased is told by its id or its words. */
const expectErased = async (client: Client, { erased }: OrganizationThen): Promise<void> => {
  await inParallel(erased.length, WORKERS, async n => {
    const { ids, word, write } = erased[n]!;
    for (const id of ids) expect((await client.request('GET', `/memory/turns/${id}`)).status).toBe(404);
    const told = [];
    for (const mode of ['active', 'deep'] as const)
      told.push(
        await client.recall({ q: sentence(0), scope: { user_id: write.scope!.user_id! }, mode, top_k: 30 }),
      );
    expect(wordsIn(Buffer.from(JSON.stringify(told)), [word])).toEqual([]);
  });
};

/** Expects a write that is sent again to be known by its first ids and job, and to cost nothing. */
const expectKnown = async (
  client: Client,
  writes: readonly { write: Write; again: Pick<IngestAnswer, 'job_id' | 'active_fragment_ids'> }[],
): Promise<void> => {
  const before = await client.today();
  await inParallel(writes.length, WORKERS, async n => {
    const { write, again } = writes[n]!;
    const { job_id, active_fragment_ids } = again;
    expect(await client.ingest(write)).toMatchObject({
      job_id,
      active_fragment_ids,
      usage: { tokens_in: 0, tokens_out: 0 },
    });
  });
  expect(await client.today()).toEqual(before);
};

/** Expects that the revoked key is refused, and that the other reaches its own user. */
const expectKeys = async (url: string, { revokedKey, userKey }: OrganizationThen): Promise<void> => {
  const refused = await send(`${url}/auth/token-exchange`, 'POST', { api_key: revokedKey });
  // Forgotten a week after it was revoked: then it is like one that never was.
  expect([401, 403]).toContain(refused.status);
  const reader = await connect({ url, apiKey: userKey }, await accessToken(url, userKey));
  const turns = await listTurns(reader, 100);
  expect(turns.length).toBeGreaterThan(0);
  expect(new Set(turns.map(({ user_id }) => user_id))).toEqual(new Set(['ada']));
};

export const expectOrganization = async (url: string, then: OrganizationThen): Promise<Client> => {
  const client = await connect({ url, apiKey: then.apiKey });
  await expectAnswers(client, then);
  await expectErased(client, then);
  await expectKnown(client, then.writes);
  await expectKeys(url, then);
  return client;
};

/** An erased turn that is sent again is another turn; new turns join sessions that the build before began. */
export const expectNewWrites = async (
  client: Client,
  { erased, writes }: OrganizationThen,
): Promise<void> => {
  for (const { write, ids } of erased) {
    const { active_fragment_ids: now, usage } = await client.ingest(write);
    expect(usage.tokens_in).toBeGreaterThan(0);
    expect(now.filter(id => ids.includes(id))).toEqual([]);
  }
  const { scope } = writes[0]!.write;
  const text = 'The harpsichord was tuned in Valparaíso.';
  const timestamp = '2026-03-01T00:00:30Z';
  const {
    active_fragment_ids: [id],
  } = await client.ingest({ scope, turns: [{ role: 'user', text, timestamp }] });
  const { hits } = await client.recall({
    q: 'Who tuned the harpsichord?',
    scope: { user_id: scope!.user_id! },
  });
  expect(hits.turns.map(hit => hit.id)).toContain(id);
};

/** Every turn that was acknowledged to the newcomer is there, once, and is billed once. */
export const expectNewcomer = async (
  client: Client,
  acknowledged: readonly { write: Write; answer: IngestAnswer }[],
): Promise<void> => {
  const listed = (await listTurns(client, 100))
    .filter(({ user_id }) => user_id === NEWCOMER)
    .map(({ id }) => id);
  const expected = acknowledged.flatMap(({ answer }) => answer.active_fragment_ids);
  expect(listed.toSorted()).toEqual(expected.toSorted());
  await expectKnown(
    client,
    acknowledged.map(({ write, answer }) => ({ write, again: answer })),
  );
};
