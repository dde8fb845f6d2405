export const ROLES = ['*', 'memory:write', 'memory:read', 'usage:read', 'keys:manage'] as const;
export type Role = (typeof ROLES)[number];
