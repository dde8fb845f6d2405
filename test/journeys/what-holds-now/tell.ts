import { expect } from 'vitest';
import type { Facts } from '../../../schemas/http/lists.ts';
import type { Client } from '../../support/client.ts';
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
export const check = async (client: Client, user: string, { asks, holds = {} }: Story): Promise<void> => {
  for (const { q, first, old = [] } of asks) {
    const { hits } = await client.recall({ scope: { user_id: user }, q });
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
    const { body } = await client.request<Facts>(
      'GET',
      `/memory/facts?user_id=${user}&attribute=${attribute}`,
    );
    expect.soft(body.facts.map(({ value }) => value).sort(), attribute).toEqual([...values].sort());
  }
};
