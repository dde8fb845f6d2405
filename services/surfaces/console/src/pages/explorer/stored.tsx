/** Names that were stored, which may hold anything: spaces, other directions, marks that turn the text around them. */

/** Their own direction and their own order, whatever they hold; nothing beside them is moved. */
export const Stored = ({ children }: { children: string }) => <bdi className="stored">{children}</bdi>;

/** The same in a text without elements, as a title: without the marks that no isolation outlives, and isolated. */
export const isolated = (name: string): string =>
  `\u2068${name.replace(/[\u202a-\u202e\u2066-\u2069]/g, '')}\u2069`;
