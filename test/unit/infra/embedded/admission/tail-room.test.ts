import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Logged } from '../../../../../core/ports.ts';
import { makeUnsettled, type Unsettled } from '../../../../../infra/embedded/admission/unsettled.ts';

const MOST = { events: 12_000, bytes: Number.MAX_SAFE_INTEGER };
/** A write's job and its ten turns. */
const EVENTS = 11;
const STEP = 128 * EVENTS;
const STEP_MS = 300;

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

const pause = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms));

/** A tail, and writers and a projector of it that go on for a while of the fake clock. */
const makeWorld = () => {
  const tail: Unsettled = makeUnsettled(() => false);
  let offset = 0;
  let settledTo = 0;
  const add = (org: string, events: number): void => {
    for (let i = 0; i < events; i++) {
      const tokens = { tokensIn: 1, tokensOut: 0 };
      const at = { topic: 'turns', partition: 0, offset: offset++ } as const;
      tail.add({ ...at, id: `trn_${offset}`, org, day: '2026-03-01', tokens } satisfies Logged);
    }
  };
  /** Settles a full step in `ms`, over and over. */
  const project = async (until: number, ms: number): Promise<void> => {
    while (performance.now() < until) {
      const step = Math.min(STEP, tail.size());
      await pause(step === 0 ? 10 : (ms * step) / STEP);
      settledTo += step;
      tail.settle({ 'turns/0': settledTo });
    }
  };
  /** Sends a write of the organization when the last one was stored; collects how long each waited. */
  const write = async (org: string, until: number, waits: number[], restMs = 0): Promise<void> => {
    while (performance.now() < until) {
      const began = performance.now();
      if (!(await tail.below(MOST, 2_000, org, EVENTS))) throw new Error('there was no room in two seconds');
      waits.push(performance.now() - began);
      await pause(20);
      add(org, EVENTS);
      await pause(restMs);
    }
  };
  return { tail, add, project, write };
};

const quantile = (of: readonly number[], share: number): number =>
  of.toSorted((a, b) => a - b)[Math.floor(of.length * share)]!;

it('lets writes in evenly while the projector is slower than they are: none waits for a whole step', async () => {
  const { tail, project, write } = makeWorld();
  const until = performance.now() + 10_000;
  const waits: number[] = [];
  const writers = Array.from({ length: 32 }, () => write('org_a', until, waits));
  const projector = project(until, STEP_MS);
  await vi.advanceTimersByTimeAsync(3_000);
  const from = waits.length;
  const heldFrom = tail.size();
  await vi.advanceTimersByTimeAsync(15_000);
  await Promise.all([...writers, projector]);
  const later = waits.slice(from);
  // As many as it projects, so nothing is lost by waiting; the tail stays away from its end and from empty.
  expect((later.length * EVENTS) / 7).toBeGreaterThan(4_500);
  expect(heldFrom).toBeGreaterThan(MOST.events / 2);
  expect(heldFrom).toBeLessThan(MOST.events);
  expect(quantile(later, 0.99)).toBeLessThan(STEP_MS / 2);
});

it('lets the writes of one moment come in together', async () => {
  const { add, tail } = makeWorld();
  add('org_a', 9_000);
  tail.settle({ 'turns/0': 0 });
  await vi.advanceTimersByTimeAsync(100);
  tail.settle({ 'turns/0': 1_000 });
  const at: number[] = [];
  for (let i = 0; i < 320; i++)
    void tail.below(MOST, 2_000, 'org_a', EVENTS).then(() => at.push(performance.now()));
  await vi.advanceTimersByTimeAsync(1_000);
  expect(at).toHaveLength(320);
  const rounds = new Set(at).size;
  expect(rounds).toBeGreaterThan(1);
  expect(rounds).toBeLessThan(12);
});

it('lets an organization that writes little in at once beside one that fills its share', async () => {
  const { project, write } = makeWorld();
  const until = performance.now() + 5_000;
  const [much, little]: number[][] = [[], []];
  const work = [
    project(until, STEP_MS),
    ...Array.from({ length: 32 }, () => write('org_a', until, much!)),
    write('org_b', until, little!, 100),
  ];
  await vi.advanceTimersByTimeAsync(8_000);
  await Promise.all(work);
  expect(quantile(much!, 0.5)).toBeGreaterThan(15);
  expect(quantile(little!, 0.99)).toBeLessThanOrEqual(10);
});

it('refuses what finds no room in its time while the projector stands still', async () => {
  const { tail, add } = makeWorld();
  add('org_a', 9_000);
  tail.settle({ 'turns/0': 0 });
  await vi.advanceTimersByTimeAsync(100);
  tail.settle({ 'turns/0': 1_000 });
  add('org_a', 4_000);
  const answers = Array.from({ length: 3 }, () => tail.below(MOST, 2_000, 'org_a', EVENTS));
  await vi.advanceTimersByTimeAsync(2_000);
  expect(await Promise.all(answers)).toEqual([false, false, false]);
  expect(await tail.below(MOST, 0, 'org_a', EVENTS)).toBe(false);
  // Room is given to who waits as soon as there is some.
  const waiting = tail.below(MOST, 2_000, 'org_a', EVENTS);
  tail.settle({ 'turns/0': 3_000 });
  await vi.advanceTimersByTimeAsync(50);
  expect(await waiting).toBe(true);
});
