/**
 * Resolves or rejects like the promise, but rejects with `fault` when it isn't settled after `ms`
 * milliseconds.
 */
export const within = async <T>(ms: number, promise: Promise<T>, fault: () => Error): Promise<T> => {
  const timer = { id: undefined as NodeJS.Timeout | undefined };
  const late = new Promise<never>((_, reject) => {
    timer.id = setTimeout(() => reject(fault()), ms);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer.id));
};
