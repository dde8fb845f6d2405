import type { Listing, Scope } from '../../../../../core/ports.ts';
import type { ProjectionsReader } from '../projections-reader.ts';
import { openListedEntities } from './entities/listed-entities.ts';
import { openListedFragments } from './listed-fragments.ts';
import { openListedScopes } from './listed-scopes.ts';
import { openWalkedSessions } from './listed-sessions.ts';
import { openListedTurns } from './listed-turns.ts';
import { openLiving } from './living.ts';
import { openNamed } from './named.ts';
import { openPassingMetadata } from './passing-metadata.ts';

/**
 * Opens the lists of a projections' file. Row numbers differ from one generation's file to the next, so they
 * are looked up again by name after every yield.
 */
export const openListing = (
  reader: ProjectionsReader,
  makeYieldWhenDue: () => () => Promise<void>,
): Listing => {
  const metadata = openPassingMetadata(reader);
  const walked = openWalkedSessions(reader, makeYieldWhenDue);
  const scopes = openListedScopes(reader, walked, metadata, makeYieldWhenDue);
  const { fragments } = openListedFragments(reader, walked, metadata);
  const entities = openListedEntities(reader, walked, metadata, makeYieldWhenDue);
  /** Finds the metadata that passes the scope's filter before a list runs, with yields. */
  const prepared =
    <S extends Pick<Scope, 'org' | 'user' | 'filter'>, Rest extends unknown[], Result>(
      list: (scope: S, ...rest: Rest) => Promise<Result>,
    ) =>
    async (scope: S, ...rest: Rest): Promise<Result> => {
      await metadata.prepare(scope, makeYieldWhenDue());
      return list(scope, ...rest);
    };
  return {
    users: prepared(scopes.users),
    sessions: prepared(scopes.sessions),
    usersNamed: prepared(scopes.usersNamed),
    sessionsNamed: prepared(scopes.sessionsNamed),
    fragments: prepared(fragments),
    entities: prepared(entities.entities),
    entitiesById: prepared(entities.entitiesById),
    naming: prepared(entities.naming),
    named: entities.named,
    ...openNamed(reader, walked, makeYieldWhenDue),
    ...openLiving(reader, makeYieldWhenDue),
    ...openListedTurns(reader),
  };
};
