import { type Condition, neededTerms, passes } from '../../../projections/filter/condition.ts';
import { NO_TERMS } from '../../../projections/filter/terms.ts';
import type { PassingMetadata } from '../../../projections/recall/run.ts';
import type { Scope } from '../../../services/core/ports.ts';
import { scopeKey } from './projections-database.ts';
import type { ProjectionsReader, ReadStatement } from './projections-reader.ts';
import { termsOfBytes } from './write/metadata.ts';

/** What passes without a filter. */
const ALL: PassingMetadata = { numbers: new Set(), except: true };

/** Whether a row's metadata passes; `values` are the values of its two parameters. */
export const passesIn = (column: string, numbers: string, except: string): string =>
  `ifnull(${column} IN (SELECT value FROM json_each(${numbers})), 0) <> ${except}`;
export const passingValues = ({ numbers, except }: PassingMetadata): [string, number] => [
  JSON.stringify([...numbers]),
  Number(except),
];

/** So many are looked at one by one; of more, the index is asked for each part of the condition. */
const FEW = 1_000;

type Rows = Record<string, unknown>[];

const numbersOf = (rows: Rows): Set<number> => new Set(rows.map(({ no }) => Number(no)));
const termsAsHex = (terms: readonly string[]): string =>
  JSON.stringify(terms.map(term => Buffer.from(term).toString('hex')));

/**
 * Finds the metadata that passes a filter in a user's scope or an organization's, by its terms. With terms of which each metadata that
 * passes has one, it costs what has the rarest of them; otherwise the postings of all parts of the condition.
 */
export const openPassingMetadata = (reader: ProjectionsReader) => {
  const SCOPE = '(SELECT no FROM scopes WHERE key = ?1)';
  const withTerms = reader.prepare(
    `SELECT DISTINCT t.metadata AS no FROM json_each(?2) j
     CROSS JOIN metadata_terms t ON t.term = unhex(j.value) AND t.scope = ${SCOPE} LIMIT ?3`,
  );
  const inRange = (from: '>' | '>=', to: '<' | '<='): ReadStatement =>
    reader.prepare(
      `SELECT DISTINCT metadata AS no FROM metadata_terms WHERE scope = ${SCOPE} AND term ${from} ?2 AND term ${to} ?3`,
    );
  const ranges = { '>,<': inRange('>', '<'), '>=,<': inRange('>=', '<'), '>=,<=': inRange('>=', '<=') };
  const termsOf = reader.prepare(
    'SELECT no, terms FROM metadata WHERE no IN (SELECT value FROM json_each(?))',
  );
  const fragments = reader.prepare(
    `SELECT f.no FROM json_each(?1) j CROSS JOIN fragments f ON f.metadata = j.value
     WHERE f.kind = 0 OR (f.kind = 1 AND f.source = 'client') LIMIT ?2`,
  );
  const sessionsOf = reader.prepare(
    'SELECT DISTINCT session AS no FROM metadata WHERE no IN (SELECT value FROM json_each(?))',
  );
  const ofSessions = reader.prepare(
    'SELECT no, terms FROM metadata WHERE session IN (SELECT value FROM json_each(?))',
  );

  const manyInSessions = reader.prepare(
    `SELECT count(*) AS n FROM (SELECT 1 FROM metadata WHERE session IN (SELECT value FROM json_each(?)) LIMIT ${FEW + 1})`,
  );

  /** The fewest that have one of the needed terms; undefined where even those are not few. */
  const fewest = (key: string, condition: Condition): Set<number> | undefined => {
    let best: Set<number> | undefined;
    for (const terms of neededTerms(condition)) {
      const found = numbersOf(withTerms.all(key, termsAsHex(terms), FEW + 1));
      if (found.size <= FEW && found.size < (best?.size ?? FEW + 1)) best = found;
    }
    return best;
  };

  const passingOf = (rows: Rows, condition: Condition): Set<number> =>
    numbersOf(rows.filter(({ terms }) => passes(condition, termsOfBytes(terms))));

  const ofFew = (key: string, condition: Condition): PassingMetadata | undefined => {
    const few = fewest(key, condition);
    return few && { numbers: passingOf(termsOf.all(JSON.stringify([...few])), condition), except: false };
  };

  const byParts = (key: string, condition: Condition): PassingMetadata => {
    switch (condition.op) {
      case 'terms':
        return { numbers: numbersOf(withTerms.all(key, termsAsHex(condition.terms), -1)), except: false };
      case 'range': {
        const { from, hasFrom, to, hasTo } = condition;
        const statement = ranges[hasTo ? '>=,<=' : hasFrom ? '>=,<' : '>,<'];
        return {
          numbers: numbersOf(statement.all(key, Buffer.from(from), Buffer.from(to))),
          except: false,
        };
      }
      case 'not':
        return opposite(byParts(key, condition.of));
      case 'all':
        return condition.of.map(one => byParts(key, one)).reduce(both);
      case 'any':
        return opposite(condition.of.map(one => opposite(byParts(key, one))).reduce(both));
    }
  };

  return {
    inScope: ({ org, user, filter: condition }: Pick<Scope, 'org' | 'user' | 'filter'>): PassingMetadata => {
      if (!condition) return ALL;
      const key = scopeKey(org, user);
      return ofFew(key, condition) ?? byParts(key, condition);
    },
    /** That of these sessions of the scope, by their numbers. */
    inSessions: (
      { org, user, filter: condition }: Pick<Scope, 'org' | 'user' | 'filter'>,
      sessions: readonly number[],
    ): PassingMetadata => {
      if (!condition) return ALL;
      const few = ofFew(scopeKey(org, user), condition);
      if (few) return few;
      const names = JSON.stringify(sessions);
      // Whatever a session has is not read at once.
      if (Number(manyInSessions.get(names)!.n) > FEW) return byParts(scopeKey(org, user), condition);
      const except = passes(condition, NO_TERMS);
      const rows = ofSessions.all(names);
      return { numbers: passingOf(rows, except ? { op: 'not', of: condition } : condition), except };
    },
    /** The sessions of these that may have it. */
    sessionsWith: ({ numbers, except }: PassingMetadata, sessions: readonly number[]): number[] => {
      if (except) return [...sessions];
      const own = new Set(sessionsOf.all(JSON.stringify([...numbers])).map(({ no }) => Number(no)));
      return sessions.filter(number => own.has(number));
    },
    /** The fragments that a recall searches and that have it; undefined where they are not few. */
    fewFragments: ({ numbers, except }: PassingMetadata): number[] | undefined => {
      if (except || numbers.size > FEW) return undefined;
      const rows = fragments.all(JSON.stringify([...numbers]), FEW + 1);
      return rows.length > FEW ? undefined : rows.map(({ no }) => Number(no));
    },
  };
};

const opposite = ({ numbers, except }: PassingMetadata): PassingMetadata => ({ numbers, except: !except });

const both = (a: PassingMetadata, b: PassingMetadata): PassingMetadata => {
  if (a.except && b.except) return { numbers: a.numbers.union(b.numbers), except: true };
  if (a.except) return both(b, a);
  return {
    numbers: b.except ? a.numbers.difference(b.numbers) : a.numbers.intersection(b.numbers),
    except: false,
  };
};

export type PassingReader = ReturnType<typeof openPassingMetadata>;
