/** The answers of an organization, in members that no later build and no later day may change. */
import type { EntityItem, ObservationItem, TurnItem, UserItem } from '../../../schemas/http/items.ts';
import type { UsageTotals } from '../../../schemas/http/usage.ts';
import { type Client, expectStatus } from '../http/client.ts';
import { sentence } from '../worlds/builders.ts';

/** The month of all that was billed. It is over: what a test bills is billed elsewhere. */
const MONTH = '2026-10';

const QUESTIONS = [
  { q: sentence(3), scope: { user_id: 'ada' } },
  { q: sentence(12), scope: { user_id: 'grace' } },
  { q: 'Who painted the violin?', scope: { user_id: 'ada' } },
  { q: 'What was worth a fortune?', scope: { user_id: 'edsger' } },
  { q: 'my aunt and the telescope', scope: { user_id: 'ada' }, mode: 'deep' as const },
];

interface KeyItem {
  id: string;
  name: string;
  roles: string[];
  user_id: string;
  created_at: string;
}

export interface Answers {
  turns: TurnItem[];
  observations: Pick<ObservationItem, 'user_id' | 'turn_id' | 'text' | 'source'>[];
  entities: Pick<EntityItem, 'user_id' | 'label' | 'turns'>[];
  users: UserItem[];
  keys: KeyItem[];
  days: UsageTotals[];
  limits: UsageTotals;
  /** The turns' ids of each question, best first. */
  recalls: string[][];
}

const listed = async <T>(client: Client, what: string): Promise<T[]> => {
  const found: T[] = [];
  for (let cursor = ''; ; ) {
    const answer = await client.request<Record<string, T[]> & { next_cursor: string | null }>(
      'GET',
      `/memory/${what}?limit=100${cursor}`,
    );
    const page = expectStatus(answer, 200);
    found.push(...page[what]!);
    if (page.next_cursor === null) return found;
    cursor = `&cursor=${page.next_cursor}`;
  }
};

const byText = <T>(items: T[]): T[] =>
  items
    .map(item => [JSON.stringify(item), item] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, item]) => item);

const recallsOf = async (client: Client): Promise<string[][]> => {
  const recalls: string[][] = [];
  for (const question of QUESTIONS) {
    const { hits } = await client.recall({ ...question, kinds: ['turn'], top_k: 5 });
    recalls.push(hits.turns.map(({ id }) => id));
  }
  return recalls;
};

/** The recalls come last: they are billed. */
export const answersOf = async (client: Client): Promise<Answers> => {
  const get = async <T>(path: string): Promise<T> => expectStatus(await client.request<T>('GET', path), 200);
  const { api_keys: keys } = await get<{ api_keys: KeyItem[] }>('/me/api-keys');
  const { days } = await get<{ days: UsageTotals[] }>(`/usage/daily?month=${MONTH}`);
  return {
    turns: byText(await listed<TurnItem>(client, 'turns')),
    observations: byText(
      (await listed<ObservationItem>(client, 'observations')).map(({ user_id, turn_id, text, source }) => ({
        user_id,
        turn_id,
        text,
        source,
      })),
    ),
    entities: byText(
      (await listed<EntityItem>(client, 'entities')).map(({ user_id, label, turns }) => ({
        user_id,
        label,
        turns,
      })),
    ),
    users: byText(await listed<UserItem>(client, 'users')),
    keys: byText(
      keys.map(({ id, name, roles, user_id, created_at }) => ({ id, name, roles, user_id, created_at })),
    ),
    days: days.filter(day => day.tokens_in > 0 || day.tokens_out > 0),
    limits: (await client.today()).limits,
    recalls: await recallsOf(client),
  };
};
