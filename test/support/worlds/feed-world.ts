/**
 * The feed under load, on either set of engines: what was acknowledged is told once and in order, whatever
 * breaks.
 */
import { expect } from 'vitest';
import { accessToken, connect, send } from '../http/client.ts';
import { openEvents, type Told } from '../http/event-stream.ts';
import { pause, until } from '../wait.ts';
import { sentence } from './builders.ts';

export interface FeedWorld {
  apiKey: string;
  /** Returns the URL of the process that answers now. */
  url(): string;
  /** kill -9 of what answers and projects, and a new start. */
  killAndRestart(): Promise<void>;
}

const WRITERS = 4;
const USERS = ['ada', 'grace'];

interface Acknowledged {
  user: string;
  session: string;
  number: number;
  text: string;
}

/** Follows with connections that last a few events, from wherever the last one was left. */
const followBrokenly = (world: FeedWorld, apiKey: string) => {
  const told: Told[] = [];
  let connections = 0;
  let isStopped = false;
  const running = (async () => {
    let last: string | undefined;
    while (!isStopped) {
      try {
        const token = await accessToken(world.url(), apiKey);
        // A browser says where it came to in the header, others in the address.
        const stream = await openEvents(
          world.url(),
          token,
          last === undefined ? {} : Math.random() < 0.5 ? { after: last } : { lastEventId: last },
        );
        if (stream.status !== 200) throw new Error(`status ${stream.status}`);
        connections++;
        const limit = 1 + Math.floor(Math.random() * 60);
        const late = setTimeout(() => stream.close(), 200 + Math.random() * 800);
        let taken = 0;
        try {
          for await (const one of stream.events()) {
            told.push(one);
            if (++taken === limit || isStopped) break;
          }
        } finally {
          clearTimeout(late);
          last = stream.lastId() ?? last;
          stream.close();
        }
      } catch {
        await pause(50);
      }
    }
  })();
  return {
    told,
    connections: () => connections,
    stop: async () => {
      isStopped = true;
      await running;
    },
  };
};

/** `enough`: turns to be acknowledged before the kill, and as many after it. */
export const checkFeedUnderLoad = async (world: FeedWorld, enough: number): Promise<void> => {
  const owner = await connect({ url: world.url(), apiKey: world.apiKey });
  const made = await owner.request<{ api_key: string }>('POST', '/me/api-keys', {
    name: 'reader of ada',
    roles: ['memory:read'],
    user_id: 'ada',
  });
  const all = followBrokenly(world, world.apiKey);
  const adas = followBrokenly(world, made.body.api_key);

  const acknowledged: Acknowledged[] = [];
  let isOver = false;
  const writer = async (w: number): Promise<void> => {
    const user = USERS[w % USERS.length]!;
    for (let n = 0; !isOver; n++) {
      const text = `${sentence(w * 10_000 + n)} w${w}n${n}.`;
      const body = {
        scope: { org_id: 'any', user_id: user, session_id: `session-${w}` },
        turns: [
          {
            role: 'user',
            text,
            timestamp: new Date(Date.UTC(2026, 2, 1) + n * 1_000).toISOString(),
            ...(n % 3 === 0 && { observations: [`w${w}n${n} matters`] }),
          },
        ],
      };
      // The same write until somebody acknowledges it: a session's order is that of its writes.
      for (;;) {
        try {
          const token = await accessToken(world.url(), world.apiKey);
          const answer = await send(`${world.url()}/ingestion/memory`, 'POST', body, token);
          if (answer.status === 202) break;
        } catch {
          // Cut off.
        }
        await pause(50);
      }
      acknowledged.push({ user, session: `session-${w}`, number: n, text });
    }
  };
  const writers = Promise.all(Array.from({ length: WRITERS }, (_, w) => writer(w)));
  const atLeast = (count: number): Promise<void> =>
    until(`${count} turns are acknowledged`, () => acknowledged.length >= count, 100_000);
  await atLeast(enough);
  await world.killAndRestart();
  await atLeast(2 * enough);
  isOver = true;
  await writers;

  const turnsOf = (told: readonly Told[]): Told[] => told.filter(({ event }) => event === 'turn');
  const own = acknowledged.filter(({ user }) => user === 'ada');
  const facts = (of: readonly Acknowledged[]): number => of.filter(({ number }) => number % 3 === 0).length;
  const said = (told: readonly Told[]): number => told.filter(({ data }) => data.source === 'client').length;
  await until(
    'every turn and every observation was told',
    () => {
      for (const [followed, of] of [
        [all.told, acknowledged],
        [adas.told, own],
      ] as const) {
        const missing = of.length - turnsOf(followed).length;
        if (missing > 0 || said(followed) < facts(of)) throw new Error(`${missing} turns are missing`);
      }
      return true;
    },
    60_000,
  );
  // Repetitions by a wrong position come with the next connections.
  const connections = all.connections();
  await until('two more connections', () => all.connections() >= connections + 2, 60_000);
  await Promise.all([all.stop(), adas.stop()]);

  expect(all.connections()).toBeGreaterThan(5);
  for (const [followed, of] of [
    [all.told, acknowledged],
    [adas.told, own],
  ] as const) {
    const texts = turnsOf(followed).map(({ data }) => data.text as string);
    expect([...texts].sort()).toEqual(of.map(({ text }) => text).sort());
    expect(new Set(followed.map(({ data }) => data.id)).size).toBe(followed.length);
    for (const session of new Set(of.map(each => each.session))) {
      const numbers = turnsOf(followed)
        .filter(({ data }) => data.session_id === session)
        .map(({ data }) => Number(/n(\d+)\.$/.exec(data.text)![1]));
      expect(numbers).toEqual(numbers.map((_, i) => i));
    }
    const seen = new Set<string>();
    for (const { data } of followed) {
      for (const turn of data.source_turn_ids ?? []) expect(seen.has(turn)).toBe(true);
      seen.add(data.id);
    }
  }
  expect(new Set(adas.told.map(({ data }) => data.user_id))).toEqual(new Set(['ada']));
};
