import type { DatabaseSync } from 'node:sqlite';
import { scopeDigest } from '../../../../../domain/identity/identity.ts';
import { scopeKey } from '../../file/projections-database.ts';

const CACHED = 40_000;

/** Row numbers of a fragment's organization, user partition and session. */
export interface RowIds {
  organization: number;
  partition: number;
  session: number;
}

/** Looks up the rows of scopes and sessions by name, and inserts missing ones. */
export const openScopeRowIds = (database: DatabaseSync) => {
  const findScope = database.prepare('SELECT no FROM scopes WHERE key = ?');
  const insertScope = database.prepare(
    `INSERT INTO scopes (key, org, user, owner, rewritten, segments, loose) VALUES (?, ?, ?, ?, 0, x'', x'')`,
  );
  const findSession = database.prepare('SELECT no FROM sessions WHERE partition = ? AND name = ?');
  const insertSession = database.prepare('INSERT INTO sessions (partition, name) VALUES (?, ?)');
  const known = new Map<string, number>();
  let last: { org: string; user: string; session: string; ids: RowIds } | undefined;

  const idOf = (name: string, find: () => { no?: unknown } | undefined, insert: () => unknown): number => {
    let id = known.get(name);
    if (id === undefined) {
      id = Number(find()?.no ?? insert());
      known.set(name, id);
    }
    return id;
  };
  const scope = (org: string, user?: string): number => {
    const key = scopeKey(org, user);
    return idOf(
      key,
      () => findScope.get(key),
      () => {
        const owner = scopeDigest(user === undefined ? [org] : [org, user]);
        return insertScope.run(key, org, user ?? null, owner).lastInsertRowid;
      },
    );
  };

  return {
    partition: (org: string, user: string): number => scope(org, user),
    /**
     * Returns row numbers. Writes of a turn are consecutive, as are those of its session, so the last answer
     * is remembered.
     */
    rowIds: (org: string, user: string, session: string): RowIds => {
      if (last?.session === session && last.user === user && last.org === org) return last.ids;
      const partition = scope(org, user);
      const number = idOf(
        `${partition}\n${session}`,
        () => findSession.get(partition, session),
        () => insertSession.run(partition, session).lastInsertRowid,
      );
      const ids = { organization: scope(org), partition, session: number };
      last = { org, user, session, ids };
      return ids;
    },
    /** Limits the memory used. */
    trim: (): void => {
      if (known.size > CACHED) known.clear();
    },
    forget: (): void => {
      known.clear();
      last = undefined;
    },
  };
};
