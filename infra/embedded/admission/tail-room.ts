import type { TailBound } from './tail-shares.ts';

export interface TailRoom {
  /**
   * Resolves to true when a write of so many events may come in; to false if there is no room within `ms`.
   * Without an organization it waits for room alone.
   */
  below(most: TailBound, ms: number, org: string | undefined, events: number): Promise<boolean>;
  /** Notes that the projector has settled so many events, and how many are left. */
  settled(events: number, left: number): void;
}

/** From this share of the tail on writes come in at a pace. */
const PACED_FROM = 0.5;
/** So long the projector's rate is remembered. */
const MEMORY_MS = 1_000;
/**
 * Those that come in at a pace do so together every so often: they share rounds, a look-up and a commit. One
 * by one, a turn costs the request thread a quarter more, and the projector its warm cache.
 */
const TOGETHER_MS = 50;
/** Timers are late: a line may catch up with so much. */
const SLACK_MS = 2 * TOGETHER_MS;

/**
 * Measures the events that the projector settles in a millisecond while it has enough to do. What it settled
 * was there when its last step ended, or else it has waited for it.
 */
const makeRate = (now: () => number) => {
  let events = 0;
  let ms = 0;
  let leftThen = 0;
  let step = 0;
  let at = 0;
  return {
    settled: (settled: number, left: number): void => {
      if (settled === 0 && leftThen > 0) return;
      step = settled;
      if (settled > 0 && leftThen >= settled) {
        const took = Math.min(now() - at, MEMORY_MS);
        const kept = Math.exp(-took / MEMORY_MS);
        events = events * kept + settled;
        ms = ms * kept + took;
      }
      leftThen = left;
      at = now();
    },
    /** Undefined until it is known. */
    perMs: (): number | undefined => (ms > 0 ? events / ms : undefined),
    /** Returns about how many events of its step the projector has done by now. */
    begun: (): number => (ms > 0 ? Math.min(step, (events / ms) * (now() - at)) : 0),
  };
};

interface Waiting {
  most: TailBound;
  events: number;
  go: () => void;
}

/** The writes of an organization that wait, in the order of their arrival. */
interface Line {
  waiting: Set<Waiting>;
  /** When the next one may come in, where there is a pace. */
  at: number;
}

/**
 * Lets writes into the tail while it has room. The projector makes room in steps of a tenth of a second: if
 * writes came in as soon as there is some, those of a moment would fill it, and all others would wait for the
 * next step. So from half of the tail on they come in at about the rate at which the projector settles them:
 * 1.4 times that at half, as fast at three quarters, ever slower towards the end. Organizations that wait
 * share it. A rate that is wrong costs little: the tail grows to its bound, as it would without a pace, or
 * shrinks to half.
 *
 * @param fill returns which share of the tail is taken, for this organization; 1 and more: all of it
 */
export const makeTailRoom = (
  fill: (most: TailBound, org: string | undefined) => number,
  now: () => number = () => performance.now(),
): TailRoom => {
  const rate = makeRate(now);
  const lines = new Map<string | undefined, Line>();
  let waitingLines = 0;
  let timer: NodeJS.Timeout | undefined;

  const leave = (line: Line, one: Waiting): void => {
    if (line.waiting.delete(one) && line.waiting.size === 0) waitingLines--;
  };

  /** Whether a write may come in now; if so, the next one of its line comes later. */
  const admits = (org: string | undefined, line: Line, { most, events }: Omit<Waiting, 'go'>): boolean => {
    const full = fill(most, org);
    if (full >= 1) return false;
    const projected = rate.perMs();
    if (org === undefined || full <= PACED_FROM || projected === undefined) return true;
    if (line.at > now()) return false;
    const left = 1 - full + rate.begun() / most.events;
    const perMs = (projected * Math.sqrt(4 * left)) / Math.max(1, waitingLines);
    line.at = Math.max(line.at, now() - SLACK_MS) + events / perMs;
    return true;
  };

  const letIn = (): void => {
    clearTimeout(timer);
    timer = undefined;
    for (const [org, line] of lines) {
      for (const one of line.waiting) {
        if (!admits(org, line, one)) break;
        leave(line, one);
        one.go();
      }
      wakeFor(line);
      if (line.waiting.size === 0 && line.at < now() - SLACK_MS) lines.delete(org);
    }
  };
  /** Without room it is the projector that lets them in. */
  const wakeFor = (line: Line): void => {
    if (line.waiting.size > 0 && line.at > now()) timer ??= setTimeout(letIn, TOGETHER_MS);
  };

  return {
    below: async (most, ms, org, events) => {
      const line = lines.get(org) ?? { waiting: new Set<Waiting>(), at: Number.NEGATIVE_INFINITY };
      if (line.waiting.size === 0 && admits(org, line, { most, events })) {
        if (line.at >= now() - SLACK_MS) lines.set(org, line);
        return true;
      }
      if (ms <= 0) return false;
      lines.set(org, line);
      return new Promise(resolve => {
        const late = setTimeout(() => {
          leave(line, one);
          resolve(fill(most, org) < 1);
        }, ms);
        const go = (): void => {
          clearTimeout(late);
          resolve(true);
        };
        const one: Waiting = { most, events, go };
        if (line.waiting.size === 0) waitingLines++;
        line.waiting.add(one);
        wakeFor(line);
      });
    },
    settled: (events, left) => {
      rate.settled(events, left);
      letIn();
    },
  };
};
