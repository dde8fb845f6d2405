import type { NameCorrection, TurnDetails } from '../../../../core/ports.ts';
import { MOST_CORRECTIONS } from '../../../../domain/facts/bounds.ts';
import { livingCorrections, namesSaidIn } from '../../../../domain/facts/names/living-names.ts';
import { NO_SESSION } from '../../../../schemas/events/curation/correction.ts';
import { type Clause, columns } from '../scope-clauses.ts';
import type { Searches } from './list-searches.ts';

const CORRECTION: Clause = { term: { kind: 'correction' } };
const MENTION: Clause = { term: { kind: 'mention' } };
/** Terms of a query: the engine refuses more than 65,536. */
const NAMES_AT_ONCE = 10_000;

type Of = Parameters<TurnDetails['nameCorrections']>[0];

/** Returns the last corrections of a user's names, the last one last. */
const lastCorrections = async ({ search }: Searches, { org, user, asOf }: Of): Promise<NameCorrection[]> => {
  type Answer = { hits: { hits: { fields: { fragment: [string]; recorded_at: [number] } }[] } };
  const { hits } = await search<Answer>(
    { org, user, asOf },
    [CORRECTION, { term: { session: NO_SESSION } }],
    {
      ...columns('fragment', 'recorded_at'),
      size: MOST_CORRECTIONS,
      sort: [{ recorded_at: 'desc' }, { offset: 'desc' }, { id: 'desc' }],
    },
  );
  return hits.hits
    .map(({ fields }) => ({
      ...JSON.parse(Buffer.from(fields.fragment[0], 'base64').toString()),
      recordedAt: fields.recorded_at[0],
    }))
    .reverse();
};

/** Returns those of the normalised labels that a turn of the user still says. */
const namedNow = async (
  { search }: Searches,
  { org, user }: Of,
  names: readonly string[],
): Promise<Set<string>> => {
  type Answer = { aggregations: { named: { buckets: { key: string }[] } } };
  const named = new Set<string>();
  for (let at = 0; at < names.length; at += NAMES_AT_ONCE) {
    const some = names.slice(at, at + NAMES_AT_ONCE);
    const terms = { field: 'normalised', size: some.length, execution_hint: 'map' };
    const { aggregations } = await search<Answer>({ org, user }, [MENTION, { terms: { normalised: some } }], {
      size: 0,
      aggs: { named: { terms } },
    });
    for (const { key } of aggregations.named.buckets) named.add(key);
  }
  return named;
};

/**
 * Returns a user's name corrections as far as turns still say the names. A correction itself belongs to no
 * turn, so no retention ends it.
 *
 * @param ofAll searches that find what has expired, too
 */
export const readNameCorrections = async (
  { searches, ofAll }: { searches: Searches; ofAll: Searches },
  scope: Of,
): Promise<NameCorrection[]> => {
  const corrections = await lastCorrections(ofAll, scope);
  const names = [...new Set(corrections.flatMap(namesSaidIn))];
  if (names.length === 0) return corrections;
  return livingCorrections(corrections, await namedNow(searches, scope, names));
};
