/** A string of valid Unicode; lengths are in code points. */
export const text = (minLength: number, maxLength: number) =>
  ({ type: 'string', minLength, maxLength, 'x-unicode': true }) as const;

/** The name of an organization, a user or a session. */
export const id = text(1, 256);
