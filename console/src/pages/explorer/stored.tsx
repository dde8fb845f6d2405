/** Stored names may contain anything: spaces, another direction, marks that reorder the text around them. */

/** Isolates a name's direction, so that nothing beside it is reordered. */
export const Stored = ({ children }: { children: string }) => <bdi className="stored">{children}</bdi>;

/** Isolates plain text, such as a title, and removes marks that would break the isolation. */
export const isolated = (name: string): string =>
  `\u2068${name.replace(/[\u202a-\u202e\u2066-\u2069]/g, '')}\u2069`;
