import type { EntityScope, ListedEntity, Listing } from '../../../../../../core/ports.ts';
import { bytesOfTurnId } from '../../../file/projections-database.ts';
import type { ProjectionsReader } from '../../projections-reader.ts';
import type { WalkedSessions } from '../listed-sessions.ts';
import { type PassingReader, passesIn, passingValue } from '../passing-metadata.ts';
import { openOfSessions } from './entities-of-sessions.ts';
import { openOfUsers } from './entities-of-users.ts';
import { COLUMNS, entityOf, namedOf, type Pace } from './entity-rows.ts';

/**
 * Lists entities of a projections' file: those of whole users along their index, those of a session or a turn
 * through its turns, since most of a user's entities are in neither.
 */
export const openListedEntities = (
  reader: ProjectionsReader,
  sessions: WalkedSessions,
  metadata: PassingReader,
  makeYieldWhenDue: Pace,
): Pick<Listing, 'entities' | 'entitiesById' | 'naming' | 'named'> => {
  const ofUsers = openOfUsers(reader, metadata, makeYieldWhenDue);
  const ofSessions = openOfSessions(reader, sessions, metadata, makeYieldWhenDue);
  const ofTurn = reader.prepare(
    `SELECT DISTINCT p.user, ${COLUMNS}, (SELECT count(DISTINCT o.turn) FROM mentions o
         WHERE o.entity = m.entity AND (?4 IS NULL OR o.session = m.session)
           AND ${passesIn('o.metadata', '?9')}) AS turns
     FROM turn_mentions m CROSS JOIN entities e ON e.no = m.entity
     CROSS JOIN sessions s ON s.no = m.session CROSS JOIN scopes p ON p.no = e.partition
     WHERE m.turn = ?1 AND p.org = ?2 AND (?3 IS NULL OR p.user = ?3) AND (?4 IS NULL OR s.name = ?4)
       AND ${passesIn('m.metadata', '?9')}
       AND (?5 IS NULL OR e.kind = ?5) AND (p.user, e.normalised) > (?6, ?7)
     ORDER BY p.user, e.normalised LIMIT ?8`,
  );
  const named = reader.prepare(
    `SELECT DISTINCT p.user, ${COLUMNS} FROM turn_mentions m CROSS JOIN entities e ON e.no = m.entity
     CROSS JOIN scopes p ON p.no = e.partition
     WHERE m.turn = ?1 AND p.org = ?2 AND (?3 IS NULL OR p.user = ?3) ORDER BY p.user, e.normalised`,
  );

  const byId = reader.prepare(
    `SELECT ${COLUMNS}, (SELECT count(DISTINCT m.turn) FROM mentions m WHERE m.entity = e.no
         AND (?4 IS NULL OR m.session = (SELECT no FROM sessions WHERE partition = p.no AND name = ?4))
         AND ${passesIn('m.metadata', '?5')}) AS turns
     FROM json_each(?3) j CROSS JOIN scopes p CROSS JOIN entities e ON e.partition = p.no AND e.id = j.value
     WHERE p.org = ?1 AND p.user = ?2`,
  );

  const naming = reader.prepare(
    `SELECT count(DISTINCT m.turn) AS turns FROM scopes p CROSS JOIN entities e ON e.partition = p.no
     CROSS JOIN mentions m ON m.entity = e.no
     WHERE p.org = ?1 AND p.user = ?2 AND e.normalised IN (SELECT value FROM json_each(?3))
       AND (?4 IS NULL OR m.session = (SELECT no FROM sessions WHERE partition = p.no AND name = ?4))
       AND ${passesIn('m.metadata', '?5')}`,
  );

  const asOfOne = reader.prepare(
    `SELECT min(m.label) AS label, min(m.kind) AS kind, count(DISTINCT CASE WHEN (?5 IS NULL OR m.session =
         (SELECT no FROM sessions WHERE partition = p.no AND name = ?5)) AND ${passesIn('m.metadata', '?6')}
         THEN m.turn END) AS turns
     FROM scopes p CROSS JOIN entities e ON e.partition = p.no CROSS JOIN mentions m ON m.entity = e.no
     WHERE p.org = ?1 AND p.user = ?2 AND e.normalised = ?3 AND m.recorded <= ?4`,
  );
  /** Returns these entities as of `asOf`; those without turns by then are left out. */
  const recordedBy = (scope: EntityScope, found: readonly ListedEntity[]): ListedEntity[] => {
    const { org, session, asOf } = scope;
    if (asOf === undefined) return [...found];
    const passing = passingValue(metadata.inScope(scope));
    return found.flatMap(entity => {
      const row = asOfOne.get(org, entity.user, entity.normalised, asOf, session ?? null, passing)!;
      const turns = Number(row.turns);
      return turns === 0 ? [] : [{ ...entity, label: String(row.label), kind: String(row.kind), turns }];
    });
  };

  const entities: Listing['entities'] = async (scope, { kind, turnId }, after, limit) => {
    const { org, user, session } = scope;
    if (turnId !== undefined) {
      const id = bytesOfTurnId(turnId);
      const names = [user ?? null, session ?? null, kind ?? null];
      const behind = [after?.user ?? '', after?.normalised ?? ''];
      const passing = passingValue(metadata.inScope(scope));
      const rows = id ? ofTurn.all(id, org, ...names, ...behind, limit, passing) : [];
      return rows.map(row => entityOf(row, String(row.user)));
    }
    return session === undefined
      ? ofUsers(scope, kind, after, limit)
      : ofSessions({ ...scope, session }, kind, after, limit);
  };

  return {
    naming: async ({ org, user, session, filter }, normalised) => {
      const passing = passingValue(metadata.inScope({ org, user, filter }));
      return Number(naming.get(org, user, JSON.stringify(normalised), session ?? null, passing)!.turns);
    },
    entitiesById: async (scope, ids) => {
      const { org, user, session } = scope;
      const rows = byId.all(
        org,
        user,
        JSON.stringify(ids),
        session ?? null,
        passingValue(metadata.inScope(scope)),
      );
      const found = rows.map(row => entityOf(row, user)).filter(({ turns }) => turns > 0);
      return recordedBy(scope, found);
    },
    entities: async (scope, filter, after, limit) => {
      if (scope.asOf === undefined) return entities(scope, filter, after, limit);
      // At that time its kind may have been another one.
      const { kind, turnId } = filter;
      const found: ListedEntity[] = [];
      for (let from = after; found.length < limit; ) {
        const next = await entities(scope, { turnId }, from, limit);
        found.push(...recordedBy(scope, next).filter(one => (kind ?? one.kind) === one.kind));
        if (next.length < limit) break;
        from = next.at(-1)!;
      }
      return found.slice(0, limit);
    },
    named: async ({ org, user }, turnId) => {
      const id = bytesOfTurnId(turnId);
      const rows = id ? named.all(id, org, user ?? null) : [];
      return rows.map(row => namedOf(row, String(row.user)));
    },
  };
};
