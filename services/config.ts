import {
  type ClusterConfig,
  type Config,
  type ExtractorConfig,
  LOG_LEVELS,
  ROLES,
} from '../schemas/config.ts';
import {
  brokers,
  dataFolder,
  hostName,
  httpUrl,
  httpUrlAlone,
  instant,
  modelName,
  namespace,
  oneOf,
  optional,
  ranges,
  readableFile,
  redisUrl,
  secret,
  type Variable,
  variable,
  wholeNumber,
} from './core/config-values.ts';

const MOST_TOKENS = 1e15;
const caps = wholeNumber(0, MOST_TOKENS);

/** All variables of the service, in the order of `turnstone config`. */
const VARIABLES = {
  TURNSTONE_MODE: variable('embedded', oneOf('embedded', 'cluster')),
  TURNSTONE_ROLE: variable('all', oneOf(...ROLES)),
  TURNSTONE_HOST: variable('127.0.0.1', hostName),
  TURNSTONE_PORT: variable('8080', wholeNumber(0, 65_535)),
  TURNSTONE_DATA_DIR: variable('./data', dataFolder),
  TURNSTONE_QUOTA_TOKENS_IN: variable('1000000', caps),
  TURNSTONE_QUOTA_TOKENS_OUT: variable('5000000', caps),
  TURNSTONE_SIGNUP: variable('', optional(oneOf('open', 'closed'))),
  TURNSTONE_AUTH_FAILURES_PER_MINUTE: variable('30', wholeNumber(1, 1_000_000)),
  TURNSTONE_TRUSTED_PROXIES: variable('', ranges),
  TURNSTONE_SIGNING_KEYS: variable('', optional(readableFile)),
  TURNSTONE_EXTRACTOR: variable('rules', oneOf('rules', 'llm')),
  TURNSTONE_LLM_BASE_URL: variable('', optional(httpUrlAlone)),
  TURNSTONE_LLM_MODEL: variable('', optional(modelName)),
  TURNSTONE_LLM_API_KEY: variable('', optional(secret)),
  TURNSTONE_DEAD_LETTERS_IN_A_ROW: variable('100', wholeNumber(0, 1_000_000)),
  TURNSTONE_DEAD_LETTERS_SHARE: variable('20', wholeNumber(0, 100)),
  TURNSTONE_LOG_LEVEL: variable('info', oneOf(...LOG_LEVELS)),
  TURNSTONE_CLOCK: variable('', optional(instant)),
  TURNSTONE_KAFKA_BROKERS: variable('', brokers),
  TURNSTONE_ELASTICSEARCH_URL: variable('', optional(httpUrl)),
  TURNSTONE_CLICKHOUSE_URL: variable('', optional(httpUrl)),
  TURNSTONE_REDIS_URL: variable('', optional(redisUrl)),
  TURNSTONE_INSTALLATION_KEY: variable('', optional(readableFile)),
  TURNSTONE_NAMESPACE: variable('turnstone', namespace),
  TURNSTONE_PARTITIONS: variable('12', wholeNumber(1, 1_000)),
  TURNSTONE_REPLICATION: variable('3', wholeNumber(1, 9)),
  TURNSTONE_SHARDS: variable('3', wholeNumber(1, 100)),
  TURNSTONE_REPLICAS: variable('1', wholeNumber(0, 9)),
  TURNSTONE_USAGE_RETENTION_DAYS: variable('0', wholeNumber(0, 36_500)),
  TURNSTONE_MIGRATE_AT_START: variable('no', oneOf('no', 'yes')),
};

type Values = { [Name in keyof typeof VARIABLES]: ReturnType<(typeof VARIABLES)[Name]['parse']> };

/** Known variables that the command line reads; not part of `Config`. */
const OTHERS = new Set(['TURNSTONE_URL', 'TURNSTONE_API_KEY', 'TURNSTONE_MCP_USER', 'TURNSTONE_MCP_SESSION']);

export type Environment = Record<string, string | undefined>;

/** An empty variable counts as unset, because compose files and CI pass unset ones as empty. */
const given = (environment: Environment, name: string): string | undefined => environment[name] || undefined;

/** Masks secrets: a whole key, or the password in a URL. */
const masked = (name: string, text: string): string => {
  if (name.endsWith('_API_KEY')) return text === '' ? '' : '(set)';
  return text.replace(/(\/\/[^/@\s:]*):[^/@\s]*@/g, '$1:***@');
};

export type ReadConfig = { ok: true; config: Config } | { ok: false; faults: string[] };

