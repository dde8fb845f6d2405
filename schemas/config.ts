/**
 * The configuration: every variable with its default and what it accepts, in the shape in which the service reads it.
 * A new variable is a line here. services/config.ts reads them from the environment once, at start-up.
 */
import {
  brokers,
  certificates,
  credential,
  dataFolder,
  hostName,
  httpUrl,
  httpUrlAlone,
  httpUrls,
  instant,
  modelName,
  modelNames,
  namespace,
  needed,
  oneOf,
  optional,
  optionalSecret,
  prefix,
  privateKey,
  ranges,
  readableFile,
  redisUrls,
  secret,
  type Variable,
  variable,
  wholeNumber,
  yesOrNo,
} from './config-values.ts';

/** The services that a process runs: all, only the API, or one consumer of the log. */
export const ROLES = ['all', 'api', 'projector', 'enricher'] as const;
export type Role = (typeof ROLES)[number];

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

const caps = wholeNumber(0, 1e15);

const SASL_MECHANISMS = ['none', 'plain', 'scram-sha-256', 'scram-sha-512', 'oauthbearer'] as const;

const credentialVariables = (prefix: string) => ({
  user: variable(`${prefix}_USER`, '', optional(credential)),
  password: optionalSecret(`${prefix}_PASSWORD`, credential),
});

const authorities = (prefix: string) => variable(`${prefix}_CA`, '', optional(certificates));

/** The PEM texts of the authorities to trust, and of the client's certificate and key. */
const tlsVariables = (prefix: string) => ({
  ca: authorities(prefix),
  cert: variable(`${prefix}_CERT`, '', optional(certificates)),
  key: variable(`${prefix}_KEY`, '', optional(privateKey)),
});

