import type { LivingReads } from '../../../../../core/ports/recall/living.ts';
import type { ProjectionsReader, ReadStatement } from '../projections-reader.ts';
import { HAS_LIVING } from './listed-sessions.ts';

/** Looked up before yielding. */
const AT_ONCE = 200;

/** Opens reads of titles and names, in steps. */
export const openLiving = (
  reader: ProjectionsReader,
  makeYieldWhenDue: () => () => Promise<void>,
): LivingReads => {
  const titled = reader.prepare(
    `SELECT j.key AS at, (SELECT c.said ->> '$.title' FROM corrections c
       WHERE c.partition = p.no AND c.session = s.name AND c.about = 'title'
       ORDER BY c.recorded DESC, c.offset DESC, c.id DESC LIMIT 1) AS found
     FROM json_each(?2) j CROSS JOIN scopes p ON p.org = ?1 AND p.user = j.value ->> 'user'
     CROSS JOIN sessions s ON s.partition = p.no AND s.name = j.value ->> 'session'
     WHERE ${HAS_LIVING}`,
  );
  const named = reader.prepare(
    `SELECT j.key AS at, 1 AS found FROM json_each(?2) j
     CROSS JOIN scopes p ON p.org = ?1 AND p.user = j.value ->> 'user'
     CROSS JOIN entities e ON e.partition = p.no AND e.normalised = j.value ->> 'normalised'
     WHERE EXISTS (SELECT 1 FROM mentions WHERE entity = e.no)`,
  );
  const lookUp = async (
    statement: ReadStatement,
    org: string,
    asked: readonly object[],
  ): Promise<unknown[]> => {
    const answers: unknown[] = new Array(asked.length).fill(null);
    const yieldWhenDue = makeYieldWhenDue();
    for (let from = 0; from < asked.length; from += AT_ONCE) {
      const some = JSON.stringify(asked.slice(from, from + AT_ONCE));
      for (const { at, found } of statement.all(org, some)) answers[from + Number(at)] = found;
      await yieldWhenDue();
    }
    return answers;
  };
  return {
    titles: async (org, sessions) =>
      (await lookUp(titled, org, sessions)).map(title => (title === null ? undefined : String(title))),
    areNamed: async (org, names) => (await lookUp(named, org, names)).map(found => found !== null),
  };
};
