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
  /** Only in the mode `cluster`. */
  cluster?: ClusterConfig;
  extractor: ExtractorConfig;
  /** How many dead letters stop the projector; 0: no limit. */
  poisonLimits: {
    /** Consecutive, within one partition. */
    inARow: number;
    /** Percentage of a partition's last 1,000 records; it takes at least 100 dead letters. */
    share: number;
  };
  logLevel: LogLevel;
  /** Tests only: where the service's clock starts, in Unix milliseconds. It then runs at normal speed. */
  clock?: number;
}

/** Which services a process runs: all, the answering of calls, or one consumer of the log. */
export const ROLES = ['all', 'api', 'projector', 'enricher'] as const;
export type Role = (typeof ROLES)[number];

/** What extracts observations and entities: rules, or a language model behind a chat-completions endpoint. */
export type ExtractorConfig =
  | { kind: 'rules' }
  | {
      kind: 'llm';
      /** http or https, without credentials; the part before `/chat/completions`. */
      baseUrl: string;
      model: string;
      /** Self-hosted servers usually need none. */
      apiKey: string | undefined;
    };

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Addresses of the shared engines, and the layout of what the service creates in them (mode `cluster`). */
export interface ClusterConfig {
  /** Prefix of every topic, index, table and key, so that several installations can share the engines. */
  namespace: string;
  /** `host:port`. */
  kafkaBrokers: string[];
  /** The URLs carry credentials where the engine needs them. */
  elasticsearchUrl: string;
  clickhouseUrl: string;
  redisUrl: string;
  /** Partitions of the topics of turns and observations; fixed at creation. */
  partitions: number;
  /** Replication factor of every topic. A write waits for all replicas but one. */
  replication: number;
  /** Primary shards of an index, and replicas of each. */
  shards: number;
  replicas: number;
  /** Days after which usage rows are dropped; 0: never. */
  usageRetentionDays: number;
  /** Absolute path of a file with the 32-byte key, in base64, that wraps all sealing keys. */
  installationKey: string;
  /** Whether start-up creates missing topics, indices and tables. */
  migrateAtStart: boolean;
}
