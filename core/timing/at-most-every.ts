/**
 * Returns a function that has `work` done for a name `afterMs` later, and again `everyMs` after its end at
 * the earliest: calls that come together, or meanwhile, share the next time. `work` may not reject.
 */
export const atMostEvery = (
  { afterMs, everyMs }: { afterMs: number; everyMs: number },
  work: (name: string) => Promise<void>,
): ((name: string) => void) => {
  /** `again`: asked for while the work is being done. */
  const states = new Map<string, 'waits' | 'works' | 'again'>();
  const endedAt = new Map<string, number>();

  const wait = (name: string): void => {
    states.set(name, 'waits');
    const next = (endedAt.get(name) ?? Number.NEGATIVE_INFINITY) + everyMs - performance.now();
    setTimeout(() => void begin(name), Math.max(afterMs, next)).unref();
  };
  const begin = async (name: string): Promise<void> => {
    states.set(name, 'works');
    await work(name);
    endedAt.set(name, performance.now());
    if (states.get(name) === 'again') wait(name);
    else states.delete(name);
  };

  return name => {
    const state = states.get(name);
    if (state === undefined) wait(name);
    else if (state === 'works') states.set(name, 'again');
  };
};
