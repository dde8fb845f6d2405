/** The fate of a process, at any of its calls to a port: it ends there, or its disk fails. */
import { round } from './machine.ts';
import { type Random, randomOf } from './random.ts';

/** The part of the disk that fails. */
export type Disk = 'log' | 'store' | 'reads';

export interface Fate {
  /** Await it before and after each call of a port: never resolves in a process that has ended. */
  point(): Promise<void>;
  /** Whether this part of the disk fails now; counts as one of its failures. */
  fails(disk: Disk): boolean;
  /** The process ends at the n-th point from now. */
  killAt(points: number): void;
  /** The next calls of this part fail. */
  failNext(disk: Disk, calls: number): void;
  /** No call fails any more. */
  heal(): void;
  /** Draws anew which calls overtake which. */
  mix(seed: number): void;
  kill(): void;
  isDead(): boolean;
}

/** @param onKill called in the moment in which the process ends */
export const makeFate = (onKill: () => void): Fate => {
  let isDead = false;
  let left = Number.POSITIVE_INFINITY;
  let random: Random = randomOf(0);
  const failing = new Map<Disk, number>();
  const kill = (): void => {
    if (isDead) return;
    isDead = true;
    onKill();
  };
  const dead = async (): Promise<void> => {
    if (isDead) await new Promise<never>(() => {});
  };
  return {
    point: async () => {
      await dead();
      if (--left <= 0) kill();
      await dead();
      for (let rounds = random.int(3); rounds > 0; rounds--) await round();
      await dead();
    },
    fails: disk => {
      const more = failing.get(disk) ?? 0;
      if (more > 0) failing.set(disk, more - 1);
      return more > 0;
    },
    killAt: points => {
      left = points;
    },
    failNext: (disk, calls) => void failing.set(disk, calls),
    heal: () => failing.clear(),
    mix: seed => {
      random = randomOf(seed);
    },
    kill,
    isDead: () => isDead,
  };
};

/** The same port, with a point before and after each of its calls that are named. */
export const fated = <Port extends object>(fate: Fate, port: Port, ...names: (keyof Port)[]): Port => {
  const fatedOf =
    (call: (...args: unknown[]) => unknown) =>
    async (...args: unknown[]): Promise<unknown> => {
      await fate.point();
      const result = await call(...args);
      await fate.point();
      return result;
    };
  const changed = Object.fromEntries(
    names.map(name => [name, fatedOf(port[name] as (...args: unknown[]) => unknown)]),
  );
  return { ...port, ...changed };
};
