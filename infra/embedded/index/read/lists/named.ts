import type { NamedReads } from '../../../../../core/ports.ts';
import { NO_SESSION } from '../../../../../schemas/events/curation/correction.ts';
import type { ProjectionsReader } from '../projections-reader.ts';
import { namedOf } from './entities/entity-rows.ts';
import type { WalkedSessions } from './listed-sessions.ts';

/** Users whose names are read before yielding. */
const AT_ONCE = 500;

/** Opens reads of names alone, along the indices of the lists. */
export const openNamed = (
  reader: ProjectionsReader,
  walked: WalkedSessions,
  makeYieldWhenDue: () => () => Promise<void>,
): Omit<NamedReads, 'usersNamed' | 'sessionsNamed'> => {
  // A blob sorts after every text, so x'' means no bound.
  const users = reader.prepare(
    `SELECT user FROM scopes WHERE org = ?1 AND user > ?2 AND user BETWEEN coalesce(?3, ?2) AND coalesce(?3, x'')
     ORDER BY user LIMIT ?4`,
  );
  // The last correction of each user that sets the user's own names.
  const ownNames = reader.prepare(
    `SELECT p.user, (SELECT c.said ->> '$.me' FROM corrections c WHERE c.partition = p.no AND c.session = '${NO_SESSION}'
         AND c.about = 'names' AND c.said -> '$.me' IS NOT NULL
       ORDER BY c.recorded DESC, c.offset DESC, c.id DESC LIMIT 1) AS me
     FROM scopes p WHERE p.org = ?1 AND p.user > ?2 AND p.user BETWEEN coalesce(?3, ?2) AND coalesce(?3, x'')
     ORDER BY p.user LIMIT ${AT_ONCE}`,
  );
  const walk = (which: string) =>
    reader.prepare(
      `SELECT p.user, e.id, e.normalised, e.label, e.kind FROM scopes p CROSS JOIN entities e ON e.partition = p.no
       WHERE p.org = ?1 AND ${which} ORDER BY p.user, p.no, e.normalised LIMIT ?4`,
    );
  const ofUser = walk('p.user = ?2 AND e.normalised > ?3');
  const ofOthers = walk('p.user > ?2 AND ?3 IS NULL');

  return {
    userNames: async ({ org, user }, after, limit) =>
      users.all(org, after ?? '', user ?? null, limit).map(row => String(row.user)),
    sessionNames: async (scope, after, limit) =>
      walked.next(scope, 'asc', after, limit).map(({ user, session }) => ({ user, session })),
    ownNames: async ({ org, user }, limit) => {
      const found: { user: string; names: readonly string[] }[] = [];
      const yieldWhenDue = makeYieldWhenDue();
      for (let after = ''; found.length < limit; ) {
        const rows = ownNames.all(org, after, user ?? null);
        for (const { user, me } of rows)
          if (me !== null) found.push({ user: String(user), names: JSON.parse(String(me)) as string[] });
        if (rows.length < AT_ONCE) break;
        after = String(rows.at(-1)!.user);
        await yieldWhenDue();
      }
      return found.slice(0, limit);
    },
    entityNames: async ({ org, user }, kind, after, limit) => {
      const found: Awaited<ReturnType<NamedReads['entityNames']>> = [];
      const yieldWhenDue = makeYieldWhenDue();
      for (let from = after; found.length < limit; ) {
        const first = user ?? from?.user;
        const own =
          first === undefined
            ? []
            : ofUser.all(org, first, from?.user === first ? from.normalised : '', limit);
        const others =
          user === undefined && own.length < limit
            ? ofOthers.all(org, first ?? '', null, limit - own.length)
            : [];
        const rows = [...own, ...others];
        for (const row of rows)
          if ((kind ?? row.kind) === row.kind)
            found.push({ ...namedOf(row, String(row.user)), normalised: String(row.normalised) });
        const last = rows.at(-1);
        if (!last || rows.length < limit) break;
        from = { user: String(last.user), normalised: String(last.normalised) };
        await yieldWhenDue();
      }
      return found.slice(0, limit);
    },
  };
};
