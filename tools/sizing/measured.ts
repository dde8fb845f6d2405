/**
 * The cost of one turn in each engine. Each figure was measured by `npm run bench -- cluster` or `-- redis`
 * with turns of 120 characters in writes of ten, enriched by the rules
 * (docs/internals/measurements/benchmarks.md). A test compares the bytes with a small installation
 * (test/cluster/sizing.cluster.test.ts).
 */
export const MEASURED = {
  /** Bytes of a turn in Kafka: its share of its write, what was extracted from it, its session's key. */
  logBytes: 436,
  /** Characters of the text of the turns that were measured. */
  characters: 120,
  /** Documents of Lucene a turn in the recall index: the turn, what was extracted from it, who it names. */
  documents: 6.2,
  /** Bytes of the recall index a turn, without a replica. */
  indexBytes: 3_950,
  /** Bytes of the usage table a turn, before it is rolled up. */
  usageBytes: 44,
  /** Bytes of a claim in Redis. */
  claimBytes: 124,
  /** Bytes of an organization in Redis that was active in the last eight days. */
  organizationBytes: 300,
  /** Bytes of a session in Redis that was in use within the hour. */
  sessionBytes: 1_600,
  /** CPU microseconds of an API process a turn, ten a write. */
  apiMicros: 185,
  /** CPU microseconds of Redis a write of ten. */
  redisMicros: 350,
  /** CPU microseconds of a projector a turn, with what was extracted from it. */
  projectorMicros: 193,
  /** CPU microseconds of an enricher a turn, by the rules. */
  enricherMicros: 230,
  /** CPU milliseconds of an API process for a recall of a user's 600 turns. */
  recallApiMillis: 22,
  /** Documents a second that a replay writes into Elasticsearch on two cores that it shares with it. */
  replayDocuments: 7_027,
} as const;

export type Measured = { readonly [name in keyof typeof MEASURED]: number };

/** The most that an engine can hold, whatever the machine. */
export const LIMITS = {
  /** Documents of a Lucene index, which a shard is. */
  shardDocuments: 2 ** 31 - 128,
  /** Elastic's advice: a shard that is larger is slow to move and to recover. */
  shardBytes: 50 * 1024 ** 3,
  /** The highest value of TURNSTONE_PARTITIONS. */
  partitions: 1_000,
  /** Records of a partition of turns (fragment-numbers.ts); beyond 32 partitions they share 2^38. */
  partitionRecords: 2 ** 33,
  allRecords: 2 ** 38,
} as const;
