/**
 * Encodes a name as part of a key: any string, including lone surrogates, becomes visible ASCII without
 * spaces, braces or colons, injectively. A key's only braces are therefore those of its hash tag.
 */
export const nameInKey = (name: string): string =>
  name === '' ? '%' : encodeURIComponent(JSON.stringify(name).slice(1, -1));

/** Returns the prefix of every key of an installation. */
export const keysOf = (namespace: string): string => `${nameInKey(namespace)}:`;

/**
 * Returns the prefix of an organization's keys: its hash tag puts them all into one slot of a Redis Cluster.
 */
export const keysOfOrganization = (namespace: string, org: string): string =>
  `${keysOf(namespace)}{${nameInKey(org)}}:`;
