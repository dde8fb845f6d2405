import type { Registered } from '../../../../core/generations.ts';
import { PROJECTIONS } from '../../../../projections/all.ts';
import { BINARY, LONG, NAME } from '../../../../projections/recall/columns.ts';
import type { Origin } from '../../../../projections/recall/recall-writes.ts';
import type { ClusterConfig } from '../../../../schemas/config.ts';
import { connectElasticsearch, type Elasticsearch, ElasticsearchRefusal } from '../elasticsearch-client.ts';
import { COLUMN_FIELDS } from '../fields.ts';
import { migrateRegistry, registryIndex } from './registry.ts';
import { waitForShards } from './wait-for-shards.ts';

type Named = Pick<ClusterConfig, 'namespace'>;

/** Returns the alias for reads and writes, which points to generations. */
export const recallAlias = ({ namespace }: Named): string => `${namespace}-recall`;

export const recallIndexOf = (config: Named, generation: number): string =>
  `${recallAlias(config)}-${String(generation).padStart(6, '0')}`;

/** Returns a pattern for the indices of all generations. */
export const recallIndices = (config: Named): string => `${recallAlias(config)}-*`;

/**
 * The topic that each kind of document comes from (documents.ts): an erasure deletes the kinds of its own
 * topic, so that no kind can be left out.
 */
export const TOPIC_OF_KIND = {
  turn: 'turns',
  identity: 'turns',
  said: 'turns',
  extracted: 'observations',
  mention: 'observations',
  enriched: 'observations',
  /** The vectors that an embedding model, its `source`, made of a turn, in `fragment`. */
  vectors: 'observations',
  job: 'turns',
  /** A correction of a user's names or a session's title; its `fragment` is JSON. */
  correction: 'turns',
  /** Replaces a retracted observation; a retracted turn is marked in its identity. */
  retraction: 'turns',
  /** Replaces an extracted copy of a retracted observation. */
  hidden: 'turns',
  /** Replaces an expired turn: its identity. */
  expired: 'turns',
} as const satisfies Record<string, Origin['topic']>;
export type DocumentKind = keyof typeof TOPIC_OF_KIND;

/** Documents that are not rows of the projection. They name no organization, so no read of one finds them. */
export const BOOKKEEPING = {
  /** A deletion to be repeated (second-deletions.ts). */
  erasure: 'erasure',
  /** The log position that a shard holds of a partition (held-positions.ts). */
  position: 'position',
  /** The index has had a retraction (retractor.ts). */
  retractions: 'retractions',
  /** A session with swept documents (swept-sessions.ts). */
  swept: 'swept-session',
} as const;

/** Used only in filters. */
const FILTER = { type: 'keyword', doc_values: false };
/** Summed or listed, never used in filters. */
const NUMBER = { type: 'long', index: false };

/**
 * The mapping, which indexes only searched fields. Nothing is scored by Lucene's own statistics, which span
 * all tenants. A recall reads `fragment`, a column with everything that ranking and the answer need. The
 * fields of a row's columns are those of projections/recall/columns.ts.
 */
const MAPPING = {
  dynamic: 'strict',
  properties: {
    ...COLUMN_FIELDS,
    kind: NAME,
    org: NAME,
    user: NAME,
    /** Hash of organization and user. */
    owner: FILTER,
    session: NAME,
    /** Hash of organization, user and session, 53 bits: a session's number, the same in every process. */
    session_key: LONG,
    /**
     * The address of the document's event in the log; its kind determines the topic, `turns` or
     * `observations`.
     */
    partition: LONG,
    offset: LONG,
    /** The event's index in its record; missing for the first. */
    index: { type: 'short' },
    /** The offset; for a requeued event, which keeps its original record's address, the copy's offset. */
    read_offset: LONG,
    active: { type: 'boolean', index: false },
    /** Hashes of the text's stems: postings for search, and columns for counts. */
    stems: { ...FILTER, norms: false },
    words: NUMBER,
    length: NUMBER,
    vector: {
      type: 'dense_vector',
      element_type: 'byte',
      dims: 256,
      similarity: 'cosine',
      index: true,
      index_options: { type: 'flat' },
    },
    fragment: BINARY,
    /** Ids of turns and observations: a correction is hidden with any of them. */
    follows: FILTER,
  },
};

