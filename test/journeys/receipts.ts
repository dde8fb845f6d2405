/**
 * Checks that what recalls answered is read again: at once, after a replay, after an erasure, and by whom.
 * The same in both modes.
 */
import { expect } from 'vitest';
import type { RecallAnswer } from '../../schemas/http/recall.ts';
import type { ReceiptAnswer, ReceiptHitItem } from '../../schemas/http/receipts.ts';
import { type Client, connect, expectStatus, send, settled } from '../support/http/client.ts';

/** In the questions alone: no turn says it. */
export const ASKED = 'periwinkle';

const said = (user: string, session: string, n: number) => ({
  scope: { user_id: user, session_id: session },
  turns: [
    {
      role: 'Ada',
      text: `My sister Zora moved to Tallinn with her ${user}${session} kettle.`,
      timestamp: `2026-01-0${n}T09:30:00Z`,
      observations: [
        { text: `Zora lives in Tallinn (${session}).`, subject: 'Zora', attribute: 'home', value: 'Tallinn' },
      ],
    },
  ],
});

export interface Kept {
  id: string;
  q: string;
  answer: RecallAnswer;
  /** As it was first read. */
  first: ReceiptAnswer;
}

export interface Receipts {
  ofSession: Kept;
  ofUser: Kept;
  ofAll: Kept;
  context: Kept;
}

const read = async (client: Client, id: string): Promise<ReceiptAnswer> =>
  expectStatus(await client.request<ReceiptAnswer>('GET', `/recalls/${id}`), 200);

const shown = ({ hits }: RecallAnswer) =>
  [...hits.turns, ...hits.observations, ...hits.entities].map(hit => ({
    kind: hit.kind,
    used_in: 'hits',
    status: 'shown',
    score: hit.score,
    id: hit.id,
    ...(hit.kind === 'entity'
      ? { label: hit.label }
      : {
          text: hit.text,
          content: hit.content,
          said_at: hit.said_at,
          user_id: hit.user_id,
          session_id: hit.session_id,
          ...(hit.kind === 'turn' ? { role: hit.role } : { source: hit.source }),
        }),
  }));

const ofKind = (hits: readonly { kind: string }[]) => Object.groupBy(hits, ({ kind }) => kind);

const ask = async (client: Client, scope: object, more: object = {}): Promise<Kept> => {
  const q = `Where does Zora live, and what of the ${ASKED}?`;
  const answer = await client.recall({ q, scope, top_k: 30, receipt: true, ...more });
  const id = answer.receipt_id!;
  const { tokens_out: billed } = await client.today();
  const first = await read(client, id);
  expect((await client.today()).tokens_out).toBe(billed);
  expect(first).toMatchObject({
    receipt_id: id,
    q,
    mode: 'active',
    as_of: null,
    confidence: answer.confidence,
    ranker: expect.stringMatching(/^\d{4}-\d\d-\d\d-[0-9a-f]{12}$/),
  });
  expect(Date.parse(first.expires_at) - Date.parse(first.recalled_at)).toBe(90 * 24 * 3_600_000);
  return { id, q, answer, first };
};

