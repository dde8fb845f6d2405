/** Runs works of one name one after another, in their order; those of different names don't wait. */
export type OneAtATime = <T>(name: string, work: () => Promise<T>) => Promise<T>;

export const makeOneAtATime = (): OneAtATime => {
  const last = new Map<string, Promise<unknown>>();
  return (name, work) => {
    const before = last.get(name) ?? Promise.resolve();
    const own = before.then(work);
    // The next one begins whatever becomes of this.
    const ended = own.then(
      () => {},
      () => {},
    );
    last.set(name, ended);
    void ended.then(() => last.get(name) === ended && last.delete(name));
    return own;
  };
};
