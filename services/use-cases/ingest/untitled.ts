import { ServiceError } from '../../../core/errors.ts';
import type { Listing } from '../../../core/ports.ts';

/** Returns the title, where the session has none; undefined otherwise. */
export type Untitled = (
  scope: { org: string; user: string; session: string },
  title: string | undefined,
) => Promise<string | undefined>;

/**
 * Asks the index: of two writes within a moment both may name the session, and the later title counts, as in
 * the log.
 */
export const makeUntitled =
  ({ listing }: { listing: Pick<Listing, 'sessions'> }): Untitled =>
  async (scope, title) => {
    if (title === undefined) return undefined;
    try {
      const [known] = await listing.sessions(scope, undefined, 1);
      return known?.said.title?.value == null ? title : undefined;
    } catch (error) {
      if (!(error instanceof ServiceError && error.code === 'unavailable')) throw error;
      // Without the index writes go on: this one names nothing.
      return undefined;
    }
  };
