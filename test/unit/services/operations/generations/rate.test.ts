import { expect, it } from 'vitest';
import type { ReplayProgress } from '../../../../../core/ports/projection/generations.ts';
import { makeProgressReport, makeRate } from '../../../../../services/operations/generations/rate.ts';

it('computes the rate of the last seconds and the time left at it', () => {
  let now = 0;
  const rate = makeRate(() => now);
  expect(rate(0, 10_000)).toEqual({ eventsPerSecond: 0, secondsLeft: null });
  now = 1_000;
  expect(rate(1_000, 10_000)).toEqual({ eventsPerSecond: 1_000, secondsLeft: 9 });
  // Samples from before a pause no longer count.
  for (now = 60_000; now <= 70_000; now += 1_000) rate(1_000 + (now - 60_000) / 2, 10_000);
  expect(rate(6_500, 10_000)).toMatchObject({ eventsPerSecond: 500 });
});

it('reports twice a second, each phase at once, and the last step of a build', async () => {
  let now = 0;
  const read = async function* (): AsyncGenerator<ReplayProgress> {
    for (let events = 0; events <= 12; events++, now += 100)
      yield { phase: events < 11 ? 'building' : 'catching up', events, total: 11 };
  };
  const reported: unknown[] = [];
  for await (const message of makeProgressReport(() => now)(read())) reported.push(message);
  expect(reported).toMatchObject([
    { phase: 'building', events: 0, total: 11, eventsPerSecond: 0, secondsLeft: null },
    { phase: 'building', events: 5, eventsPerSecond: 10, secondsLeft: 1 },
    { phase: 'building', events: 10 },
    { phase: 'catching up', events: 11 },
    // The log grew meanwhile.
    { phase: 'catching up', events: 12, total: 12 },
  ]);
});
