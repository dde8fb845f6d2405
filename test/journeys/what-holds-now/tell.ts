import { expect } from 'vitest';
import type { FactItem } from '../../../schemas/http/items.ts';
import type { Facts } from '../../../schemas/http/lists.ts';
import type { Client } from '../../support/http/client.ts';
import { until } from '../../support/wait.ts';
import type { Story } from './stories.ts';

/** Writes what is told, one call a turn, and waits until it is enriched. */
export const tell = async (client: Client, user: string, { turns }: Pick<Story, 'turns'>): Promise<void> => {
  for (const [role, text, timestamp] of turns) {
    const { passive_job_id: id } = await client.ingest({
      scope: { user_id: user },
      turns: [{ role, text, timestamp }],
    });
    if (id === null) continue;
    await until('it is enriched', async () => (await client.job(id)).status === 'done');
  }
};

/** Asks what the story asks: the first turn, what is marked, what the profile says. */
export const check = async (
  client: Client,
  user: string,
  { asks, holds = {}, relations = {} }: Story,
): Promise<void> => {
  for (const { q, first, old = [], later = [] } of asks) {
    const { hits, context } = await client.recall({ scope: { user_id: user }, q, include_context: true });
    const marked = hits.turns.flatMap(hit => (hit.later === undefined ? [] : [[hit.content, hit.later]]));
    const expected = later.map(text => [text, hits.turns[0]!.id]);
    if (old.length === 0) expect.soft(marked, q).toEqual(expected);
    // It labels, and leaves nothing out of a context.
    for (const text of later) expect.soft(context).toContain(text);
    expect.soft(hits.turns[0]?.content, q).toContain(first);
    for (const text of old) {
      const hit = hits.turns.find(({ content }) => content === text);
      expect.soft(hit?.superseded_by ?? 'no hit', `${q}: ${text}`).toMatch(/^obs_|^no hit$/);
    }
    const asked = hits.observations.filter(({ attribute }) => attribute !== undefined);
    for (const { text, superseded_by } of asked) {
      const isOfPast = /before/.test(q);
      if (!isOfPast) expect.soft(superseded_by, text).toBeUndefined();
    }
  }
  for (const [attribute, values] of Object.entries(holds)) {
    const facts = await factsOf(client, { user_id: user, attribute });
    expect.soft(facts.map(({ value }) => value).sort(), attribute).toEqual([...values].sort());
    for (const { session_id, value, value_id } of facts) {
      expect.soft(session_id).toBe('default-session');
      // By the id or by the label, and page by page, the same facts name it.
      for (const named of [value_id, value])
        expect
          .soft(await factsOf(client, { user_id: user, attribute, value: named, limit: '1' }))
          .toEqual(facts.filter(fact => fact.value_id === value_id));
    }
  }
  for (const [name, attributes] of Object.entries(relations)) {
    const facts = await factsOf(client, { user_id: user, value: name });
    expect
      .soft(
        facts.map(({ attribute }) => attribute),
        name,
      )
      .toEqual(attributes);
  }
};

/** All pages of them. */
const factsOf = async (
  client: Client,
  query: Record<string, string>,
  cursor?: string,
): Promise<FactItem[]> => {
  const asked = new URLSearchParams({ ...query, ...(cursor !== undefined && { cursor }) });
  const { facts, next_cursor } = (await client.request<Facts>('GET', `/memory/facts?${asked}`)).body;
  return next_cursor === null ? facts : [...facts, ...(await factsOf(client, query, next_cursor))];
};