/** In the order of `turnstone config`. */
export const SETTINGS = {
  mode: variable('TURNSTONE_MODE', 'embedded', oneOf('embedded', 'cluster')),
  role: variable('TURNSTONE_ROLE', 'all', oneOf(...ROLES)),
  /** Address or host name to listen on. */
  host: variable('TURNSTONE_HOST', '127.0.0.1', hostName),
  /** 0: any free port. */
  port: variable('TURNSTONE_PORT', '8080', wholeNumber(0, 65_535)),
  /** Absolute path of the folder that holds the log, the projections and the keys. */
  dataDir: variable('TURNSTONE_DATA_DIR', './data', dataFolder),
  /** Tokens per organization and UTC day; 0: no cap. */
  quota: {
    tokensIn: variable('TURNSTONE_QUOTA_TOKENS_IN', '1000000', caps),
    tokensOut: variable('TURNSTONE_QUOTA_TOKENS_OUT', '5000000', caps),
  },
  signup: variable('TURNSTONE_SIGNUP', { embedded: 'open', cluster: 'closed' }, oneOf('open', 'closed')),
  /** Failed token exchanges allowed per client address; a third of this per key id. */
  authFailuresPerMinute: variable('TURNSTONE_AUTH_FAILURES_PER_MINUTE', '30', wholeNumber(1, 1_000_000)),
  /** What callers may make of accounts; 0: any number. */
  accounts: {
    /** Organizations; sign-ups end there, operators do not. */
    organizations: variable('TURNSTONE_ORGANIZATIONS', '10000', wholeNumber(0, 1_000_000_000)),
    /** Live keys of an organization, and keys that it makes a day. */
    keysPerOrganization: variable('TURNSTONE_KEYS_PER_ORGANIZATION', '1000', wholeNumber(0, 1_000_000)),
    /** Refreshes of an organization a day. */
    refreshesPerDay: variable('TURNSTONE_REFRESHES_PER_DAY', '5000', wholeNumber(0, 10_000_000)),
  },
  rates: {
    /** Requests of an organization; 0: no limit. */
    perSecond: variable(
      'TURNSTONE_REQUESTS_PER_SECOND',
      { embedded: '0', cluster: '1000' },
      wholeNumber(0, 1_000_000),
    ),
    /** Requests of an address to open endpoints; 0: no limit. */
    openPerMinute: variable(
      'TURNSTONE_OPEN_REQUESTS_PER_MINUTE',
      { embedded: '0', cluster: '600' },
      wholeNumber(0, 1_000_000),
    ),
  },
  /** Open connections of a port: of all addresses; of one, where 0 is no limit of its own. */
  connections: {
    most: variable('TURNSTONE_CONNECTIONS', '10000', wholeNumber(1, 1_000_000)),
    perAddress: variable('TURNSTONE_CONNECTIONS_PER_ADDRESS', '5000', wholeNumber(0, 1_000_000)),
  },
  /** `GET /metrics`: a port of its own, and the bearer token that it needs. */
  metrics: {
    port: variable('TURNSTONE_METRICS_PORT', '', optional(wholeNumber(1, 65_535))),
    token: optionalSecret('TURNSTONE_METRICS_TOKEN'),
  },
  /** Open event streams of a process; an organization has at most half of them. */
  feedStreams: variable('TURNSTONE_FEED_STREAMS', '2000', wholeNumber(2, 1_000_000)),
  /** Addresses or CIDR ranges whose `X-Forwarded-For` is trusted. */
  trustedProxies: variable('TURNSTONE_TRUSTED_PROXIES', '', ranges),
  /** Absolute path of a file of PEM or JWK keys; the first one signs. Undefined: keys in the data folder. */
  signingKeys: {
    ...variable('TURNSTONE_SIGNING_KEYS', '', optional(readableFile)),
    neededFor: 'cluster' as const,
  },
  /** The extractor of observations and entities: rules, or a language model behind a chat-completions endpoint. */
  extractor: {
    kind: variable('TURNSTONE_EXTRACTOR', 'rules', oneOf('rules', 'llm')),
    /** http or https, without credentials; the part of the URL before `/chat/completions`. */
    baseUrl: needed('llm', 'TURNSTONE_LLM_BASE_URL', httpUrlAlone),
    model: needed('llm', 'TURNSTONE_LLM_MODEL', modelName),
    /** Self-hosted servers usually need none. */
    apiKey: optionalSecret('TURNSTONE_LLM_API_KEY'),
  },
  /** An embedding model behind an endpoint of OpenAI's form, whose vectors take part in the ranking. Unset: none. */
  embeddings: {
    /** http or https, without credentials; the part of the URL before `/embeddings`. */
    baseUrl: variable('TURNSTONE_EMBEDDINGS_BASE_URL', '', optional(httpUrlAlone)),
    /** The model to serve and, while it changes, the one before it: vectors of both are made. */
    models: needed('embeddings', 'TURNSTONE_EMBEDDINGS_MODEL', modelNames(2)),
    apiKey: optionalSecret('TURNSTONE_EMBEDDINGS_API_KEY'),
    /** Asked of models that can shorten their vectors; the length of the vectors otherwise. Unset: the model's own. */
    dimensions: variable('TURNSTONE_EMBEDDINGS_DIMENSIONS', '', optional(wholeNumber(1, 8_192))),
    /** What a model wants before a question, and before what is searched. */
    queryPrefix: variable('TURNSTONE_EMBEDDINGS_QUERY_PREFIX', '', prefix),
    passagePrefix: variable('TURNSTONE_EMBEDDINGS_PASSAGE_PREFIX', '', prefix),
  },
  /** A reranking model that reads the best hits. Unset: none. */
  rerank: {
    /** http or https, without credentials; the part of the URL before `/rerank`. */
    baseUrl: variable('TURNSTONE_RERANK_BASE_URL', '', optional(httpUrlAlone)),
    /** A server of one model needs none. */
    model: variable('TURNSTONE_RERANK_MODEL', '', optional(modelName)),
    apiKey: optionalSecret('TURNSTONE_RERANK_API_KEY'),
  },
  /** MiB of the data folder's disk that writes leave free; of a small disk at most a tenth. */
  diskReserveMb: variable('TURNSTONE_DISK_RESERVE_MB', '256', wholeNumber(0, 10_000_000)),
  /** The number of dead letters that stops the projector; 0: no limit. */
  poisonLimits: {
    /** Consecutive dead letters within one partition. */
    inARow: variable('TURNSTONE_DEAD_LETTERS_IN_A_ROW', '100', wholeNumber(0, 1_000_000)),
    /** Percentage of a partition's last 1,000 records; at least 100 dead letters are needed. */
    share: variable('TURNSTONE_DEAD_LETTERS_SHARE', '20', wholeNumber(0, 100)),
  },
  /** Seconds between a signal to stop and the end of listening, in which a load balancer sees that the API is not ready. */
  shutdownPauseSeconds: variable(
    'TURNSTONE_SHUTDOWN_PAUSE_SECONDS',
    { embedded: '0', cluster: '5' },
    wholeNumber(0, 300),
  ),
  logLevel: variable('TURNSTONE_LOG_LEVEL', 'info', oneOf(...LOG_LEVELS)),
  /** Only for tests: the instant at which the service's clock starts, in Unix milliseconds. It then runs at normal speed. */
  clock: variable('TURNSTONE_CLOCK', '', optional(instant)),
  /** Addresses of the shared engines, and the layout of what the service creates in them. */
  cluster: {
    /** `host:port`. */
    kafkaBrokers: { ...variable('TURNSTONE_KAFKA_BROKERS', '', brokers), neededFor: 'cluster' as const },
    kafka: {
      tls: variable('TURNSTONE_KAFKA_TLS', 'no', yesOrNo),
      ...tlsVariables('TURNSTONE_KAFKA'),
      sasl: variable('TURNSTONE_KAFKA_SASL', 'none', oneOf(...SASL_MECHANISMS)),
      /** For the mechanism oauthbearer the client's id and secret. */
      ...credentialVariables('TURNSTONE_KAFKA'),
      /** For oauthbearer: the endpoint that grants tokens for client credentials. */
      tokenUrl: variable('TURNSTONE_KAFKA_TOKEN_URL', '', optional(httpUrlAlone)),
      tokenScope: variable('TURNSTONE_KAFKA_TOKEN_SCOPE', '', optional(credential)),
    },
    /** The URLs may contain credentials. One node, or several, separated by commas. */
    elasticsearchUrl: secret(needed('cluster', 'TURNSTONE_ELASTICSEARCH_URL', httpUrls)),
    elasticsearch: {
      ...credentialVariables('TURNSTONE_ELASTICSEARCH'),
      apiKey: optionalSecret('TURNSTONE_ELASTICSEARCH_API_KEY'),
      ca: authorities('TURNSTONE_ELASTICSEARCH'),
    },
    clickhouseUrl: secret(needed('cluster', 'TURNSTONE_CLICKHOUSE_URL', httpUrl)),
    clickhouse: {
      ...credentialVariables('TURNSTONE_CLICKHOUSE'),
      ca: authorities('TURNSTONE_CLICKHOUSE'),
    },
    /** The server; separated by commas the Sentinels (`redis.primary`), or some servers of a Redis Cluster (`redis.cluster`). */
    redisUrl: secret(needed('cluster', 'TURNSTONE_REDIS_URL', redisUrls)),
    redis: {
      ...credentialVariables('TURNSTONE_REDIS'),
      ...tlsVariables('TURNSTONE_REDIS'),
      /** Whether the URL names servers of a Redis Cluster: one of them is enough to find all. */
      cluster: variable('TURNSTONE_REDIS_CLUSTER', 'no', yesOrNo),
      /** The name by which the Sentinels know the primary. */
      primary: variable('TURNSTONE_REDIS_PRIMARY', '', optional(credential)),
      sentinelUser: variable('TURNSTONE_REDIS_SENTINEL_USER', '', optional(credential)),
      sentinelPassword: optionalSecret('TURNSTONE_REDIS_SENTINEL_PASSWORD', credential),
    },
    /** Absolute path of a file with the 32-byte key, in base64, that wraps all sealing keys. */
    installationKey: needed('cluster', 'TURNSTONE_INSTALLATION_KEY', readableFile),
    /** Prefix of every topic, index, table and key, so that several installations can share the engines. */
    namespace: variable('TURNSTONE_NAMESPACE', 'turnstone', namespace),
    /** Partitions of the topics of turns and observations; fixed at creation. */
    partitions: variable('TURNSTONE_PARTITIONS', '12', wholeNumber(1, 1_000)),
    /** Replication factor of every topic. A write waits for all replicas but one. */
    replication: variable('TURNSTONE_REPLICATION', '3', wholeNumber(1, 9)),
    /** The number of primary shards of an index, and of replicas of each. */
    shards: variable('TURNSTONE_SHARDS', '3', wholeNumber(1, 100)),
    replicas: variable('TURNSTONE_REPLICAS', '1', wholeNumber(0, 9)),
    /** Days after which usage rows are dropped; 0: never. */
    usageRetentionDays: variable('TURNSTONE_USAGE_RETENTION_DAYS', '0', wholeNumber(0, 36_500)),
    /** Whether start-up creates missing topics, indices and tables. */
    migrateAtStart: variable('TURNSTONE_MIGRATE_AT_START', 'no', yesOrNo),
  },
};

type ValuesOf<Tree> = {
  [Name in keyof Tree]: Tree[Name] extends Variable<infer Value> ? Value : ValuesOf<Tree[Name]>;
};

export type Settings = ValuesOf<typeof SETTINGS>;
export type ClusterConfig = Settings['cluster'];
export type EmbeddingsConfig = Settings['embeddings'] & { baseUrl: string };
export type RerankConfig = Settings['rerank'] & { baseUrl: string };
export type ExtractorConfig = { kind: 'rules' } | (Settings['extractor'] & { kind: 'llm' });

/** A process's configuration. */
export type Config = Omit<Settings, 'extractor' | 'embeddings' | 'rerank' | 'cluster' | 'role'> & {
  /** `command`: an operator's command, which answers no calls and reads no log. */
  role: Role | 'command';
  extractor: ExtractorConfig;
  embeddings?: EmbeddingsConfig | undefined;
  rerank?: RerankConfig | undefined;
  /** Only set in cluster mode. */
  cluster?: ClusterConfig | undefined;
};

/** Whether people and programs call this process. */
export const answersCalls = ({ role }: Pick<Config, 'role'>): boolean => role === 'all' || role === 'api';