/** Returns the sort of documents by their event's index. */
export const byIndex = (order: 'asc' | 'desc') => ({ index: { order, missing: 0 } });

/** Returns settings and mappings of a generation's index; `replicas` is 0 until it is read. */
export const generationIndex = (config: Pick<ClusterConfig, 'shards'>, replicas: number) => ({
  settings: {
    number_of_shards: config.shards,
    number_of_replicas: replicas,
    // Writers refresh explicitly.
    refresh_interval: '-1',
    // A recall reads columns; the source, half of an index, is read by updates alone.
    'index.codec': 'best_compression',
    // A forced merge expunges deletions from every segment, however few a segment has.
    'index.merge.policy.expunge_deletes_allowed': 0,
  },
  mappings: { ...MAPPING, _meta: { version: PROJECTIONS.recall.version } },
});

/**
 * Creates what recall needs in Elasticsearch, if missing: the template of all generations, the first
 * generation behind the alias, and the registry. Idempotent, also concurrently. Resolves with a line for each
 * thing created.
 */
export const migrateIndex = async (config: ClusterConfig): Promise<string[]> => {
  const elasticsearch = connectElasticsearch(config);
  try {
    return await migrate(elasticsearch, config);
  } finally {
    await elasticsearch.close();
  }
};

const migrate = async (elasticsearch: Elasticsearch, config: ClusterConfig): Promise<string[]> => {
  const alias = recallAlias(config);
  const made: string[] = [];
  const template = {
    index_patterns: [`${alias}-*`],
    priority: 500,
    // A write after its generation was removed must not create the index again.
    allow_auto_create: false,
    template: generationIndex(config, config.replicas),
  };
  const path = `/_index_template/${alias}`;
  const found = await elasticsearch.ask<{ index_templates?: unknown[] }>('GET', path, { accepted: [404] });
  // Always written: the next generation may be of another version.
  await elasticsearch.ask('PUT', path, { body: template });
  if (!found.index_templates?.length) made.push(`index template ${alias}`);

  // The alias exists with any generation: an installation past the first one must not get the first one back.
  const names = await elasticsearch.ask<object>('GET', `/_alias/${alias}`, { accepted: [404] });
  if ('error' in names || 'status' in names) {
    const index = recallIndexOf(config, 1);
    try {
      await elasticsearch.ask('PUT', `/${index}`, {
        body: { ...generationIndex(config, config.replicas), aliases: { [alias]: { is_write_index: true } } },
      });
      made.push(`index ${index} behind alias ${alias}`);
    } catch (error) {
      // Another process created it.
      const exists =
        error instanceof ElasticsearchRefusal && error.type === 'resource_already_exists_exception';
      if (!exists) throw error;
    }
    await waitForShards(elasticsearch, index, config.shards);
  }
  const first = (): Promise<Registered> => servedNow(elasticsearch, alias);
  if (await migrateRegistry(elasticsearch, config, 'recall', first))
    made.push(`recall in the registry ${registryIndex(config)}`);
  return made;
};

/** Returns the generation behind the alias, from the index's own metadata. */
const servedNow = async (elasticsearch: Elasticsearch, alias: string): Promise<Registered> => {
  type Mappings = Record<string, { mappings: { _meta: { version: string } } }>;
  const [found] = Object.entries(await elasticsearch.ask<Mappings>('GET', `/${alias}/_mapping`));
  const [index, { mappings }] = found!;
  const number = Number(index.slice(alias.length + 1));
  return { generations: [{ number, version: mappings._meta.version, state: 'serving' }], last: number };
};
