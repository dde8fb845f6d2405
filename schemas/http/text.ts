/** A string of so many characters (code points) that UTF-8 can write. */
export const text = (minLength: number, maxLength: number) =>
  ({ type: 'string', minLength, maxLength, 'x-unicode': true }) as const;

/** Names an organization, a user or a session. */
export const id = text(1, 256);
