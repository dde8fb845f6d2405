import { MOST_FACTS, MOST_KEYS } from '../../../projections/facts/bounds.ts';
import type { KnownFact, RecallIndex, Scope } from '../../../services/core/ports.ts';
import { cancelledBy, type Elasticsearch } from './client.ts';
import { FRAGMENT, type FragmentFields, fragmentOf } from './fragment.ts';
import { type Clause, columns } from './scope.ts';
import { makeSearches, type Searches } from './search.ts';

const OBSERVED: Clause = { terms: { kind: ['said', 'extracted'] } };
const TURN: Clause = { term: { kind: 'turn' } };

interface Answer {
  hits: { hits: { fields: FragmentFields & { recorded_at: [number]; kind: [string] } }[] };
}

/** Keys of one page of them. */
const KEYS_AT_ONCE = 1_000;

/** Reads what was said of attributes of subjects, the latest first. Every search takes the tenant first. */
export const openRecallFacts = (
  elasticsearch: Elasticsearch,
  alias: string,
): Pick<RecallIndex, 'facts' | 'factKeys' | 'turnsOf'> => {
  const searches = makeSearches(elasticsearch, alias);
  const cancelled = (signal: AbortSignal | undefined): Searches =>
    signal ? makeSearches(cancelledBy(elasticsearch, signal), alias) : searches;

  const read = async (
    { search }: Searches,
    scope: Scope,
    which: Clause,
    most: number,
  ): Promise<KnownFact[]> => {
    const ofSession = scope.session === undefined ? [] : [{ term: { session: scope.session } }];
    const { hits } = await search<Answer>(scope, [OBSERVED, which, ...ofSession], {
      ...columns(...FRAGMENT, 'recorded_at', 'kind'),
      size: most,
      // An index of an earlier release knows the field only once it was migrated.
      sort: [{ fact_from: { order: 'desc', unmapped_type: 'long' } }, { id: 'asc' }],
    });
    // A client's observation takes precedence over an extracted one with the same words.
    const said = new Set(
      hits.hits.flatMap(({ fields }) => (fields.kind[0] === 'said' ? [fragmentOf(fields).fragment.id] : [])),
    );
    return hits.hits.flatMap(({ fields }, key) => {
      const { fragment } = fragmentOf(fields);
      if (!fragment.fact || (fields.kind[0] !== 'said' && said.has(fragment.id))) return [];
      return [{ key, ...fragment, fact: fragment.fact, recordedAt: fields.recorded_at[0] }];
    });
  };

  return {
    facts: async (scope, wanted, signal) => {
      const searches = cancelled(signal);
      if ('keys' in wanted) {
        const keys = wanted.keys.slice(0, MOST_KEYS);
        if (keys.length === 0) return [];
        const ofKeys = { terms: { fact_key: keys.map(({ key }) => key) } };
        return read(searches, scope, ofKeys, MOST_FACTS * 4);
      }
      const { user, attributes } = wanted;
      if (attributes.length === 0) return [];
      const should = attributes.map(attribute => ({ prefix: { fact_key: `${attribute}/` } }));
      return read(searches, { ...scope, user }, { bool: { should } }, MOST_FACTS * attributes.length);
    },
    factKeys: async (scope, { attribute, after }, limit) => {
      const filter = [
        OBSERVED,
        attribute === undefined
          ? { exists: { field: 'fact_key' } }
          : { prefix: { fact_key: `${attribute}/` } },
      ];
      const page = {
        size: Math.min(limit, KEYS_AT_ONCE),
        after: after === undefined ? undefined : { fact_key: after },
      };
      for await (const buckets of searches.pages(scope, filter, ['fact_key'], page))
        return buckets.map(({ key }) => String(key.fact_key));
      return [];
    },
    turnsOf: async (scope, ids, signal) => {
      if (ids.length === 0) return [];
      const { hits } = await cancelled(signal).search<Answer>(scope, [TURN, { terms: { id: ids } }], {
        ...columns(...FRAGMENT),
        size: ids.length,
      });
      return hits.hits.map(({ fields }, key) => ({ key, ...fragmentOf(fields).fragment }));
    },
  };
};
