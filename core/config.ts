/** Reads the configuration of schemas/config.ts from the environment. */
import { readFileSync } from 'node:fs';
import { type ClusterConfig, type Config, SETTINGS, type Settings } from '../schemas/config.ts';
import { defaultText, type Mode, NEEDED_FOR, urlsOf, type Variable } from '../schemas/config-values.ts';
import { isLoopback } from './address-name.ts';

/** Known variables that the command line reads; not part of `Config`. */
const OTHERS = new Set([
  'TURNSTONE_URL',
  'TURNSTONE_API_KEY',
  'TURNSTONE_API_KEY_FILE',
  'TURNSTONE_MCP_USER',
  'TURNSTONE_MCP_SESSION',
]);

export type Environment = Record<string, string | undefined>;

interface Tree {
  [name: string]: Variable<unknown> | Tree;
}

const isVariable = (node: Variable<unknown> | Tree): node is Variable<unknown> =>
  typeof node.parse === 'function';

/** Returns the tree with every variable replaced by `value(variable)`. */
const mapVariables = (tree: Tree, value: (variable: Variable<unknown>) => unknown): object =>
  Object.fromEntries(
    Object.entries(tree).map(([name, node]) => [
      name,
      isVariable(node) ? value(node) : mapVariables(node, value),
    ]),
  );

const VARIABLES: Variable<unknown>[] = [];
mapVariables(SETTINGS, variable => VARIABLES.push(variable));
/** Returns the name of the companion variable that names a file with the secret. */
const fileOf = (name: string): string => `${name}_FILE`;

const SECRETS = new Set(VARIABLES.filter(({ isSecret }) => isSecret).map(({ name }) => name));
const NAMES = new Set([...VARIABLES.map(({ name }) => name), ...[...SECRETS].map(fileOf)]);

/** An empty variable counts as unset, because compose files and CI pass unset ones as empty. */
const given = (environment: Environment, name: string): string | undefined => environment[name] || undefined;

const modeOf = (environment: Environment): Mode =>
  environment[SETTINGS.mode.name] === 'cluster' ? 'cluster' : 'embedded';

const defaultOf = (variable: Variable<unknown>, environment: Environment): string => {
  const host = given(environment, SETTINGS.host.name) ?? String(SETTINGS.host.default);
  return defaultText(variable, modeOf(environment), { isReachable: !isLoopback(host) });
};

/**
 * Returns a secret from its variable, or from its file without the trailing line break. Throws a `RangeError`
 * whose message is a configuration fault.
 */
export const readSecret = (environment: Environment, name: string): string | undefined => {
  const text = given(environment, name);
  const path = given(environment, fileOf(name));
  if (path === undefined) return text;
  if (text !== undefined) throw new RangeError(`only one of ${name} and ${fileOf(name)} may be set`);
  let content: string;
  try {
    content = readFileSync(path, 'utf8').replace(/\r?\n$/, '');
  } catch {
    throw new RangeError(`${fileOf(name)} must be a readable file (it is ${JSON.stringify(path)})`);
  }
  // An empty secret would count as unset.
  if (content === '') throw new RangeError(`${fileOf(name)} names an empty file`);
  return content;
};

const textOf = (environment: Environment, { name, isSecret }: Variable<unknown>): string | undefined =>
  isSecret ? readSecret(environment, name) : given(environment, name);

