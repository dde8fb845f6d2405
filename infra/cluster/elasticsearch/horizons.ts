import { boundedMap } from '../../../core/caches/bounded-map.ts';
import type { AccountDocuments } from '../../../projections/accounts/accounts-projection.ts';
import { keptAfterAt, type Retention } from '../../../projections/accounts/retention.ts';
import type { ClusterConfig } from '../../../schemas/config.ts';
import { documentId } from './accounts/account-documents.ts';
import { accountIndex } from './accounts/account-index.ts';
import type { Elasticsearch } from './elasticsearch-client.ts';
import { EVERYTHING, type Seen } from './scope-clauses.ts';

/** Returns the horizon of expiry of an organization, for a reader at an instant (Unix ms); default: now. */
export type Horizons = (org: string, at?: number) => Promise<Seen['horizon']>;

/** See `EVERYTHING`. */
export const everything: Horizons = async () => EVERYTHING;

/** A new retention takes effect a day later, so a reader may learn of it a minute late. */
const READ_AFTER_MS = 60_000;
const REMEMBERED = 10_000;

/** Returns horizons from the account index, which every process and thread reads by itself. */
export const makeHorizons = (
  elasticsearch: Pick<Elasticsearch, 'ask' | 'check'>,
  config: Pick<ClusterConfig, 'namespace'>,
  clock: () => number,
): Horizons => {
  const known = boundedMap<{ at: number; retention: Promise<Retention | undefined> }>(REMEMBERED);

  const read = async (org: string): Promise<Retention | undefined> => {
    const id = documentId('organization', org);
    type Answer = { status?: number; error?: { type?: string }; _source?: { document: string } };
    const answer = await elasticsearch.ask<Answer>('GET', `/${accountIndex(config)}/_doc/${id}`, {
      query: { _source_includes: 'document' },
      accepted: [404],
    });
    // Without the index there are no accounts, and so no retentions.
    if (answer.error && answer.error.type !== 'index_not_found_exception') elasticsearch.check(answer);
    if (!answer._source) return undefined;
    return (JSON.parse(answer._source.document) as AccountDocuments['organization']).retention;
  };

  const retentionOf = (org: string, now: number): Promise<Retention | undefined> => {
    const found = known.get(org);
    if (found && Math.abs(now - found.at) < READ_AFTER_MS) return found.retention;
    // While the index can't be read, the last retention read stays in force, so hidden data stays hidden.
    const retention = read(org).catch(error => {
      if (!found) throw error;
      return found.retention;
    });
    const own = known.set(org, { at: now, retention });
    // The next reader asks again.
    retention.catch(() => known.get(org) === own && known.delete(org));
    return retention;
  };

  return async (org, at) => {
    const retention = await retentionOf(org, clock());
    const now = at ?? clock();
    return { now, keptAfter: keptAfterAt(retention, now) };
  };
};
