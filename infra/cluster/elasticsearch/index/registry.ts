import { setTimeout as pause } from 'node:timers/promises';
import { unavailable } from '../../../../core/errors.ts';
import { FORMAT, formatFault } from '../../../../core/format.ts';
import type { Registered } from '../../../../core/generations.ts';
import type { GenerationRegistry } from '../../../../core/ports/projection/generation-registry.ts';
import { type Generational, PROJECTIONS } from '../../../../projections/all.ts';
import type { ClusterConfig } from '../../../../schemas/config.ts';
import { connectElasticsearch, type Elasticsearch } from '../elasticsearch-client.ts';
import { waitForShards } from './wait-for-shards.ts';

const MOST_ROUNDS = 50;

export const registryIndex = ({ namespace }: Pick<ClusterConfig, 'namespace'>): string =>
  `${namespace}-registry`;

interface Stored {
  found?: boolean;
  _seq_no: number;
  _primary_term: number;
  _source: { registered: string };
  status?: number;
  error?: { type?: string };
}

/**
 * Throws if the indices are of another format, which the registry's mapping names. If they are missing, the
 * log rebuilds them and there is nothing to refuse.
 */
export const assertIndexFormat = async (config: ClusterConfig): Promise<void> => {
  const elasticsearch = connectElasticsearch(config);
  type Mappings = Record<string, { mappings: { _meta?: { format?: number } } }>;
  try {
    const index = registryIndex(config);
    const found = await elasticsearch.ask<Mappings>('GET', `/${index}/_mapping`, { accepted: [404] });
    const mappings = found[index]?.mappings;
    const fault =
      mappings &&
      formatFault(
        `The data in the indices ${config.namespace}-*`,
        mappings._meta?.format,
        'Start with another TURNSTONE_NAMESPACE.',
      );
    if (fault) throw new Error(fault);
  } finally {
    await elasticsearch.close();
  }
};

/** Opens the registry: one document per projection, in an index that is read by id only. */
export const openRegistry = (
  elasticsearch: Elasticsearch,
  config: Pick<ClusterConfig, 'namespace'>,
): GenerationRegistry => {
  const path = (projection: Generational): string => `/${registryIndex(config)}/_doc/${projection}`;
  const get = async (projection: Generational): Promise<Stored | undefined> => {
    const answer = await elasticsearch.ask<Stored>('GET', path(projection), { accepted: [404] });
    return answer.found ? answer : undefined;
  };
  const registeredOf = ({ _source }: Stored): Registered => JSON.parse(_source.registered) as Registered;

  return {
    read: async projection => {
      const stored = await get(projection);
      return stored && registeredOf(stored);
    },
    change: async (projection, change) => {
      for (let round = 0; round < MOST_ROUNDS; round++) {
        const stored = await get(projection);
        if (!stored) throw unavailable('The generations are not registered: run `turnstone migrate`.');
        const before = registeredOf(stored);
        const after = change(before);
        if (after === undefined || after === before) return before;
        const answer = await elasticsearch.ask<Stored>('PUT', path(projection), {
          query: { if_seq_no: stored._seq_no, if_primary_term: stored._primary_term },
          body: { registered: JSON.stringify(after) },
          accepted: [409],
        });
        if (answer.error === undefined) return after;
        await pause(Math.random() * 20 * (round + 1));
      }
      throw unavailable('The generations are being changed by others.');
    },
  };
};

/**
 * Creates the registry and a projection's first entry if they are missing; resolves with whether it created
 * the entry.
 */
export const migrateRegistry = async (
  elasticsearch: Elasticsearch,
  config: ClusterConfig,
  projection: Generational,
  first: () => Promise<Registered>,
): Promise<boolean> => {
  const index = registryIndex(config);
  await elasticsearch.ask('PUT', `/${index}`, {
    body: {
      settings: { number_of_shards: 1, number_of_replicas: config.replicas },
      mappings: {
        dynamic: 'strict',
        _meta: { format: FORMAT },
        properties: { registered: { type: 'keyword', index: false, doc_values: false } },
      },
    },
    // It already exists.
    accepted: [400],
  });
  await waitForShards(elasticsearch, index, 1);
  const found = await elasticsearch.ask<Stored>('GET', `/${index}/_doc/${projection}`, { accepted: [404] });
  if (found.found) return false;
  const answer = await elasticsearch.ask<Stored>('PUT', `/${index}/_create/${projection}`, {
    body: { registered: JSON.stringify(await first()) },
    accepted: [409],
  });
  return answer.error === undefined;
};

/** Registers the generation that a store serves, with this build's version, if none is registered. */
export const registerServed = async (
  config: ClusterConfig,
  projection: Generational,
  served: (config: ClusterConfig) => Promise<number>,
): Promise<string[]> => {
  const elasticsearch = connectElasticsearch(config);
  const { version } = PROJECTIONS[projection];
  const first = async (): Promise<Registered> => {
    const number = await served(config);
    return { generations: [{ number, version, state: 'serving' }], last: number };
  };
  try {
    const made = await migrateRegistry(elasticsearch, config, projection, first);
    return made ? [`${projection} in the registry ${registryIndex(config)}`] : [];
  } finally {
    await elasticsearch.close();
  }
};
