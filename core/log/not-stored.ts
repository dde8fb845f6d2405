/**
 * Errors of appends that stored nothing, marked by the adapter that knows it. For other errors the outcome is
 * unknown.
 */
const marked = new WeakSet<Error>();

/** Marks the error of an append when certainly none of its records is, or will be, in the log. */
export const notStored = <E extends Error>(error: E): E => {
  marked.add(error);
  return error;
};

export const isNotStored = (error: unknown): boolean => error instanceof Error && marked.has(error);
