/**
 * Returns a function that has `work` done for a name `afterMs` later, and not again within `everyMs`: calls
 * that come together, or meanwhile, share the next time. `work` may not reject.
 */
export const atMostEvery = (
  { afterMs, everyMs }: { afterMs: number; everyMs: number },
  work: (name: string) => Promise<void>,
): ((name: string) => void) => {
  const waiting = new Set<string>();
  const begunAt = new Map<string, number>();
  return name => {
    if (waiting.has(name)) return;
    waiting.add(name);
    const next = (begunAt.get(name) ?? Number.NEGATIVE_INFINITY) + everyMs - performance.now();
    const begin = (): void => {
      waiting.delete(name);
      begunAt.set(name, performance.now());
      void work(name);
    };
    setTimeout(begin, Math.max(afterMs, next)).unref();
  };
};