/** Reads and checks the configuration: `faults` has a line for each unusable variable. */
export const readConfig = (environment: Environment): ReadConfig => {
  const faults: string[] = [];
  const values: Record<string, unknown> = {};
  for (const [name, { default: fallback, parse }] of Object.entries(VARIABLES)) {
    const text = given(environment, name);
    try {
      values[name] = parse(text ?? fallback);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      faults.push(`${name} must be ${error.message} (it is ${JSON.stringify(masked(name, text ?? ''))})`);
    }
  }
  if (faults.length > 0) return { ok: false, faults };
  const v = values as Values;
  const cluster = v.TURNSTONE_MODE === 'cluster' ? clusterOf(v, faults) : undefined;
  const extractor = extractorOf(v, faults);
  if (v.TURNSTONE_MODE === 'embedded' && v.TURNSTONE_ROLE !== 'all')
    faults.push(`TURNSTONE_ROLE must be all in embedded mode (it is ${JSON.stringify(v.TURNSTONE_ROLE)})`);
  if (faults.length > 0) return { ok: false, faults };
  return {
    ok: true,
    config: {
      mode: v.TURNSTONE_MODE,
      role: v.TURNSTONE_ROLE,
      host: v.TURNSTONE_HOST,
      port: v.TURNSTONE_PORT,
      dataDir: v.TURNSTONE_DATA_DIR,
      quota: { tokensIn: v.TURNSTONE_QUOTA_TOKENS_IN, tokensOut: v.TURNSTONE_QUOTA_TOKENS_OUT },
      signup: v.TURNSTONE_SIGNUP ?? (v.TURNSTONE_MODE === 'embedded' ? 'open' : 'closed'),
      authFailuresPerMinute: v.TURNSTONE_AUTH_FAILURES_PER_MINUTE,
      trustedProxies: v.TURNSTONE_TRUSTED_PROXIES,
      signingKeys: v.TURNSTONE_SIGNING_KEYS,
      extractor,
      poisonLimits: {
        inARow: v.TURNSTONE_DEAD_LETTERS_IN_A_ROW,
        share: v.TURNSTONE_DEAD_LETTERS_SHARE,
      },
      logLevel: v.TURNSTONE_LOG_LEVEL,
      clock: v.TURNSTONE_CLOCK,
      cluster,
    },
  };
};

/** Variables required in cluster mode. */
const NEEDED = [
  'TURNSTONE_KAFKA_BROKERS',
  'TURNSTONE_ELASTICSEARCH_URL',
  'TURNSTONE_CLICKHOUSE_URL',
  'TURNSTONE_REDIS_URL',
  'TURNSTONE_INSTALLATION_KEY',
  'TURNSTONE_SIGNING_KEYS',
] as const;

/** Adds a fault for each missing variable. */
const clusterOf = (v: Values, faults: string[]): ClusterConfig => {
  for (const name of NEEDED) {
    if (v[name] === undefined || v[name].length === 0) faults.push(`${name} must be set in cluster mode`);
  }
  return {
    namespace: v.TURNSTONE_NAMESPACE,
    kafkaBrokers: v.TURNSTONE_KAFKA_BROKERS,
    elasticsearchUrl: v.TURNSTONE_ELASTICSEARCH_URL ?? '',
    clickhouseUrl: v.TURNSTONE_CLICKHOUSE_URL ?? '',
    redisUrl: v.TURNSTONE_REDIS_URL ?? '',
    partitions: v.TURNSTONE_PARTITIONS,
    replication: v.TURNSTONE_REPLICATION,
    shards: v.TURNSTONE_SHARDS,
    replicas: v.TURNSTONE_REPLICAS,
    usageRetentionDays: v.TURNSTONE_USAGE_RETENTION_DAYS,
    installationKey: v.TURNSTONE_INSTALLATION_KEY ?? '',
    migrateAtStart: v.TURNSTONE_MIGRATE_AT_START === 'yes',
  };
};

/** Adds a fault for each missing variable. */
const extractorOf = (v: Values, faults: string[]): ExtractorConfig => {
  if (v.TURNSTONE_EXTRACTOR === 'rules') return { kind: 'rules' };
  const { TURNSTONE_LLM_BASE_URL: baseUrl, TURNSTONE_LLM_MODEL: model, TURNSTONE_LLM_API_KEY: apiKey } = v;
  for (const [name, value] of Object.entries({
    TURNSTONE_LLM_BASE_URL: baseUrl,
    TURNSTONE_LLM_MODEL: model,
  })) {
    if (value === undefined) faults.push(`${name} must be set for the extractor llm`);
  }
  return { kind: 'llm', baseUrl: baseUrl ?? '', model: model ?? '', apiKey };
};

/** `TURNSTONE_…` variables that nothing reads, probably typos: `serve` and `config` report them. */
export const unknownVariables = (environment: Environment): string[] =>
  Object.keys(environment)
    .filter(name => name.startsWith('TURNSTONE_') && !(name in VARIABLES) && !OTHERS.has(name))
    .sort();

/** The output of `turnstone config`: `name`, `text` without secrets, and whether it is the default. */
export const describeConfig = (
  environment: Environment,
): { name: string; text: string; isDefault: boolean }[] =>
  [...Object.keys(VARIABLES), ...[...OTHERS].filter(name => given(environment, name))].map(name => {
    const text = given(environment, name);
    const fallback = (VARIABLES as Record<string, Variable<unknown>>)[name]?.default ?? '';
    return { name, text: masked(name, text ?? fallback), isDefault: text === undefined };
  });
