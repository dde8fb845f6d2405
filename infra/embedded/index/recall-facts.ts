import { MOST_FACTS, MOST_KEYS } from '../../../projections/facts/bounds.ts';
import type { KnownFact, RecallIndex, Scope } from '../../../services/core/ports.ts';
import { fragmentOf, selectFragments } from './fragment.ts';
import { scopeKey } from './projections-database.ts';
import type { ProjectionsReader } from './projections-reader.ts';

/** '/' ends an attribute in a key, and '0' is the character after it. */
const rangeOf = (attribute: string): [from: string, to: string] => [`${attribute}/`, `${attribute}0`];

const factOf = (row: Record<string, unknown>): KnownFact => {
  const fragment = fragmentOf(row);
  return { ...fragment, fact: fragment.fact!, recordedAt: Number(row.recorded) };
};

/** Reads what was said of attributes of subjects, the latest first. Every statement takes the tenant first. */
export const openRecallFacts = (
  reader: ProjectionsReader,
): Pick<RecallIndex, 'facts' | 'factKeys' | 'turnsOf'> => {
  const OF_PARTITION = 'f.partition = (SELECT no FROM scopes WHERE key = ?1)';
  const OF_SCOPE = '(?2 IS NULL OR s.name = ?2) AND f.recorded <= ?3';
  // In the order of its index: whoever says a million things of one key has the last of them read.
  const ofKey = reader.prepare(
    `${selectFragments('f.recorded')} WHERE ${OF_PARTITION} AND f.fact_key = ?4 AND ${OF_SCOPE}
     ORDER BY f.fact_from DESC LIMIT ${MOST_FACTS}`,
  );
  const nextKey = reader.prepare(
    `SELECT min(f.fact_key) AS key FROM fragments f WHERE ${OF_PARTITION} AND f.fact_key > ?2 AND f.fact_key < ?3`,
  );
  const turn = reader.prepare(
    `${selectFragments()} WHERE f.id = unhex(?1) AND f.kind = 0 AND p.org = ?2 AND f.recorded <= ?3`,
  );
  /** The next keys of a user, ascending: a search in the index for each, however many facts they have. */
  const keysAfter = (partition: string, after: string, to: string, limit: number): string[] => {
    const keys: string[] = [];
    for (let last = after; keys.length < limit; ) {
      const { key } = nextKey.get(partition, last, to)!;
      if (key === null) break;
      last = String(key);
      keys.push(last);
    }
    return keys;
  };
  const inScope = ({ session, asOf }: Scope): [string | null, number] => [
    session ?? null,
    asOf ?? Number.MAX_SAFE_INTEGER,
  ];

  return {
    facts: async (scope, wanted) => {
      const rows =
        'keys' in wanted
          ? wanted.keys
              .slice(0, MOST_KEYS)
              .flatMap(({ user, key }) => ofKey.all(scopeKey(scope.org, user), ...inScope(scope), key))
          : wanted.attributes.flatMap(attribute => {
              const partition = scopeKey(scope.org, wanted.user);
              const keys = keysAfter(partition, ...rangeOf(attribute), MOST_KEYS);
              return keys.flatMap(key => ofKey.all(partition, ...inScope(scope), key));
            });
      return rows.map(factOf);
    },
    factKeys: async ({ org, user }, { attribute, after }, limit) => {
      const [from, to] = attribute === undefined ? ['', '\u{10ffff}'] : rangeOf(attribute);
      const start = after !== undefined && after > from ? after : from;
      return keysAfter(scopeKey(org, user), start, to, limit);
    },
    turnsOf: async ({ org, asOf = Number.MAX_SAFE_INTEGER }, ids) =>
      ids.flatMap(id => {
        const row = turn.get(id.slice(4), org, asOf);
        return row ? [fragmentOf(row)] : [];
      }),
  };
};
