import { shown } from './parts.ts';

/** The title that a write gives its session. */
export const sessionTitle = {
  ...shown(1, 200),
  description:
    'Names the session where it has no title yet, with a write that stores a turn; billed with that. Lists show it once it is indexed.',
} as const;
