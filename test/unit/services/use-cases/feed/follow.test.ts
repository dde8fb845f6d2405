import { describe, expect, it } from 'vitest';
import { unavailable } from '../../../../../core/errors.ts';
import type { FeedMessage } from '../../../../../core/use-cases.ts';
import type { Feed } from '../../../../../services/use-cases/feed/feed.ts';
import { type FollowOptions, follow } from '../../../../../services/use-cases/feed/follow.ts';
import { encodePosition } from '../../../../../services/use-cases/feed/position.ts';
import type { FeedItem } from '../../../../../services/use-cases/feed/read-page.ts';

const item = (offset: number): FeedItem => ({
  entry: {
    fragment: {
      id: `obs_${offset}`,
      kind: 'observation',
      user: 'ada',
      session: 's',
      role: 'user',
      text: `fact ${offset}`,
      timestamp: 1_500,
      sourceTurnId: 'trn_1',
      source: 'rules',
    },
    topic: 'observations',
    partition: 0,
    offset,
    recordedAt: Date.UTC(2026, 2, 10),
    metadata: [],
    superseded: false,
  },
  position: { 'observations/0': { offset: offset + 1 } },
});

/** A feed of these items, a page of one each, and then of nothing. */
const feedOf = (items: FeedItem[], onClose = () => {}): Feed => ({
  open: (_scope, from) => {
    let position = from;
    return {
      read: async () => {
        const at = position['observations/0']?.offset ?? 0;
        const page = items.slice(at, at + 1);
        position = page[0]?.position ?? position;
        return { items: page, position, named: new Set(Object.keys(position)), isFull: page.length > 0 };
      },
      more: (ms, signal) =>
        new Promise<void>(resolve => {
          setTimeout(resolve, ms).unref();
          if (signal.aborted) resolve();
          else signal.addEventListener('abort', () => resolve(), { once: true });
        }),
      close: onClose,
    };
  },
  namesAt: async () => new Set(),
  ends: async () => ({}),
});

const following = (changes: Partial<FollowOptions>) =>
  follow({
    feed: feedOf([]),
    scope: { org: 'acme' },
    from: {},
    signal: new AbortController().signal,
    isAllowed: async () => true,
    askEveryMs: 5,
    ...changes,
  });

const all = async (messages: AsyncIterable<FeedMessage>): Promise<FeedMessage[]> => {
  const told: FeedMessage[] = [];
  for await (const message of messages) told.push(message);
  return told;
};

describe('following the feed', () => {
  it('tells each item with the position behind it, and ends with the token', async () => {
    let asked = 0;
    const told = await all(
      following({ feed: feedOf([item(0), item(1)]), isAllowed: async () => ++asked < 3 }),
    );
    expect(told.map(({ kind }) => kind)).toEqual(['beat', 'item', 'item']);
    expect(told[2]).toEqual({
      kind: 'item',
      position: encodePosition({ 'observations/0': { offset: 2 } }),
      data: {
        id: 'obs_1',
        text: 'fact 1',
        kind: 'observation',
        timestamp: '1.500',
        user_id: 'ada',
        session_id: 's',
        source_turn_ids: ['trn_1'],
        source: 'rules',
        recorded_at: '2026-03-10T00:00:00.000Z',
      },
    });
    expect(asked).toBe(3);
  });

  it('goes on while nobody can tell about the token, for a while', async () => {
    const outcomes = [unavailable('Redis is away.'), undefined];
    const told = await all(
      following({
        isAllowed: async () => {
          const outcome = outcomes.shift();
          if (outcome) throw outcome;
          return false;
        },
      }),
    );
    expect(told).toHaveLength(1);
    expect(outcomes).toEqual([]);
  });

  it('breaks with what the token check throws, and with what the index throws', async () => {
    const broken = new Error('a fault');
    await expect(all(following({ isAllowed: () => Promise.reject(broken) }))).rejects.toBe(broken);
    let closed = 0;
    const { open, ...rest } = feedOf([], () => void closed++);
    const feed: Feed = {
      open: (...of) => ({ ...open(...of), read: () => Promise.reject(broken) }),
      ...rest,
    };
    await expect(all(following({ feed }))).rejects.toBe(broken);
    expect(closed).toBe(1);
  });

  it('beats while there is nothing to tell, and ends when its reader goes', async () => {
    const gone = new AbortController();
    let beats = 0;
    for await (const { kind } of following({ beatMs: 10, signal: gone.signal })) {
      expect(kind).toBe('beat');
      if (++beats === 4) gone.abort();
    }
    expect(beats).toBe(4);
  });
});
