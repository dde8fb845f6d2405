export const ROLES = [
  '*',
  'memory:write',
  'memory:read',
  'memory:curate',
  'memory:erase',
  'usage:read',
  'keys:manage',
  'audit:read',
] as const;
export type Role = (typeof ROLES)[number];
