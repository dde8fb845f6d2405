/**
 * A name as part of a key: any string, lone surrogates too, becomes visible ASCII without spaces, braces or colons, and
 * no two become the same. The braces of a hash tag are then the only ones of a key.
 */
export const nameInKey = (name: string): string =>
  name === '' ? '%' : encodeURIComponent(JSON.stringify(name).slice(1, -1));

/** What every key of an installation begins with. */
export const keysOf = (namespace: string): string => `${nameInKey(namespace)}:`;

/** What every key of an organization begins with: its hash tag puts them all into one slot of a Redis Cluster. */
export const keysOfOrganization = (namespace: string, org: string): string =>
  `${keysOf(namespace)}{${nameInKey(org)}}:`;