/** Asks what was just written, and again once it is projected. */
export const keepReceipts = async (url: string, client: Client): Promise<Receipts> => {
  for (const [n, [user, session]] of [
    ['ada', 'monday'],
    ['ada', 'friday'],
    ['grace', 'monday'],
  ].entries())
    await client.ingest(said(user!, session!, n + 1));
  const waiting = await ask(client, { user_id: 'ada' });
  expect(ofKind(waiting.first.hits)).toEqual(ofKind(shown(waiting.answer)));
  await settled(url);
  expect(await read(client, waiting.id)).toEqual(waiting.first);

  const ofSession = await ask(client, { user_id: 'ada', session_id: 'monday' });
  const ofUser = await ask(client, { user_id: 'ada' });
  const ofAll = await ask(client, {}, { mode: 'active' });
  for (const { first, answer } of [ofSession, ofUser, ofAll]) {
    // The same hits, and the same order within the lists of the answer and over all of them.
    expect(ofKind(first.hits)).toEqual(ofKind(shown(answer)));
    expect(first.hits.map(({ score }) => score)).toEqual(
      first.hits.map(({ score }) => score!).sort((a, b) => b - a),
    );
  }
  expect(new Set(ofUser.first.hits.map(({ kind }) => kind))).toEqual(
    new Set(['turn', 'observation', 'entity']),
  );
  const context = await ask(client, { user_id: 'ada' }, { include_context: true, include_hits: false });
  const used = Object.groupBy(context.first.hits, hit => hit.used_in);
  expect(used.hits).toBeUndefined();
  expect(used.context!.length).toBeGreaterThan(1);
  expect(used.facts!.length).toBeGreaterThan(0);
  for (const fact of used.facts!)
    expect(fact).toMatchObject({ kind: 'observation', status: 'shown', score: null });
  // Only what the context quotes is given back.
  for (const { content } of used.context!) expect(context.answer.context).toContain(content);
  // Without receipt: true nothing is kept.
  expect((await client.recall({ q: 'Who moved?' })).receipt_id).toBeUndefined();
  return { ofSession, ofUser, ofAll, context };
};

/** A receipt says the same as before. */
export const expectSame = async (client: Client, receipts: Receipts): Promise<void> => {
  for (const { id, first } of Object.values(receipts) as Kept[])
    expect(await read(client, id)).toEqual(first);
};

/** Expects that a receipt may be read by those who could have asked, and nobody else. */
export const expectOnlyAskersRead = async (
  url: string,
  client: Client,
  { ofSession, ofUser, ofAll }: Receipts,
): Promise<void> => {
  const withKey = async (key: object) => {
    const made = expectStatus(
      await client.request<{ api_key: string }>('POST', '/me/api-keys', { name: 'n', ...key }),
      201,
    );
    return connect({ url, apiKey: made.api_key });
  };
  const statuses = async (reader: Client): Promise<number[]> => {
    const found: number[] = [];
    for (const { id } of [ofSession, ofUser, ofAll])
      found.push((await reader.request('GET', `/recalls/${id}`)).status);
    return found;
  };
  const roles = ['memory:read'];
  expect(await statuses(await withKey({ roles, user_id: 'ada' }))).toEqual([200, 200, 404]);
  expect(await statuses(await withKey({ roles, user_id: 'grace' }))).toEqual([404, 404, 404]);
  expect(await statuses(await withKey({ roles: ['memory:write'], user_id: 'ada' }))).toEqual([403, 403, 403]);
  const strict = { roles: ['*'], user_id: 'ada', strict: true };
  expect(await statuses(await withKey({ ...strict, session_id: 'monday' }))).toEqual([200, 404, 404]);
  expect(await statuses(await withKey({ ...strict, session_id: 'friday' }))).toEqual([404, 404, 404]);
  expect(await statuses(await withKey(strict))).toEqual([200, 200, 404]);
  const { body } = await send<{ api_key: string }>(`${url}/signup`, 'POST', { org_id: 'strangers' });
  expect(await statuses(await connect({ url, apiKey: body.api_key }))).toEqual([404, 404, 404]);

  const [event, partition, offset] = ofUser.id.split('.');
  const other = `${event!.slice(0, -4)}${event!.endsWith('0000') ? '1111' : '0000'}`;
  for (const id of [
    event,
    `${other}.${partition}.${offset}`,
    `${event}.${partition}.${Number(offset) + 1}`,
    `${event}.${partition}.999999999999999`,
    `${event}.99999.0`,
    `${event}.-1.0`,
    'rcl_1',
    '%F0%9F%92%A9',
  ])
    expect([id, (await client.request('GET', `/recalls/${id}`)).status]).toEqual([id, 404]);
};

