import type { DatabaseSync } from 'node:sqlite';
import type { SweptSessions } from '../../../../../core/ports/projection/projection-store.ts';
import { scopeKey } from '../../file/projections-database.ts';
import { EXPIRED } from './remove-words.ts';

/**
 * Opens the swept sessions. The file has one writer, so no session is handed out twice; ids of billed turns
 * stay in the file.
 */
export const openSweptSessions = (database: DatabaseSync): SweptSessions => {
  const some = database.prepare(
    `SELECT org, user, session, swept FROM swept_sessions
     WHERE org NOT IN (SELECT value FROM json_each(?)) ORDER BY swept LIMIT ?`,
  );
  const count = database.prepare(
    `SELECT count(*) AS count FROM scopes p JOIN sessions s ON s.partition = p.no
     WHERE p.org = ?1 AND (EXISTS (SELECT 1 FROM fragments f WHERE f.session = s.no AND f.kind < ${EXPIRED})
       OR EXISTS (SELECT 1 FROM swept_sessions w WHERE w.org = ?1 AND w.user = p.user AND w.session = s.name))`,
  );
  const living = database.prepare(
    `SELECT 1 FROM scopes p JOIN sessions s ON s.partition = p.no JOIN fragments f ON f.session = s.no
     WHERE p.key = ? AND s.name = ? AND f.kind < ${EXPIRED} LIMIT 1`,
  );
  const remove = database.prepare(
    'DELETE FROM swept_sessions WHERE org = ? AND user = ? AND session = ? AND swept = ?',
  );
  return {
    take: async (most, _forMs, leftOut = []) =>
      some.all(JSON.stringify(leftOut), most).map(({ org, user, session, swept }) => ({
        org: String(org),
        user: String(user),
        session: String(session),
        state: String(swept),
      })),
    sessions: async org => Number(count.get(org)!.count),
    isOver: async ({ org, user, session }) => living.get(scopeKey(org, user), session) === undefined,
    turnIds: async () => [],
    done: async ({ org, user, session, state }) => void remove.run(org, user, session, Number(state)),
  };
};
