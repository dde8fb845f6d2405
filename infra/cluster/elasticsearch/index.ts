import { RECALL_VERSION } from '../../../projections/versions.ts';
import type { ClusterConfig } from '../../../schemas/config.ts';
import type { Registered } from '../../../services/core/generations.ts';
import { connectElasticsearch, type Elasticsearch, ElasticsearchRefusal } from './client.ts';
import { migrateRegistry, registryIndex } from './registry.ts';
import { waitForShards } from './wait-for-shards.ts';

type Named = Pick<ClusterConfig, 'namespace'>;

/** What is read and written; behind it are generations. */
export const recallAlias = ({ namespace }: Named): string => `${namespace}-recall`;

export const recallIndexOf = (config: Named, generation: number): string =>
  `${recallAlias(config)}-${String(generation).padStart(6, '0')}`;

/** Of an index that says none: it was made before there were versions. */
const FIRST_VERSION = '1';

/** Documents of one kind each: see elasticsearch-documents.ts. */
export type DocumentKind = 'turn' | 'identity' | 'said' | 'extracted' | 'mention' | 'enriched' | 'job';

/**
 * Filtered by, and listed in the order of UTF-8 bytes. Read by aggregations only page by page, or where a number of
 * values is small or asked for by a few documents.
 */
const NAME = { type: 'keyword' };
/** Of one name that nothing bounds; the engine's own limit is 32,766 bytes, and a longer one is not listed. */
const LABEL = { type: 'keyword', ignore_above: 8_000 };
/** Filtered by alone. */
const FILTER = { type: 'keyword', doc_values: false };
/** Read alone, from columns. */
const COLUMN = { type: 'keyword', index: false };
/** Kept in the source alone. */
const KEPT = { type: 'keyword', index: false, doc_values: false };
/** Added up or listed, never filtered by. */
const NUMBER = { type: 'long', index: false };

/**
 * What is never searched is not indexed, and nothing is scored by Lucene's own statistics: they go over all tenants.
 * A recall reads `fragment`, a column: everything that ranking and the answer need, in one field.
 */
const MAPPING = {
  dynamic: 'strict',
  properties: {
    kind: NAME,
    id: NAME,
    org: NAME,
    user: NAME,
    /** Hash of organization and user. */
    owner: FILTER,
    session: NAME,
    /** Hash of organization, user and session, 53 bits: a session's number, the same in every process. */
    session_key: { type: 'long' },
    role: NAME,
    /** Unix milliseconds. */
    timestamp: { type: 'long' },
    /** The event of the log that the document comes from: of `turns` or `observations`, as its kind says. */
    partition: { type: 'long' },
    offset: { type: 'long' },
    /** Its offset; of a requeued event, which has the place of another, that of the copy. */
    told: { type: 'long' },
    /** When the service recorded that event: Unix milliseconds. */
    recorded_at: { type: 'long' },
    /** Of a turn whose envelope doesn't tell what it bills. */
    tokens: { type: 'long' },
    active: { type: 'boolean', index: false },
    passive: { type: 'boolean' },
    /** The turn that an observation, a mention or an enrichment belongs to. */
    turn: NAME,
    source: NAME,
    /** For people who look; recall matches stems. */
    text: { type: 'text', analyzer: 'english', index_options: 'docs', norms: false },
    /** Hashes of the text's stems: postings to search by, and columns to count by. */
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
    fragment: { type: 'binary', doc_values: true },
    entity: NAME,
    label: { ...LABEL, index: false },
    normalised: LABEL,
    entity_kind: LABEL,
    outcome: COLUMN,
    reason: { ...LABEL, index: false },
    turns: KEPT,
  },
};

/** What the index of a generation is made of; `replicas`: none while nobody reads it. */
export const generationIndex = (config: Pick<ClusterConfig, 'shards'>, replicas: number) => ({
  settings: {
    number_of_shards: config.shards,
    number_of_replicas: replicas,
    // Whoever writes refreshes when it is time.
    refresh_interval: '-1',
    // What was erased leaves the segments when they are asked to let go of it, however little of one it is.
    'index.merge.policy.expunge_deletes_allowed': 0,
  },
  mappings: { ...MAPPING, _meta: { version: RECALL_VERSION } },
});

/**
 * Makes what recall needs in Elasticsearch, as far as it is not there: the template of all generations, the first of
 * them behind the alias, and the registry. Idempotent, also when several do it at once. Resolves with a line for each
 * thing made.
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
    // A write that comes after its generation was removed must not make it anew.
    allow_auto_create: false,
    template: generationIndex(config, config.replicas),
  };
  const path = `/_index_template/${alias}`;
  const found = await elasticsearch.ask<{ index_templates?: unknown[] }>('GET', path, { accepted: [404] });
  // Written again each time: a new release may know fields that the last one did not.
  await elasticsearch.ask('PUT', path, { body: template });
  if (!found.index_templates?.length) made.push(`index template ${alias}`);

  // The alias answers for any generation: an installation that is beyond the first must not get it back.
  const names = await elasticsearch.ask<object>('GET', `/_alias/${alias}`, { accepted: [404] });
  if ('error' in names || 'status' in names) {
    const index = recallIndexOf(config, 1);
    try {
      await elasticsearch.ask('PUT', `/${index}`, {
        body: { ...generationIndex(config, config.replicas), aliases: { [alias]: { is_write_index: true } } },
      });
      made.push(`index ${index} behind alias ${alias}`);
    } catch (error) {
      // Another process was faster.
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

/** The generation behind the alias, as the index itself tells of it. */
const servedNow = async (elasticsearch: Elasticsearch, alias: string): Promise<Registered> => {
  type Mappings = Record<string, { mappings: { _meta?: { version?: string } } }>;
  const [found] = Object.entries(await elasticsearch.ask<Mappings>('GET', `/${alias}/_mapping`));
  const [index, { mappings }] = found!;
  const number = Number(index.slice(alias.length + 1));
  const version = mappings._meta?.version ?? FIRST_VERSION;
  return { generations: [{ number, version, state: 'serving' }], last: number };
};