const ofTurn = (hits: readonly ReceiptHitItem[], session: string, user = 'ada') =>
  hits.find(hit => hit.kind === 'turn' && hit.session_id === session && hit.user_id === user)!;

type Feedback = { hit_id: string; verdict: string };

const judge = (client: Client, id: string, body: Partial<Feedback>) =>
  client.request<Feedback>('POST', `/recalls/${id}/feedback`, body);

/**
 * Says of some hits what they were worth. The receipts are then what they were before, with that: `first` is
 * read anew.
 */
export const judgeHits = async (url: string, client: Client, receipts: Receipts): Promise<void> => {
  const { ofUser, ofAll } = receipts;
  const turn = ofTurn(ofUser.first.hits, 'monday').id!;
  const seen = ofUser.first.hits.find(({ kind }) => kind === 'observation')!.id!;
  const entity = ofUser.first.hits.find(({ kind }) => kind === 'entity')!.id!;
  const verdicts = async (id: string) => {
    const { hits, feedback } = await read(client, id);
    const of = (hit: string) => hits.find(one => one.id === hit)?.verdict;
    return { turn: of(turn), seen: of(seen), feedback };
  };
  expect(await verdicts(ofUser.id)).toEqual({
    turn: undefined,
    seen: undefined,
    feedback: { helpful: 0, wrong: 0 },
  });
  const say = async (hit_id: string, verdict: string) =>
    expect(expectStatus(await judge(client, ofUser.id, { hit_id, verdict }), 200)).toEqual({
      receipt_id: ofUser.id,
      hit_id,
      verdict,
    });
  await say(turn, 'wrong');
  await say(seen, 'helpful');
  expect(await verdicts(ofUser.id)).toEqual({
    turn: 'wrong',
    seen: 'helpful',
    feedback: { helpful: 1, wrong: 1 },
  });
  // The last verdict of a hit counts, also where it was said before.
  for (const verdict of ['helpful', 'wrong', 'helpful']) await say(turn, verdict);
  const judged = { turn: 'helpful', seen: 'helpful', feedback: { helpful: 2, wrong: 0 } };
  expect(await verdicts(ofUser.id)).toEqual(judged);
  // It is said of that recall, not of the turn.
  expect((await verdicts(ofAll.id)).feedback).toEqual({ helpful: 0, wrong: 0 });

  const exported = async (): Promise<{ data: Feedback & { user_id: string; recall_id: string } }[]> => {
    const { body } = await client.request<string>('GET', '/export');
    return String(body)
      .split('\n')
      .filter(line => line.includes('"recall.judged"'))
      .map(line => JSON.parse(line));
  };
  const before = await exported();
  expect(before).toHaveLength(5);
  expect(before.at(-1)!.data).toMatchObject({
    user_id: 'ada',
    recall_id: ofUser.id.split('.')[0],
    hit_id: turn,
    verdict: 'helpful',
  });
  // The same again appends nothing.
  await say(turn, 'helpful');
  expect(await exported()).toEqual(before);

  const status = async (by: Client, id: string, body: object) => (await judge(by, id, body)).status;
  const told = { hit_id: turn, verdict: 'wrong' };
  for (const hit_id of [
    entity,
    'trn_01c1867ad1376fca818c9058dcbb892e',
    'none',
    ofTurn(ofAll.first.hits, 'monday', 'grace').id!,
  ])
    expect([hit_id, await status(client, ofUser.id, { ...told, hit_id })]).toEqual([hit_id, 404]);
  expect(await status(client, 'rcl_1', told)).toBe(404);
  for (const body of [{ verdict: 'wrong' }, { ...told, verdict: 'great' }, { ...told, hit_id: 7 }])
    expect(await status(client, ofUser.id, body)).toBe(400);
  expect(await status(client, ofUser.id, { ...told, hit_id: '' })).toBe(422);
  const withKey = async (key: object) => {
    const made = expectStatus(
      await client.request<{ api_key: string }>('POST', '/me/api-keys', { name: 'n', ...key }),
      201,
    );
    return connect({ url, apiKey: made.api_key });
  };
  const reader = { roles: ['memory:read'] };
  expect(await status(await withKey({ ...reader, user_id: 'grace' }), ofUser.id, told)).toBe(404);
  expect(await status(await withKey({ ...reader, user_id: 'ada' }), ofAll.id, told)).toBe(404);
  expect(await status(await withKey({ roles: ['memory:write'] }), ofUser.id, told)).toBe(403);
  expect(await verdicts(ofUser.id)).toEqual(judged);
  // A key of the user itself may say it.
  const own = await withKey({ ...reader, user_id: 'ada' });
  expect(await status(own, ofUser.id, { hit_id: seen, verdict: 'helpful' })).toBe(200);
  for (const kept of Object.values(receipts) as Kept[]) kept.first = await read(client, kept.id);
};

