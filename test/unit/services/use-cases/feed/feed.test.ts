import { describe, expect, it } from 'vitest';
import { type FeedStream, makeFeed } from '../../../../../services/use-cases/feed/feed.ts';
import { makeFeedLog, partitionIn } from '../../../../support/worlds/feed-log.ts';

const NAMES = ['turns/0', 'turns/1', 'observations/0', 'observations/1'];
const makeWorld = () => makeFeedLog(NAMES);

/** A reader that reads to the end whenever it is woken. */
const follow = (stream: FeedStream, limit: number) => {
  const gone = new AbortController();
  const told: string[] = [];
  let fault: unknown;
  const running = (async () => {
    while (!gone.signal.aborted) {
      const page = await stream.read(limit);
      told.push(...page.items.map(({ entry }) => entry.fragment.id));
      if (!page.isFull) await stream.more(60_000, gone.signal);
    }
  })().catch(error => {
    fault = error;
  });
  return {
    told,
    fault: () => fault,
    stop: async () => {
      gone.abort();
      await running;
      stream.close();
    },
  };
};

const soon = (condition: () => boolean) => expect.poll(condition, { timeout: 5_000, interval: 2 }).toBe(true);

const numbers = (seed: number) => {
  let state = seed;
  return (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
};

describe('the feed of a process', () => {
  it('reads once for all streams of an organization, and not at all for the others', async () => {
    const world = makeWorld();
    const feed = makeFeed({ ...world, everyMs: 5 });
    world.write('acme', 'ada', 0);
    const acme = Array.from({ length: 200 }, (_, i) =>
      follow(feed.open({ org: 'acme', ...(i % 2 === 0 && { user: 'ada' }) }, {}), 50),
    );
    const others = Array.from({ length: 200 }, () => follow(feed.open({ org: 'other' }, {}), 50));
    await soon(() => acme.every(({ told }) => told.length === 1));
    await new Promise(resolve => setTimeout(resolve, 30));
    const { reads } = world.asked;
    for (let n = 1; n <= 5; n++) {
      world.write('acme', 'ada', 0);
      await soon(() => acme.every(({ told }) => told.length === 1 + n));
    }
    // Each of five changes is one read; a stream that was between two pages may need its own.
    expect(world.asked.reads - reads).toBeLessThanOrEqual(10);
    expect(others.flatMap(({ told }) => told)).toEqual([]);
    await Promise.all([...acme, ...others].map(({ stop }) => stop()));
  });

  it('tells every stream its own, once and in order, however they come and go', async () => {
    for (let seed = 1; seed <= 12; seed++) {
      const below = numbers(seed);
      const world = makeWorld();
      const feed = makeFeed({ ...world, everyMs: 1 });
      const open = () => {
        const org = `org${below(3)}`;
        const user = below(2) === 0 ? undefined : `user${below(2)}`;
        const stream = follow(feed.open({ org, ...(user !== undefined && { user }) }, {}), 1 + below(5));
        return { org, user, ...stream };
      };
      const streams = Array.from({ length: 8 }, open);
      for (let n = 0; n < 120; n++) {
        world.write(`org${below(3)}`, `user${below(2)}`, below(NAMES.length));
        if (below(4) === 0) await new Promise(resolve => setTimeout(resolve, below(3)));
        if (below(10) === 0) streams.push(open());
      }
      for (const { org, user, told, stop, fault } of streams) {
        const own = world.entries
          .filter(entry => entry.org === org && (user === undefined || entry.fragment.user === user))
          .map(({ fragment }) => fragment.id);
        await soon(() => told.length >= own.length);
        await stop();
        expect(fault()).toBeUndefined();
        expect([...told].sort(), `seed ${seed}`).toEqual([...own].sort());
        for (const n of NAMES.keys()) {
          const of = (ids: readonly string[]) => ids.filter(id => partitionIn(id) === n);
          expect(of(told), `seed ${seed}`).toEqual(of(own));
        }
      }
    }
  });

  it('holds little of long texts: a page ends where it is large enough', async () => {
    const world = makeWorld();
    const feed = makeFeed({ ...world, everyMs: 5 });
    const ids = Array.from({ length: 5 }, () => world.write('acme', 'ada', 0, 'x'.repeat(50_000)));
    const stream = feed.open({ org: 'acme' }, {});
    const told: string[] = [];
    for (const _ of ids) {
      const page = await stream.read(64);
      expect(page.items).toHaveLength(1);
      told.push(page.items[0]!.entry.fragment.id);
    }
    expect(told).toEqual(ids);
    expect((await stream.read(64)).items).toEqual([]);
  });

  it('gives one organization half of the streams at most', async () => {
    const world = makeWorld();
    const feed = makeFeed({ ...world, everyMs: 5, mostStreams: 4 });
    const first = feed.open({ org: 'acme' }, {});
    feed.open({ org: 'acme' }, {});
    const codeOf = (org: string): unknown => {
      try {
        feed.open({ org }, {});
        return 'open';
      } catch (error) {
        return (error as { code: unknown }).code;
      }
    };
    expect(codeOf('acme')).toBe('rate_limited');
    expect(codeOf('other')).toBe('open');
    expect(codeOf('third')).toBe('open');
    expect(codeOf('fourth')).toBe('unavailable');
    first.close();
    first.close();
    expect(codeOf('acme')).toBe('open');
    expect(codeOf('acme')).toBe('rate_limited');
  });

  it('ends the streams when the positions can not be read, and only then', async () => {
    const world = makeWorld();
    const feed = makeFeed({ ...world, everyMs: 5 });
    const stream = follow(feed.open({ org: 'acme' }, {}), 10);
    await soon(() => world.asked.settled > 3);
    world.fail(new Error('out of reach'));
    await soon(() => stream.fault() !== undefined);
    world.fail(undefined);
    const again = follow(feed.open({ org: 'acme' }, {}), 10);
    world.write('acme', 'ada', 0);
    await soon(() => again.told.length === 1);
    await again.stop();
  });
});