/** Masks a URL's password, query and fragment, and keeps its user; also in texts that are no URL. */
const maskedUrl = (text: string): string =>
  text
    .replace(/\?.*/s, '?***')
    .replace(/#.*/s, '')
    .replace(/\/\/([^:@/]*):.*@/s, '//$1:***@')
    .replace(/\/\/[^:@/]+@/, '//***@');

/** Masks secrets: a whole key, or the secret parts of URLs. */
const masked = (name: string, text: string): string => {
  const isUrls = SECRETS.has(name) ? /^\s*\w[\w+.-]*:\/\//.test(text) : text.includes('://');
  if (isUrls) return urlsOf(text).map(maskedUrl).join(',');
  return text !== '' && (SECRETS.has(name) || name === 'TURNSTONE_API_KEY') ? '(set)' : text;
};

/** Returns the endpoint if its base URL is set: that alone configures the model. */
const configured = <Endpoint extends { baseUrl: string | undefined }>(
  endpoint: Endpoint,
): (Endpoint & { baseUrl: string }) | undefined => {
  const { baseUrl } = endpoint;
  return baseUrl === undefined ? undefined : { ...endpoint, baseUrl };
};

export type ReadConfig = { ok: true; config: Config } | { ok: false; faults: string[] };

/** Reads and checks the configuration: `faults` has a line for each unusable variable. */
export const readConfig = (environment: Environment): ReadConfig => {
  const faults: string[] = [];
  const mode = modeOf(environment);
  const settings = mapVariables(SETTINGS, variable => {
    let text: string | undefined;
    try {
      text = textOf(environment, variable);
    } catch (error) {
      faults.push((error as RangeError).message);
      return undefined;
    }
    try {
      return variable.parse(text ?? defaultOf(variable, environment));
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      const it = JSON.stringify(masked(variable.name, text ?? ''));
      faults.push(`${variable.name} must be ${error.message} (it is ${it})`);
      return undefined;
    }
  }) as Settings;
  if (faults.length === 0) faults.push(...faultsBetween(settings, environment));
  if (faults.length > 0) return { ok: false, faults };
  const { extractor, embeddings, rerank, cluster, ...common } = settings;
  return {
    ok: true,
    config: {
      ...common,
      extractor: extractor.kind === 'rules' ? { kind: 'rules' } : { ...extractor, kind: 'llm' },
      embeddings: configured(embeddings),
      rerank: configured(rerank),
      cluster: mode === 'cluster' ? cluster : undefined,
    },
  };
};

type Connection = Partial<Pick<ClusterConfig['redis'], 'ca' | 'cert' | 'key'>>;

/**
 * A configured authority or certificate implies encryption, so one on a plain-text connection is a fault: the
 * connection itself would not reveal it.
 */
const tlsFaults = (
  name: string,
  { ca, cert, key }: Connection,
  isEncrypted: boolean,
  remedy: string,
): string[] => [
  ...Object.entries({ CA: ca, CERT: cert, KEY: key }).flatMap(([file, content]) =>
    isEncrypted || content === undefined
      ? []
      : [`TURNSTONE_${name}_${file} needs an encrypted connection: ${remedy}`],
  ),
  ...((cert === undefined) === (key === undefined)
    ? []
    : [`TURNSTONE_${name}_CERT and TURNSTONE_${name}_KEY must be set together`]),
];

const kafkaFaults = ({ sasl, user, password, tokenUrl }: ClusterConfig['kafka']): string[] => {
  if (sasl === 'none')
    return (user ?? password ?? tokenUrl) === undefined
      ? []
      : ['TURNSTONE_KAFKA_SASL must be set for TURNSTONE_KAFKA_USER, _PASSWORD and _TOKEN_URL'];
  const needed = { USER: user, PASSWORD: password, ...(sasl === 'oauthbearer' && { TOKEN_URL: tokenUrl }) };
  return Object.entries(needed).flatMap(([name, value]) =>
    value === undefined ? [`TURNSTONE_KAFKA_${name} must be set for TURNSTONE_KAFKA_SASL=${sasl}`] : [],
  );
};

/** Returns the contradictions among the variables of the engines' connections. */
const connectionFaults = (config: ClusterConfig): string[] => {
  const {
    kafka,
    elasticsearch,
    clickhouse,
    redis,
    elasticsearchUrl = '',
    clickhouseUrl = '',
    redisUrl = '',
  } = config;
  const faults = [
    ...tlsFaults('KAFKA', kafka, kafka.tls, 'set TURNSTONE_KAFKA_TLS=yes'),
    ...kafkaFaults(kafka),
    ...tlsFaults('ELASTICSEARCH', elasticsearch, elasticsearchUrl.startsWith('https:'), 'use https:// URLs'),
    ...tlsFaults('CLICKHOUSE', clickhouse, clickhouseUrl.startsWith('https:'), 'use an https:// URL'),
    ...tlsFaults('REDIS', redis, redisUrl.startsWith('rediss:'), 'use rediss:// URLs'),
  ];
  if (elasticsearch.apiKey !== undefined && elasticsearch.user !== undefined)
    faults.push('only one of TURNSTONE_ELASTICSEARCH_API_KEY and TURNSTONE_ELASTICSEARCH_USER may be set');
  if (redis.primary === undefined && !redis.cluster && urlsOf(redisUrl).length > 1)
    faults.push(
      'TURNSTONE_REDIS_URL may name several servers only for Sentinels (set TURNSTONE_REDIS_PRIMARY) or for a Redis Cluster (set TURNSTONE_REDIS_CLUSTER=yes)',
    );
  if (redis.primary !== undefined && redis.cluster)
    faults.push('only one of TURNSTONE_REDIS_PRIMARY and TURNSTONE_REDIS_CLUSTER=yes may be set');
  if (redis.cluster && urlsOf(redisUrl).some(url => !/^\/?0?$/.test(new URL(url).pathname)))
    faults.push('TURNSTONE_REDIS_URL must not name a database: a Redis Cluster has only the database 0');
  if (redis.primary === undefined && (redis.sentinelUser ?? redis.sentinelPassword) !== undefined)
    faults.push('TURNSTONE_REDIS_PRIMARY must be set for TURNSTONE_REDIS_SENTINEL_USER and _PASSWORD');
  return faults;
};

/** Returns the faults that follow from several variables: missing ones and contradictions. */
const faultsBetween = (
  { mode, role, extractor, embeddings, clock, cluster }: Settings,
  environment: Environment,
): string[] => {
  const used = {
    cluster: mode === 'cluster',
    llm: extractor.kind === 'llm',
    embeddings: embeddings.baseUrl !== undefined,
  };
  const faults = VARIABLES.flatMap(({ name, neededFor }) =>
    neededFor && used[neededFor] && !given(environment, name) && !given(environment, fileOf(name))
      ? [`${name} must be set ${NEEDED_FOR[neededFor]}`]
      : [],
  );
  if (mode === 'embedded' && role !== 'all')
    faults.push(`TURNSTONE_ROLE must be all in embedded mode (it is ${JSON.stringify(role)})`);
  if (clock !== undefined && environment.NODE_ENV !== 'test')
    faults.push(
      'TURNSTONE_CLOCK is for tests, which set NODE_ENV=test: it makes what has not expired expire',
    );
  if (mode === 'cluster') faults.push(...connectionFaults(cluster));
  return faults;
};

/** `TURNSTONE_…` variables that nothing reads, probably typos: `serve` and `config` report them. */
export const unknownVariables = (environment: Environment): string[] =>
  Object.keys(environment)
    .filter(name => name.startsWith('TURNSTONE_') && !NAMES.has(name) && !OTHERS.has(name))
    .sort();

/** The output of `turnstone config`: `name`, `text` without secrets, and whether it is the default. */
export const describeConfig = (
  environment: Environment,
): { name: string; text: string; isDefault: boolean }[] => {
  const lineOf = (name: string, fallback: string) => {
    const path = SECRETS.has(name) ? given(environment, fileOf(name)) : undefined;
    if (path !== undefined) return { name: fileOf(name), text: path, isDefault: false };
    const text = given(environment, name);
    return { name, text: masked(name, text ?? fallback), isDefault: text === undefined };
  };
  return [
    ...VARIABLES.map(variable => lineOf(variable.name, defaultOf(variable, environment))),
    ...[...OTHERS].filter(name => given(environment, name)).map(name => lineOf(name, '')),
  ];
};