/** Expects what is hidden or erased to be marked in the receipts of before, and so the question. */
export const expectErased = async (client: Client, receipts: Receipts): Promise<void> => {
  const { ofSession, ofUser, ofAll, context } = receipts;
  const erase = async (scope: object) =>
    expectStatus(await client.request('DELETE', '/memory', { scope: { org_id: 'any', ...scope } }), 200);

  const hidden = ofTurn(ofUser.first.hits, 'friday');
  expectStatus(await client.request('DELETE', `/memory/turns/${hidden.id}`), 204);
  const after = await read(client, ofUser.id);
  expect(after.hits.map(({ kind, used_in, score }) => [kind, used_in, score])).toEqual(
    ofUser.first.hits.map(({ kind, used_in, score }) => [kind, used_in, score]),
  );
  expect(after.hits.find(({ id }) => id === hidden.id)).toEqual({
    kind: 'turn',
    used_in: 'hits',
    status: 'erased',
    id: hidden.id,
    score: hidden.score,
  });
  expect(after.q).toBe(ofUser.q);
  expect(ofTurn(after.hits, 'monday')).toEqual(ofTurn(ofUser.first.hits, 'monday'));
  expect(JSON.stringify(after)).not.toContain('adafriday');

  await erase({ user_id: 'ada', session_id: 'monday' });
  const session = await read(client, ofSession.id);
  expect(session.q).toBeNull();
  for (const [n, hit] of session.hits.entries()) {
    const { kind, used_in, score, id } = ofSession.first.hits[n]!;
    expect(hit).toEqual({ kind, used_in, score, status: 'erased', id: kind === 'turn' ? id : null });
  }
  // The user's own key lives.
  for (const kept of [ofUser, context]) {
    const { q, hits } = await read(client, kept.id);
    expect([q, new Set(hits.map(({ status }) => status))]).toEqual([kept.q, new Set(['erased'])]);
    for (const { kind, id } of hits) if (kind !== 'turn') expect(id).toBeNull();
  }
  const all = await read(client, ofAll.id);
  expect(all.q).toBe(ofAll.q);
  expect(ofTurn(all.hits, 'monday', 'grace')).toEqual(ofTurn(ofAll.first.hits, 'monday', 'grace'));
  expect(JSON.stringify(all)).not.toContain('adamonday');

  await erase({ user_id: 'ada' });
  for (const { id } of [ofSession, ofUser, context]) {
    const { q, hits, feedback } = await read(client, id);
    expect([q, new Set(hits.map(({ status }) => status))]).toEqual([null, new Set(['erased'])]);
    expect(feedback).toEqual({ helpful: 0, wrong: 0 });
  }
  const again = await judge(client, ofUser.id, {
    hit_id: ofTurn(ofUser.first.hits, 'monday').id!,
    verdict: 'wrong',
  });
  expect(again.status).toBe(404);
  const { body: left } = await client.request<string>('GET', '/export');
  expect(String(left)).not.toContain('recall.judged');
  expect((await read(client, ofAll.id)).q).toBe(ofAll.q);
};
