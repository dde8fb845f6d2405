import { makeKeptAWhile } from '../../../../core/caches/kept-a-while.ts';
import type {
  Correction,
  FoundFacts,
  KnownFact,
  KnownObservation,
  Scope,
  TurnDetails,
} from '../../../../core/ports.ts';
import { MOST_FACTS, MOST_KEYS } from '../../../../domain/facts/bounds.ts';
import { factKey, type StoredFact } from '../../../../domain/facts/stored-fact.ts';
import { cancelledBy, type Elasticsearch } from '../elasticsearch-client.ts';
import type { Horizons } from '../horizons.ts';
import { FRAGMENT, type FragmentFields, fragmentOf } from '../packed-fragment.ts';
import { type Clause, columns, ofWindow } from '../scope-clauses.ts';
import { makeSearches, OBSERVED, type Searches } from './list-searches.ts';

const TURN: Clause = { term: { kind: 'turn' } };

type Fields = FragmentFields & { recorded_at: [number]; kind: [string]; metadata?: string[] };
interface Answer {
  hits: { hits: { fields: Fields }[] };
}

/** Nobody looks for a fact by its place in an answer. */
const NO_KEY = -1;

const hasFact = (one: KnownObservation): one is KnownFact => one.fact !== undefined;
const isCorrection = (one: KnownObservation): one is Correction => one.corrects !== undefined;

const isSame = (some: readonly string[] = [], others: readonly string[] = []): boolean =>
  some.length === others.length && some.every((one, at) => one === others[at]);

const NONE: FoundFacts = { facts: [], corrections: [] };

/** The most hits of one search: Elasticsearch's result window. */
const MOST_HITS = 10_000;
/** Facts that stay decoded: some 10,000. */
const MOST_BYTES = 16 * 1024 * 1024;
/** Erased words are nowhere: also not here, for longer than this. */
const KEPT_MS = 60_000;
/** Bytes beside its packed form, which is its name here. */
const BYTES_OF_A_FACT = 700;

/** Keys per page. */
const KEYS_AT_ONCE = 1_000;

/**
 * Opens the reads of facts about attributes of subjects, the latest first. Every search takes the tenant
 * first.
 */
export const openRecallFacts = (
  elasticsearch: Elasticsearch,
  alias: string,
  horizons: Horizons,
): Pick<TurnDetails, 'facts' | 'factKeys' | 'turnsOf'> => {
  const searches = makeSearches(elasticsearch, alias, horizons);
  const cancelled = (signal: AbortSignal | undefined): Searches =>
    signal ? makeSearches(cancelledBy(elasticsearch, signal), alias, horizons) : searches;

  const decoded = makeKeptAWhile<KnownObservation>({ mostBytes: MOST_BYTES, unusedMs: KEPT_MS });
  /**
   * Decodes an observation once. It is the same object for as long as the index says the same of it, so that
   * what follows from it can be kept beside it.
   */
  const observationIn = ({ fragment, recorded_at: [recordedAt], metadata }: Fields): KnownObservation => {
    const known = decoded.need(fragment[0]);
    if (known?.recordedAt === recordedAt && isSame(known.metadata, metadata)) return known;
    const one = { key: NO_KEY, ...fragmentOf({ fragment }).fragment, recordedAt, metadata };
    return decoded.hold(fragment[0], one, 2 * fragment[0].length + BYTES_OF_A_FACT);
  };

  const read = async (
    { search }: Searches,
    scope: Scope,
    { facts, corrections }: { facts: readonly Clause[]; corrections: readonly Clause[] },
    most: number,
    isWanted: (fact: StoredFact) => boolean,
  ): Promise<FoundFacts> => {
    const ofSession = scope.session === undefined ? [] : [{ term: { session: scope.session } }];
    const hitsOf = async (should: readonly Clause[]): Promise<Answer['hits']['hits']> => {
      const { hits } = await search<Answer>(
        scope,
        [OBSERVED, { bool: { should, minimum_should_match: 1 } }, ...ofSession],
        {
          ...columns(...FRAGMENT, 'recorded_at', 'kind', 'metadata'),
          size: most,
          sort: [{ fact_stands: 'desc' }, { id: 'asc' }],
        },
      );
      return hits.hits;
    };
    const both = await hitsOf([...facts, ...corrections]);
    // Corrections without a fact come last, so if enough facts precede them they are searched separately.
    const hits = both.length < most ? both : [...both, ...(await hitsOf(corrections))];
    // A client's observation takes precedence over an extracted one with the same words.
    const said = new Set(
      hits.flatMap(({ fields }) => (fields.kind[0] === 'said' ? [observationIn(fields).id] : [])),
    );
    const found: FoundFacts = { facts: [], corrections: [] };
    for (const [key, { fields }] of hits.entries()) {
      const one = observationIn(fields);
      if (isCorrection(one)) found.corrections.push(one);
      if (
        key < both.length &&
        hasFact(one) &&
        isWanted(one.fact) &&
        (fields.kind[0] === 'said' || !said.has(one.id))
      )
        found.facts.push(one);
    }
    return found;
  };

  return {
    facts: async (scope, wanted, signal) => {
      const searches = cancelled(signal);
      if ('keys' in wanted) {
        const keys = wanted.keys.slice(0, MOST_KEYS).map(({ key }) => key);
        const { corrected = [] } = wanted;
        if (keys.length + corrected.length === 0) return NONE;
        const which = {
          facts: [{ terms: { fact_key: keys } }],
          corrections: [{ terms: { corrected_id: corrected } }, { terms: { corrected_key: keys } }],
        };
        return read(searches, scope, which, MOST_FACTS * 4, fact => keys.includes(factKey(fact)));
      }
      const { user, attributes } = wanted;
      if (attributes.length === 0) return NONE;
      const ofAttributes = (field: 'fact_key' | 'corrected_key'): Clause[] =>
        attributes.map(attribute => ({ prefix: { [field]: `${attribute}/` } }));
      return read(
        searches,
        { ...scope, user },
        { facts: ofAttributes('fact_key'), corrections: ofAttributes('corrected_key') },
        Math.min(MOST_FACTS * attributes.length, MOST_HITS),
        ({ attribute }) => attributes.includes(attribute),
      );
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
      const { hits } = await cancelled(signal).search<Answer>(
        scope,
        [TURN, { terms: { id: ids } }, ...ofWindow({ filter: scope.filter })],
        {
          ...columns(...FRAGMENT),
          size: ids.length,
        },
      );
      return hits.hits.map(({ fields }, key) => ({ key, ...fragmentOf(fields).fragment }));
    },
  };
};
