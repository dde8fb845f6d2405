/**
 * Keeps what was made of an object for as long as the object lives. Who reads a user's facts or corrections
 * gets the same objects while nothing has changed (core/caches/kept-corrections.ts, and the index's facts),
 * and folding thousands of them takes longer than most answers.
 *
 * @param make must depend on the object alone, which never changes
 */
export const madeOnce = <From extends object, Made>(make: (from: From) => Made): ((from: From) => Made) => {
  const known = new WeakMap<From, Made>();
  return from => {
    const before = known.get(from);
    if (before !== undefined || known.has(from)) return before as Made;
    const made = make(from);
    known.set(from, made);
    return made;
  };
};
