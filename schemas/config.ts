/**
 * The configuration: every variable with its default, what it accepts and what it is, in the shape in which
 * the service reads it. A new variable is a declaration here or in a config-….ts beside it: core/config.ts
 * reads it from the environment at start-up, and `npm run docs:reference` writes it into
 * docs/reference/configuration.md.
 */
import { CALLERS } from './config-callers.ts';
import { CLUSTER_SETTINGS } from './config-cluster.ts';
import { IDENTITY } from './config-identity.ts';
import { MODEL_SETTINGS } from './config-models.ts';
import { TELEMETRY_SETTINGS } from './config-telemetry.ts';
import {
  dataFolder,
  hostName,
  instant,
  oneOf,
  optional,
  optionalSecret,
  ranges,
  readableFile,
  type Variable,
  variable,
  wholeNumber,
} from './config-values.ts';

/** The services that a process runs: all, only the API, or one consumer of the log. */
export const ROLES = ['all', 'api', 'projector', 'enricher'] as const;
export type Role = (typeof ROLES)[number];

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

const caps = wholeNumber(0, 1e15);

/** In the order of `turnstone config`. */
export const SETTINGS = {
  mode: variable(
    'TURNSTONE_MODE',
    'embedded',
    oneOf('embedded', 'cluster'),
    'one process, or many on shared engines',
  ),
  role: variable(
    'TURNSTONE_ROLE',
    'all',
    oneOf(...ROLES),
    'what this process runs; all but `all` need the mode `cluster`',
  ),
  host: variable('TURNSTONE_HOST', '127.0.0.1', hostName, 'address to listen on'),
  port: variable(
    'TURNSTONE_PORT',
    '8080',
    wholeNumber(0, 65_535),
    'to listen on; 0: any free one, printed at the start',
  ),
  /** An absolute path. */
  dataDir: variable(
    'TURNSTONE_DATA_DIR',
    './data',
    dataFolder,
    'the log, the projections and the keys of the mode `embedded`; a path of at most 92 bytes',
  ),
  quota: {
    tokensIn: variable(
      'TURNSTONE_QUOTA_TOKENS_IN',
      '1000000',
      caps,
      'tokens that an organization may store and ask, a UTC day; 0: no cap',
    ),
    tokensOut: variable(
      'TURNSTONE_QUOTA_TOKENS_OUT',
      '5000000',
      caps,
      'tokens that are returned to it, a UTC day; 0: no cap',
    ),
  },
  signup: variable(
    'TURNSTONE_SIGNUP',
    { embedded: 'open', embeddedReachable: 'closed', cluster: 'closed' },
    oneOf('open', 'closed'),
    'whether anybody may sign up an organization',
  ),
  signupsPerMinute: variable(
    'TURNSTONE_SIGNUPS_PER_MINUTE',
    '60',
    wholeNumber(0, 1_000_000),
    'sign-ups of an address (IPv6: a /64); 0: no limit',
  ),
  /** Failed token exchanges count too. */
  authFailuresPerMinute: variable(
    'TURNSTONE_AUTH_FAILURES_PER_MINUTE',
    '30',
    wholeNumber(1, 1_000_000),
    'refused API keys per address; a third of it per key id. A valid key is never refused for others',
  ),
  ...CALLERS,
  rates: {
    perSecond: variable(
      'TURNSTONE_REQUESTS_PER_SECOND',
      { embedded: '0', cluster: '1000' },
      wholeNumber(0, 1_000_000),
      'of an organization, over all its keys and APIs; 0: no limit',
    ),
    openPerMinute: variable(
      'TURNSTONE_OPEN_REQUESTS_PER_MINUTE',
      { embedded: '0', cluster: '600' },
      wholeNumber(0, 1_000_000),
      'of an address (IPv6: a /64) on open endpoints; 0: no limit',
    ),
  },
  connections: {
    most: variable(
      'TURNSTONE_CONNECTIONS',
      '10000',
      wholeNumber(1, 1_000_000),
      'open connections of a port; fewer where the system allows fewer open files',
    ),
    perAddress: variable(
      'TURNSTONE_CONNECTIONS_PER_ADDRESS',
      '5000',
      wholeNumber(0, 1_000_000),
      'of one address (IPv6: of a /64) that is no trusted proxy; 0: no limit of its own',
    ),
  },
  metrics: {
    port: variable(
      'TURNSTONE_METRICS_PORT',
      '',
      optional(wholeNumber(1, 65_535)),
      'serves `/metrics` on this port instead of the main one',
    ),
    token: optionalSecret('TURNSTONE_METRICS_TOKEN', 'the bearer token that `/metrics` needs'),
  },
  feedStreams: variable(
    'TURNSTONE_FEED_STREAMS',
    '2000',
    wholeNumber(2, 1_000_000),
    'open event streams of a process; an organization has at most half of them',
  ),
  trustedProxies: variable(
    'TURNSTONE_TRUSTED_PROXIES',
    '',
    ranges,
    'comma-separated addresses or ranges whose `X-Forwarded-For` is trusted',
  ),
  /** An absolute path. Undefined: keys in the data folder. */
  signingKeys: {
    ...variable(
      'TURNSTONE_SIGNING_KEYS',
      '',
      optional(readableFile),
      'a file of PEM or JWK keys, the first signs; by default one is created in the data folder',
    ),
    neededFor: 'cluster' as const,
  },
  ...IDENTITY,
  reader: variable(
    'TURNSTONE_READER',
    'no',
    oneOf('yes', 'no'),
    'whether a small model in the process reads the best turns of a question for the present',
  ),
  ...MODEL_SETTINGS,
  diskReserveMb: variable(
    'TURNSTONE_DISK_RESERVE_MB',
    '256',
    wholeNumber(0, 10_000_000),
    "MiB of the data folder's disk that stay free (of a small disk a tenth): below it, new turns are 503",
  ),
  /** The number of dead letters that stops the projector. */
  poisonLimits: {
    /** Within one partition. */
    inARow: variable(
      'TURNSTONE_DEAD_LETTERS_IN_A_ROW',
      '100',
      wholeNumber(0, 1_000_000),
      'consecutive dead letters that stop the projector; 0: no limit',
    ),
    share: variable(
      'TURNSTONE_DEAD_LETTERS_SHARE',
      '20',
      wholeNumber(0, 100),
      "the same, as a percentage of a partition's last 1,000 (at least 100 of them); 0: no limit",
    ),
  },
  quarantineHours: variable(
    'TURNSTONE_QUARANTINE_HOURS',
    '24',
    wholeNumber(0, 8_760),
    'how long what has expired stays hidden before it is destroyed; 0: a wrong clock destroys at once',
  ),
  expiriesPerDay: variable(
    'TURNSTONE_EXPIRIES_PER_DAY',
    '20',
    wholeNumber(0, 100),
    'percentage of the sessions of an organization that are destroyed because all of them has expired; 0: any',
  ),
  shutdownPauseSeconds: variable(
    'TURNSTONE_SHUTDOWN_PAUSE_SECONDS',
    { embedded: '0', cluster: '5' },
    wholeNumber(0, 300),
    'how long an API that stops answers calls after `/readyz` is 503, for the load balancer to see it',
  ),
  logLevel: variable(
    'TURNSTONE_LOG_LEVEL',
    'info',
    oneOf(...LOG_LEVELS),
    'JSON lines on stderr; human-readable on a terminal',
  ),
  telemetry: TELEMETRY_SETTINGS,
  /** In Unix milliseconds; the clock then runs at normal speed. */
  clock: variable(
    'TURNSTONE_CLOCK',
    '',
    optional(instant),
    "for tests, with NODE_ENV=test: the instant at which the service's clock starts",
  ),
  cluster: CLUSTER_SETTINGS,
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
