/** Errors of appends that stored nothing, marked by the adapter that knows it; other errors leave it open. */
const marked = new WeakSet<Error>();

/** Marks the error of an append of which certainly nothing is in the log, nor will be. */
export const notStored = <E extends Error>(error: E): E => {
  marked.add(error);
  return error;
};

export const isNotStored = (error: unknown): boolean => error instanceof Error && marked.has(error);
