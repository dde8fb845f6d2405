/**
 * Stages of work in a thread, as names and times. A thread has no exporter: it sends its stages with its
 * answer or its report, and the process's own thread makes spans of them (calls.ts).
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { observed, setTracing } from './spans.ts';

export interface Stage {
  name: string;
  /** Unix milliseconds, with fractions. */
  began: number;
  ended: number;
}

/** A step of a consumer of the log. */
export interface ConsumedStep extends Stage {
  topic: string;
  partition: number;
  records: number;
  /** The `traceparent` of each traced request whose records these are. */
  links: readonly string[];
  stages: readonly Stage[];
}

/** Unix milliseconds, with fractions; never goes back, and is the same in all threads. */
export const instant = (): number => performance.timeOrigin + performance.now();

const recording = new AsyncLocalStorage<Stage[]>();

/** Makes this thread record the stages of what runs within `withStages`. */
export const recordStages = (): void =>
  setTracing({
    isActive: () => recording.getStore() !== undefined,
    run: (name, work) => {
      const stages = recording.getStore();
      const began = instant();
      const end = (): void => void stages?.push({ name, began, ended: instant() });
      return observed(work, end, end);
    },
  });

/** Does the work; returns its result with its stages, in the order in which they ended. */
export const withStages = async <T>(work: () => Promise<T>): Promise<{ result: T; stages: Stage[] }> => {
  const stages: Stage[] = [];
  return { result: await recording.run(stages, work), stages };
};
