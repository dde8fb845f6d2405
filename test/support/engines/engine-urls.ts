/** The engines of the mode `cluster`, and where the environment says that they are. */
export const ENGINES = ['kafka', 'elasticsearch', 'clickhouse', 'redis'] as const;
export type EngineName = (typeof ENGINES)[number];

/** The engines that the global setup hands to the suites. */
export interface FoundEngines {
  /** Kafka's are `host:port`, with commas between them. */
  urls: Partial<Record<EngineName, string>>;
  /** Why there is none, by the engine's name. */
  missing: Partial<Record<EngineName, string>>;
}

export const URL_VARIABLES: Record<EngineName, string> = {
  kafka: 'TURNSTONE_KAFKA_BROKERS',
  elasticsearch: 'TURNSTONE_ELASTICSEARCH_URL',
  clickhouse: 'TURNSTONE_CLICKHOUSE_URL',
  redis: 'TURNSTONE_REDIS_URL',
};

/** One line for people: which engines there are none of, and why. Empty when all are there. */
export const tellMissing = ({ missing }: Pick<FoundEngines, 'missing'>): string => {
  const names = new Map<string, string[]>();
  for (const [name, reason] of Object.entries(missing))
    names.set(reason, [...(names.get(reason) ?? []), name]);
  return [...names].map(([reason, engines]) => `no ${engines.join(', no ')}: ${reason}`).join('; ');
};
