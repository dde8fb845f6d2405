import type {
  Correction,
  KnownFact,
  KnownObservation,
  Scope,
  TurnDetails,
} from '../../../../../core/ports.ts';
import { MOST_FACTS, MOST_KEYS } from '../../../../../domain/facts/bounds.ts';
import { passes } from '../../../../../domain/filter/condition.ts';
import { scopeKey } from '../../file/projections-database.ts';
import type { ProjectionsReader, ReadStatement } from '../projections-reader.ts';
import { fragmentOf, selectFragments, TERMS, termsIn } from '../read-fragment.ts';
import { openFactBlocks } from './fact-blocks.ts';

/**
 * Returns the range of an attribute's keys: '/' ends an attribute in a key, and '0' is the character after
 * it.
 */
const rangeOf = (attribute: string): [from: string, to: string] => [`${attribute}/`, `${attribute}0`];

const recorded = (row: Record<string, unknown>): KnownObservation => ({
  ...fragmentOf(row),
  recordedAt: Number(row.recorded),
  metadata: termsIn(row),
});
const hasFact = (one: KnownObservation): one is KnownFact => one.fact !== undefined;
const isCorrection = (one: KnownObservation): one is Correction => one.corrects !== undefined;

/**
 * Opens the reads of facts about attributes of subjects, the latest first. Every statement takes the tenant
 * first.
 */
export const openRecallFacts = (
  reader: ProjectionsReader,
): Pick<TurnDetails, 'facts' | 'factKeys' | 'turnsOf'> => {
  const OF_PARTITION = 'f.partition = (SELECT no FROM scopes WHERE key = ?1)';
  const OF_SCOPE = '(?2 IS NULL OR s.name = ?2) AND f.recorded <= ?3';
  // In the order of its index, so that only the last of a million facts of one key are read.
  const ofKey = reader.prepare(
    `${selectFragments('f.recorded', TERMS)} WHERE ${OF_PARTITION} AND f.fact_key = ?4 AND ${OF_SCOPE}
     ORDER BY f.fact_stands DESC, f.no DESC LIMIT ${MOST_FACTS}`,
  );
  const correctingKey = reader.prepare(
    `${selectFragments('f.recorded', TERMS)} WHERE ${OF_PARTITION} AND f.corrected_key = ?4 AND ${OF_SCOPE}
     ORDER BY f.recorded DESC LIMIT ${MOST_FACTS}`,
  );
  const correcting = reader.prepare(
    `${selectFragments('f.recorded', TERMS)} WHERE f.corrected_id IN (SELECT unhex(value) FROM json_each(?1))
     AND p.org = ?4 AND (?5 IS NULL OR p.user = ?5) AND ${OF_SCOPE}`,
  );
  const correctsAny = reader.prepare(
    'SELECT 1 FROM main.fragments f WHERE f.partition = (SELECT no FROM scopes WHERE key = ?1) AND f.corrected_key IS NOT NULL LIMIT 1',
  );
  const blocksIn = openFactBlocks(reader);
  const nextKey = reader.prepare(
    `SELECT min(f.fact_key) AS key FROM fragments f WHERE ${OF_PARTITION} AND f.fact_key > ?2 AND f.fact_key < ?3`,
  );
  const turn = reader.prepare(
    `${selectFragments(TERMS)} WHERE f.id = unhex(?1) AND f.kind = 0 AND p.org = ?2 AND f.recorded <= ?3`,
  );
  /** Returns the next keys of a user, ascending: one index search per key, however many facts it has. */
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
      const keys =
        'keys' in wanted
          ? wanted.keys
              .slice(0, MOST_KEYS)
              .map(({ user, key }) => ({ partition: scopeKey(scope.org, user), key }))
          : wanted.attributes.flatMap(attribute => {
              const partition = scopeKey(scope.org, wanted.user);
              return keysAfter(partition, ...rangeOf(attribute), MOST_KEYS).map(key => ({ partition, key }));
            });
      const read = (statement: ReadStatement, some: typeof keys): KnownObservation[] =>
        some.flatMap(({ partition, key }) => statement.all(partition, ...inScope(scope), key)).map(recorded);
      const isCorrected = new Map(
        [...new Set(keys.map(({ partition }) => partition))].map(partition => [
          partition,
          correctsAny.get(partition) !== undefined,
        ]),
      );
      const corrections = read(
        correctingKey,
        keys.filter(({ partition }) => isCorrected.get(partition)),
      );
      if ('corrected' in wanted && wanted.corrected && wanted.corrected.length > 0) {
        const ids = JSON.stringify(wanted.corrected.map(id => id.slice(4)));
        corrections.push(
          ...correcting.all(ids, ...inScope(scope), scope.org, scope.user ?? null).map(recorded),
        );
      }
      const inBlock = blocksIn(scope);
      const factsOf = (one: (typeof keys)[number]): readonly KnownFact[] =>
        inBlock(one.partition, one.key) ?? read(ofKey, [one]).filter(hasFact);
      return {
        facts: keys.flatMap(factsOf),
        corrections: corrections.filter(isCorrection),
      };
    },
    factKeys: async ({ org, user }, { attribute, after }, limit) => {
      const [from, to] = attribute === undefined ? ['', '\u{10ffff}'] : rangeOf(attribute);
      const start = after !== undefined && after > from ? after : from;
      return keysAfter(scopeKey(org, user), start, to, limit);
    },
    turnsOf: async ({ org, asOf = Number.MAX_SAFE_INTEGER, filter }, ids) =>
      ids.flatMap(id => {
        const row = turn.get(id.slice(4), org, asOf);
        if (!row || (filter && !passes(filter, termsIn(row)))) return [];
        return [fragmentOf(row)];
      }),
  };
};
