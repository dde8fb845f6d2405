import type { Listing } from '../../../services/core/ports.ts';
import { openListedEntities } from './listed-entities.ts';
import { openListedFragments } from './listed-fragments.ts';
import { openListedScopes } from './listed-scopes.ts';
import { openWalkedSessions } from './listed-sessions.ts';
import { openListedTurns } from './listed-turns.ts';
import { openPassingMetadata } from './passing-metadata.ts';
import type { ProjectionsReader } from './projections-reader.ts';

/**
 * Lists of a projections' file. Row numbers differ from one generation's file to the next, so they are looked
 * up again by name after every yield.
 */
export const openListing = (
  reader: ProjectionsReader,
  makeYieldWhenDue: () => () => Promise<void>,
): Listing => {
  const metadata = openPassingMetadata(reader);
  const walked = openWalkedSessions(reader, makeYieldWhenDue);
  return {
    ...openListedScopes(reader, walked, metadata, makeYieldWhenDue),
    ...openListedFragments(reader, walked, metadata),
    ...openListedEntities(reader, walked, metadata, makeYieldWhenDue),
    ...openListedTurns(reader),
  };
};
