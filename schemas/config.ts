/** What a process is told by its environment (API.md, Configuration); read once, by services/config.ts. */
export interface Config {
  mode: 'embedded' | 'cluster';
  /** The services that this process runs. */
  role: 'all' | 'api' | 'projector' | 'enricher';
  /** An address or a name to listen on. */
  host: string;
  /** 0: any free port. */
  port: number;
  /** Absolute path of the folder of the log, the projections and the keys. */
  dataDir: string;
  /** Tokens a UTC day and organization; 0: no cap. */
  quota: { tokensIn: number; tokensOut: number };
  signup: 'open' | 'closed';
  /** Failed token exchanges of one address; a third of it of one key id. */
  authFailuresPerMinute: number;
  /** Addresses or CIDR ranges whose `X-Forwarded-For` is believed. */
  trustedProxies: string[];
  /** Absolute path of a file of PEM or JWK keys, the first signs; undefined: kept in the data folder. */
  signingKeys?: string;
  /** In the mode `cluster` alone. */
  cluster?: ClusterConfig;
  extractor: ExtractorConfig;
  /** Dead letters that stop the projector; 0: no limit. */
  poisonLimits: {
    /** In a row, of a partition. */
    inARow: number;
    /** Percent of the last 1,000 records of a partition, and at least 100 of them. */
    share: number;
  };
  logLevel: LogLevel;
  /** Tests only. Unix milliseconds at which the service's clock starts; it then runs at its usual pace. */
  clock?: number;
}

/** Who finds observations and entities: rules, or a language model behind an endpoint of chat completions. */
export type ExtractorConfig =
  | { kind: 'rules' }
  | {
      kind: 'llm';
      /** http or https, without user and password; ends before `/chat/completions`. */
      baseUrl: string;
      model: string;
      /** Servers of one's own need none. */
      apiKey: string | undefined;
    };

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Where the shared engines are, and how what is made there is laid out (mode `cluster`). */
export interface ClusterConfig {
  /** Begins the name of every topic, index, table and key: several installations may share the engines. */
  namespace: string;
  /** `host:port`. */
  kafkaBrokers: string[];
  /** With credentials in them, where they need any. */
  elasticsearchUrl: string;
  clickhouseUrl: string;
  redisUrl: string;
  /** Partitions of the topics of turns and observations; fixed when they are made. */
  partitions: number;
  /** Copies of every partition of a topic. A write waits for all but one of them. */
  replication: number;
  /** Shards of an index, and copies of each beside the first. */
  shards: number;
  replicas: number;
  /** Days after which usage rows are dropped; 0: never. */
  usageRetentionDays: number;
  /** Absolute path of a file of 32 bytes in base64, which wrap all sealing keys. */
  installationKey: string;
  /** Whether a start makes the topics, the index and the tables that are missing. */
  migrateAtStart: boolean;
}
