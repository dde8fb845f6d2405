/**
 * Spans of the stages of a call. Functions are wrapped when they are made, and only where somebody traces: a
 * process without telemetry runs the functions as they are.
 */
import type { Attributes } from '@opentelemetry/api';

export type { Attributes };

/** A span beside its name and its times: counts, names of the contract, hashed ids. */
export interface About {
  /** Default: work within the process. */
  kind?: 'producer' | undefined;
  attributes?: Attributes | undefined;
  /** Returns what is known once the work has been done. */
  outcome?: ((result: never) => Attributes) | undefined;
}

export interface Tracing {
  /** Whether what runs now belongs to something whose spans are kept. */
  isActive(): boolean;
  /** Does the work in a span of its own. */
  run<T>(name: string, work: () => T, about?: About): T;
}

let tracing: Tracing | undefined;

/** Whether this thread traces what it does. */
export const isTracing = (): boolean => tracing !== undefined;

/** Call it before what is traced is made. */
export const setTracing = (to: Tracing | undefined): void => {
  tracing = to;
};

/** Does the work in a span, which is a child of the one that it runs in. */
export const inSpan = <T>(name: string, work: () => T): T =>
  tracing?.isActive() ? tracing.run(name, work) : work();

/** Returns the function with a span around each of its calls; the function itself where nothing is traced. */
export const traced = <Args extends unknown[], Result>(
  name: string,
  work: (...args: Args) => Result,
  about: {
    kind?: 'producer';
    attributes?: (...args: Args) => Attributes;
    outcome?: (result: Awaited<Result>) => Attributes;
  } = {},
): ((...args: Args) => Result) => {
  const by = tracing;
  if (!by) return work;
  const { kind, attributes, outcome } = about;
  return (...args) =>
    by.isActive()
      ? by.run(name, () => work(...args), { kind, attributes: attributes?.(...args), outcome })
      : work(...args);
};

/** Does the work and calls one of the two when it has ended, whether it is a promise or not. */
export const observed = <T>(
  work: () => T,
  done: (result: Awaited<T>) => void,
  failed: (error: unknown) => void,
): T => {
  const refused = (error: unknown): never => {
    failed(error);
    throw error;
  };
  let made: T;
  try {
    made = work();
  } catch (error) {
    return refused(error);
  }
  if (!(made instanceof Promise)) {
    done(made as Awaited<T>);
    return made;
  }
  const settled = made.then((result: Awaited<T>) => {
    done(result);
    return result;
  }, refused);
  return settled as T;
};
