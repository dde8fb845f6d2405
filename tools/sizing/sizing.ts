/** How large an installation has to be: sums over what was measured, and nothing else. */
import { LIMITS, MEASURED, type Measured } from './measured.ts';

const SECONDS_OF_A_DAY = 86_400;
/** Claims of this many days are in Redis (ADR 76). */
const CLAIM_DAYS = 9;
/** Elasticsearch needs as much again for merges, Redis for its copy on write. */
const ROOM = 2;
/** How busy a processor may be, so that a peak is no queue. */
const BUSY = 0.6;
/** The default of TURNSTONE_PARTITIONS. */
const LEAST_PARTITIONS = 12;

/** All that the installation holds and does. */
export interface Load {
  /** Turns that are stored. */
  turns: number;
  organizations: number;
  turnsADay: number;
  recallsADay: number;
  /** Turns in a write. */
  turnsAWrite: number;
  /** Sessions in use in the same hour. */
  sessionsAnHour: number;
  /** Characters of a turn's text. */
  characters: number;
  /** How many times the day's mean the busiest second has. */
  peak: number;
}

/** The machines that it runs on. */
export interface Machines {
  /** Copies of each record in Kafka. */
  replication: number;
  /** Copies of each shard beside the first. */
  replicas: number;
  /** Bytes of disk of one node. */
  diskBytes: number;
}

export interface Sizing {
  /** Bytes. */
  logBytes: number;
  indexBytes: number;
  usageBytes: number;
  redisBytes: number;
  documents: number;
  brokers: number;
  indexNodes: number;
  /** The shards of one generation of the recall index. */
  shards: number;
  /** TURNSTONE_PARTITIONS: as many as projectors at least, and room for their records. */
  partitions: number;
  apis: number;
  projectors: number;
  enrichers: number;
  redisServers: number;
  /** Hours to build a generation of the recall index from the log: one process does. */
  replayHours: number;
  /** Reasons why it can't be done, for people. */
  impossible: string[];
}

const atLeast = (least: number, value: number): number => Math.max(least, Math.ceil(value));

/** Returns the number of processes that a rate needs, each of which has one core. */
const processesFor = (aSecond: number, micros: number): number => atLeast(1, (aSecond * micros) / 1e6 / BUSY);

/** @param measured what a turn costs; a test may pass its own */
export const sizeOf = (load: Load, machines: Machines, measured: Measured = MEASURED): Sizing => {
  const { turns, turnsADay, turnsAWrite, organizations } = load;
  // The words are most of a turn's bytes; what is said about them grows with them.
  const longer = load.characters / measured.characters;
  const logBytes = turns * measured.logBytes * longer;
  const indexBytes = turns * measured.indexBytes * longer;
  const documents = turns * measured.documents;
  const peakTurns = (turnsADay / SECONDS_OF_A_DAY) * load.peak;
  const peakRecalls = (load.recallsADay / SECONDS_OF_A_DAY) * load.peak;

  const redisBytes =
    turnsADay * CLAIM_DAYS * measured.claimBytes +
    organizations * measured.organizationBytes +
    load.sessionsAnHour * measured.sessionBytes;
  const redisBusy = ((peakTurns / turnsAWrite) * measured.redisMicros) / 1e6;

  const shards = atLeast(1, Math.max(documents / LIMITS.shardDocuments, indexBytes / LIMITS.shardBytes));
  const projectors = processesFor(peakTurns, measured.projectorMicros * longer);
  const records = turns / turnsAWrite;
  const partitions = atLeast(Math.max(projectors, LEAST_PARTITIONS), records / LIMITS.partitionRecords);
  const indexNodes = atLeast(
    1 + machines.replicas,
    (indexBytes * (1 + machines.replicas) * ROOM) / machines.diskBytes,
  );

  const impossible: string[] = [];
  if (partitions > LIMITS.partitions)
    impossible.push(`more than ${LIMITS.partitions} partitions: split it into several installations`);
  if (records > LIMITS.allRecords)
    impossible.push(`more than 2^38 records of turns: larger writes, or several installations`);
  return {
    logBytes,
    indexBytes,
    documents,
    usageBytes: turns * measured.usageBytes,
    redisBytes,
    brokers: atLeast(machines.replication, (logBytes * machines.replication * ROOM) / machines.diskBytes),
    indexNodes,
    shards,
    partitions,
    apis: processesFor(
      peakTurns + peakRecalls,
      (peakTurns * measured.apiMicros * longer + peakRecalls * measured.recallApiMillis * 1_000) /
        Math.max(peakTurns + peakRecalls, 1e-9),
    ),
    projectors,
    enrichers: processesFor(peakTurns, measured.enricherMicros * longer),
    redisServers: atLeast(1, redisBusy / BUSY),
    replayHours: documents / measured.replayDocuments / 3_600,
    impossible,
  };
};
