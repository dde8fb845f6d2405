/**
 * Encodes a name as part of a key: any string, including lone surrogates, becomes visible ASCII without spaces, braces or
 * colons, injectively. So a key's only braces are those of its hash tag.
 */
export const nameInKey = (name: string): string =>
  name === '' ? '%' : encodeURIComponent(JSON.stringify(name).slice(1, -1));

/** The prefix of every key of an installation. */
export const keysOf = (namespace: string): string => `${nameInKey(namespace)}:`;

/** The prefix of every key of an organization: its hash tag puts them all into one slot of a Redis Cluster. */
export const keysOfOrganization = (namespace: string, org: string): string =>
  `${keysOf(namespace)}{${nameInKey(org)}}:`;
