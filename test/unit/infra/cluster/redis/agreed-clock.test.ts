import { expect, it } from 'vitest';
import { makeAgreedClock } from '../../../../../infra/cluster/redis/agreed-clock.ts';

const NOW = Date.UTC(2026, 2, 1);
const DAY = 86_400_000;
const agreed = (ours: number, redis: number) =>
  makeAgreedClock({ clock: () => ours, now: async () => redis, quarantineMs: DAY });

it('takes the earlier of two clocks, less the quarantine', async () => {
  expect(await agreed(NOW, NOW + 2).upTo()).toBe(NOW - DAY);
  expect(await agreed(NOW + 31 * DAY, NOW).upTo()).toBe(NOW - DAY);
  expect(await agreed(NOW, NOW + 31 * DAY).upTo()).toBe(NOW - DAY);
});

it('says which clock is ahead, and nothing of seconds', async () => {
  expect(await agreed(NOW + 9_000, NOW).probe()).toBe("agrees with Redis's");
  await expect(agreed(NOW + DAY, NOW).probe()).rejects.toThrow(/clock is 24\.0 h ahead of Redis's/);
  await expect(agreed(NOW, NOW + DAY).probe()).rejects.toThrow(/clock is 24\.0 h behind Redis's/);
});

it('says nothing against a clock while Redis, which has a probe of its own, can not be asked', async () => {
  const now = () => Promise.reject(new Error('gone'));
  const { probe } = makeAgreedClock({ clock: () => NOW, now, quarantineMs: DAY });
  expect(await probe()).toBe("not compared: Redis doesn't answer");
});

it('destroys nothing while Redis can not be asked', async () => {
  const now = () => Promise.reject(new Error('gone'));
  const { upTo } = makeAgreedClock({ clock: () => NOW, now, quarantineMs: DAY });
  await expect(upTo()).rejects.toThrow('gone');
});
