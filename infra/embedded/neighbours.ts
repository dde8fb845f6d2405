import type { DatabaseSync } from 'node:sqlite';
import type { Chosen } from '../../projections/recall/candidates.ts';
import type { Candidate, Neighbour } from '../../projections/recall/document.ts';
import type { FragmentReader, Indexed } from './fragment-reader.ts';

type Order = { timestamp: number; number: number };
const byOrder = (a: Order, b: Order): number => a.timestamp - b.timestamp || a.number - b.number;

const neighbour = (entry: Indexed | undefined): Neighbour | undefined =>
  entry && { role: entry.role, timestamp: entry.timestamp, document: entry.document };

/** When every turn of the searched scope is at hand, its neighbours are too. */
export const neighboursAmong = (turns: readonly Indexed[]): Map<number, Candidate['neighbours']> => {
  const found = new Map<number, Candidate['neighbours']>();
  for (const session of Map.groupBy(turns, turn => turn.session).values()) {
    session.sort(byOrder);
    session.forEach((turn, i) => {
      const [a, b, c, d] = [session[i - 2], session[i - 1], session[i + 1], session[i + 2]].map(neighbour);
      found.set(turn.number, [a, b, c, d]);
    });
  }
  return found;
};

/**
 * The two turns before and the two after each chosen one, in its session by (timestamp, first offset), inside the
 * searched window. One statement finds them all.
 */
export const openNeighbours = (reader: DatabaseSync, fragments: FragmentReader) => {
  const around = (comparison: '<' | '>', order: 'ASC' | 'DESC'): string =>
    `(SELECT json_group_array(no) FROM (SELECT f.no FROM fragments f
        WHERE f.session = c.session AND f.kind = 0 AND (f.timestamp, f.no) ${comparison} (c.timestamp, c.number)
        ORDER BY f.timestamp ${order}, f.no ${order} LIMIT 2))`;
  const find = reader.prepare(
    `WITH c AS MATERIALIZED (SELECT value ->> 0 AS number, value ->> 1 AS session, value ->> 2 AS timestamp
                             FROM json_each(?))
     SELECT c.number, ${around('<', 'DESC')} AS before, ${around('>', 'ASC')} AS after FROM c`,
  );

  return (
    chosen: readonly Chosen[],
    window: { since?: number | undefined; until?: number | undefined },
    tail: readonly Indexed[],
  ): Map<number, Candidate['neighbours']> => {
    const places = chosen.map(({ number, session, timestamp }) => [number, session, timestamp]);
    const rows = find.all(JSON.stringify(places)).map(row => ({
      number: Number(row.number),
      before: JSON.parse(String(row.before)) as number[],
      after: JSON.parse(String(row.after)) as number[],
    }));
    const documents = new Map<number, Indexed>();
    const wanted = new Set(rows.flatMap(({ before, after }) => [...before, ...after]));
    for (const entry of fragments.read([...wanted])) documents.set(entry.number, entry);

    const tailBySession = new Map<number, Indexed[]>();
    for (const entry of tail) {
      if (entry.kind !== 0) continue;
      const list = tailBySession.get(entry.session);
      if (list) list.push(entry);
      else tailBySession.set(entry.session, [entry]);
    }

    const inWindow = ({ timestamp }: Indexed): boolean =>
      (window.since === undefined || timestamp >= window.since) &&
      (window.until === undefined || timestamp <= window.until);
    const found = new Map<number, Candidate['neighbours']>();
    rows.forEach(({ number, before, after }, i) => {
      const { session, timestamp } = chosen[i]!;
      const own = { timestamp, number };
      const fresh = tailBySession.get(session) ?? [];
      const side = (numbers: number[], keep: (order: number) => boolean): Indexed[] =>
        [...numbers.map(each => documents.get(each)!), ...fresh.filter(each => keep(byOrder(each, own)))]
          .filter(inWindow)
          .sort(byOrder);
      const earlier = side(before, order => order < 0);
      const later = side(after, order => order > 0);
      found.set(number, [
        neighbour(earlier.at(-2)),
        neighbour(earlier.at(-1)),
        neighbour(later[0]),
        neighbour(later[1]),
      ]);
    });
    return found;
  };
};
