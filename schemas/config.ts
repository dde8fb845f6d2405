/** A process's configuration; services/config.ts reads it from the environment once, at start-up. */
export interface Config {
  mode: 'embedded' | 'cluster';
  role: Role;
  /** Address or host name to listen on. */
  host: string;
  /** 0: any free port. */
  port: number;
  /** Absolute path of the folder that holds the log, the projections and the keys. */
  dataDir: string;
  /** Tokens per organization and UTC day; 0: no cap. */
  quota: { tokensIn: number; tokensOut: number };
  signup: 'open' | 'closed';
  /** Failed token exchanges allowed per client address; a third of this per key id. */
  authFailuresPerMinute: number;
  /** Addresses or CIDR ranges whose `X-Forwarded-For` is trusted. */
  trustedProxies: string[];
  /** Absolute path of a file of PEM or JWK keys; the first one signs. Undefined: keys in the data folder. */
  signingKeys?: string;
  /** Only set in cluster mode. */
  cluster?: ClusterConfig;
  extractor: ExtractorConfig;
  /** The number of dead letters that stops the projector; 0: no limit. */
  poisonLimits: {
    /** Consecutive dead letters within one partition. */
    inARow: number;
    /** Percentage of a partition's last 1,000 records; at least 100 dead letters are needed. */
    share: number;
  };
  logLevel: LogLevel;
  /** Only for tests: the instant at which the service's clock starts, in Unix milliseconds. It then runs at normal speed. */
  clock?: number;
}

/** The services that a process runs: all, only the API, or one consumer of the log. */
export const ROLES = ['all', 'api', 'projector', 'enricher'] as const;
export type Role = (typeof ROLES)[number];

/** The extractor of observations and entities: rules, or a language model behind a chat-completions endpoint. */
export type ExtractorConfig =
  | { kind: 'rules' }
  | {
      kind: 'llm';
      /** http or https, without credentials; the part of the URL before `/chat/completions`. */
      baseUrl: string;
      model: string;
      /** Self-hosted servers usually need none. */
      apiKey: string | undefined;
    };

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Addresses of the shared engines, and the layout of what the service creates in them (cluster mode). */
export interface ClusterConfig {
  /** Prefix of every topic, index, table and key, so that several installations can share the engines. */
  namespace: string;
  /** `host:port`. */
  kafkaBrokers: string[];
  /** The URLs contain credentials where the engine needs them. */
  elasticsearchUrl: string;
  clickhouseUrl: string;
  redisUrl: string;
  /** Partitions of the topics of turns and observations; fixed at creation. */
  partitions: number;
  /** Replication factor of every topic. A write waits for all replicas but one. */
  replication: number;
  /** The number of primary shards of an index, and of replicas of each. */
  shards: number;
  replicas: number;
  /** Days after which usage rows are dropped; 0: never. */
  usageRetentionDays: number;
  /** Absolute path of a file with the 32-byte key, in base64, that wraps all sealing keys. */
  installationKey: string;
  /** Whether start-up creates missing topics, indices and tables. */
  migrateAtStart: boolean;
}
