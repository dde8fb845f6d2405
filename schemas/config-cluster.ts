/**
 * The variables of the mode `cluster`: addresses of the shared engines, and the layout of what the service
 * makes in them.
 */
import {
  brokers,
  certificates,
  credential,
  httpUrl,
  httpUrlAlone,
  httpUrls,
  namespace,
  needed,
  oneOf,
  optional,
  optionalSecret,
  privateKey,
  readableFile,
  redisUrls,
  secret,
  variable,
  wholeNumber,
  yesOrNo,
} from './config-values.ts';

const SASL_MECHANISMS = ['none', 'plain', 'scram-sha-256', 'scram-sha-512', 'oauthbearer'] as const;

const credentialVariables = (prefix: string, user = 'user', password = 'its password') => ({
  user: variable(`${prefix}_USER`, '', optional(credential), user),
  password: optionalSecret(`${prefix}_PASSWORD`, password, credential),
});

const authorities = (prefix: string) =>
  variable(
    `${prefix}_CA`,
    '',
    optional(certificates),
    "PEM file of the authorities to trust, instead of the system's",
  );

/** The PEM texts of the authorities to trust, and of the client's certificate and key. */
const tlsVariables = (prefix: string) => ({
  ca: authorities(prefix),
  cert: variable(`${prefix}_CERT`, '', optional(certificates), "PEM file of the client's certificate"),
  key: variable(
    `${prefix}_KEY`,
    '',
    optional(privateKey),
    'PEM file of its private key, without a passphrase',
  ),
});

export const CLUSTER_SETTINGS = {
  /** `host:port`. */
  kafkaBrokers: {
    ...variable('TURNSTONE_KAFKA_BROKERS', '', brokers, 'comma-separated `host:port`'),
    neededFor: 'cluster' as const,
  },
  kafka: {
    tls: variable('TURNSTONE_KAFKA_TLS', 'no', yesOrNo, '`yes` encrypts'),
    ...tlsVariables('TURNSTONE_KAFKA'),
    sasl: variable('TURNSTONE_KAFKA_SASL', 'none', oneOf(...SASL_MECHANISMS), 'the SASL mechanism'),
    ...credentialVariables(
      'TURNSTONE_KAFKA',
      "the user; for `oauthbearer` the client's id",
      "its password; for `oauthbearer` the client's secret",
    ),
    tokenUrl: variable(
      'TURNSTONE_KAFKA_TOKEN_URL',
      '',
      optional(httpUrlAlone),
      'for `oauthbearer`: the endpoint that grants tokens for client credentials',
    ),
    tokenScope: variable(
      'TURNSTONE_KAFKA_TOKEN_SCOPE',
      '',
      optional(credential),
      'for `oauthbearer`: the scope to ask it for',
    ),
  },
  /** The URLs may contain credentials. One node, or several, separated by commas. */
  elasticsearchUrl: secret(
    needed(
      'cluster',
      'TURNSTONE_ELASTICSEARCH_URL',
      httpUrls,
      'one node or several, separated by commas; may contain user and password',
    ),
  ),
  elasticsearch: {
    ...credentialVariables('TURNSTONE_ELASTICSEARCH'),
    apiKey: optionalSecret('TURNSTONE_ELASTICSEARCH_API_KEY', 'an encoded API key, instead of a user'),
    ca: authorities('TURNSTONE_ELASTICSEARCH'),
  },
  clickhouseUrl: secret(
    needed('cluster', 'TURNSTONE_CLICKHOUSE_URL', httpUrl, 'may contain user and password'),
  ),
  clickhouse: {
    ...credentialVariables('TURNSTONE_CLICKHOUSE'),
    ca: authorities('TURNSTONE_CLICKHOUSE'),
  },
  /**
   * The server; separated by commas the Sentinels (`redis.primary`), or some servers of a Redis Cluster
   * (`redis.cluster`).
   */
  redisUrl: secret(
    needed(
      'cluster',
      'TURNSTONE_REDIS_URL',
      redisUrls,
      '`redis://` or `rediss://`, may contain user and password; the Sentinels, or servers of a Redis Cluster, separated by commas',
    ),
  ),
  redis: {
    ...credentialVariables('TURNSTONE_REDIS', "a user of Redis' ACL"),
    ...tlsVariables('TURNSTONE_REDIS'),
    /** Whether the URL names servers of a Redis Cluster: one of them is enough to find all. */
    cluster: variable(
      'TURNSTONE_REDIS_CLUSTER',
      'no',
      yesOrNo,
      '`yes`: the URL names servers of a Redis Cluster; one is enough',
    ),
    primary: variable(
      'TURNSTONE_REDIS_PRIMARY',
      '',
      optional(credential),
      'the name by which Sentinels know the primary; the URL is then theirs',
    ),
    sentinelUser: variable(
      'TURNSTONE_REDIS_SENTINEL_USER',
      '',
      optional(credential),
      'user of the Sentinels, where they have users',
    ),
    sentinelPassword: optionalSecret('TURNSTONE_REDIS_SENTINEL_PASSWORD', 'its password', credential),
  },
  /** Absolute path of a file with the 32-byte key, in base64, that wraps all sealing keys. */
  installationKey: needed(
    'cluster',
    'TURNSTONE_INSTALLATION_KEY',
    readableFile,
    'a file with 32 bytes in base64 that wrap all sealing keys; the same for all processes; two lines while it is rotated',
  ),
  /** So that several installations can share the engines. */
  namespace: variable(
    'TURNSTONE_NAMESPACE',
    'turnstone',
    namespace,
    'prefix of every topic, index, database and key',
  ),
  /** Partitions of the topics of turns and observations. */
  partitions: variable(
    'TURNSTONE_PARTITIONS',
    '12',
    wholeNumber(1, 1_000),
    'per topic; fixed when the topic is created',
  ),
  replication: variable(
    'TURNSTONE_REPLICATION',
    '3',
    wholeNumber(1, 9),
    'copies of a partition; a write waits for all but one',
  ),
  shards: variable('TURNSTONE_SHARDS', '3', wholeNumber(1, 100), 'primary shards of the recall index'),
  replicas: variable('TURNSTONE_REPLICAS', '1', wholeNumber(0, 9), 'further copies of a shard'),
  usageRetentionDays: variable(
    'TURNSTONE_USAGE_RETENTION_DAYS',
    '0',
    wholeNumber(0, 36_500),
    'days after which usage rows are dropped; 0: never',
  ),
  migrateAtStart: variable(
    'TURNSTONE_MIGRATE_AT_START',
    'no',
    yesOrNo,
    '`yes` creates missing topics, indices and tables at startup',
  ),
};
