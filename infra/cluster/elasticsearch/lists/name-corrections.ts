import type { KeptCorrections, StoredCorrection } from '../../../../core/caches/kept-corrections.ts';
import type { NameCorrection, Scope, TurnDetails } from '../../../../core/ports.ts';
import { MOST_CORRECTIONS } from '../../../../domain/facts/bounds.ts';
import { NO_SESSION } from '../../../../schemas/events/curation/correction.ts';
import { type Clause, columns, ownerOf } from '../scope-clauses.ts';
import type { Searches } from './list-searches.ts';

const OF_NAMES: Clause[] = [
  { term: { kind: 'correction' } },
  { term: { about: 'names' } },
  { term: { session: NO_SESSION } },
];
const MENTION: Clause = { term: { kind: 'mention' } };

type Of = Parameters<TurnDetails['nameCorrections']>[0];

interface LastCorrection extends StoredCorrection {
  /** Its JSON in base64. */
  fragment: string;
}

/** Returns the last corrections of a user's names, the last one first. */
const lastCorrections = async ({ search }: Searches, { org, user, asOf }: Of): Promise<LastCorrection[]> => {
  type Fields = { id: [string]; fragment: [string]; recorded_at: [number] };
  const { hits } = await search<{ hits: { hits: { fields: Fields }[] } }>({ org, user, asOf }, OF_NAMES, {
    ...columns('id', 'fragment', 'recorded_at'),
    size: MOST_CORRECTIONS,
    sort: [{ recorded_at: 'desc' }, { offset: 'desc' }, { id: 'desc' }],
  });
  return hits.hits.map(({ fields }) => ({
    id: fields.id[0],
    fragment: fields.fragment[0],
    recordedAt: fields.recorded_at[0],
  }));
};

/** Returns those of the normalised labels that a turn of the user still says. */
const namedNow = async (
  { search }: Searches,
  { org, user }: Of,
  names: readonly string[],
): Promise<string[]> => {
  type Answer = { aggregations: { named: { buckets: { key: string }[] } } };
  const terms = { field: 'normalised', size: names.length, execution_hint: 'map' };
  const { aggregations } = await search<Answer>({ org, user }, [MENTION, { terms: { normalised: names } }], {
    size: 0,
    aggs: { named: { terms } },
  });
  return aggregations.named.buckets.map(({ key }) => key);
};

/**
 * Returns a user's name corrections as far as turns still say the names. A correction itself belongs to no
 * turn, so no retention ends it.
 *
 * @param ofAll searches that find what has expired, too
 */
export const readNameCorrections = async (
  { searches, ofAll, kept }: { searches: Searches; ofAll: Searches; kept: KeptCorrections },
  scope: Of,
): Promise<readonly NameCorrection[]> => {
  const stored = await lastCorrections(ofAll, scope);
  const fragments = new Map(stored.map(({ id, fragment }) => [id, fragment]));
  return kept.read({
    key: scope.asOf === undefined ? ownerOf(scope.org, scope.user) : undefined,
    stored,
    said: ids => new Map(ids.map(id => [id, Buffer.from(fragments.get(id) ?? '', 'base64').toString()])),
    named: labels => namedNow(searches, scope, labels),
  });
};

/** Corrections of an organization's names that are looked at, the last ones. */
const MOST_OF_ALL = 10_000;

/** Returns what users are called by the names that were set last. */
export const readOwnNames = async (
  { search }: Searches,
  scope: Pick<Scope, 'org' | 'user'>,
  limit: number,
): Promise<{ user: string; names: readonly string[] }[]> => {
  type Fields = { user: [string]; fragment: [string] };
  const { hits } = await search<{ hits: { hits: { fields: Fields }[] } }>(scope, OF_NAMES, {
    ...columns('user', 'fragment'),
    size: MOST_OF_ALL,
    sort: [{ recorded_at: 'desc' }, { offset: 'desc' }, { id: 'desc' }],
  });
  const found = new Map<string, readonly string[]>();
  for (const { fields } of hits.hits) {
    const [user] = fields.user;
    if (found.has(user)) continue;
    const { me } = JSON.parse(Buffer.from(fields.fragment[0], 'base64').toString()) as { me?: string[] };
    if (me) found.set(user, me);
  }
  return [...found].slice(0, limit).map(([user, names]) => ({ user, names }));
};
