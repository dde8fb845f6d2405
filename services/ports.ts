/**
 * What the services need of the engines. Each port has one contract suite (test/contracts) that every
 * adapter passes. An adapter throws `ServiceError('unavailable')` for an outage; nothing else is transient.
 */
import type { KeyObject } from 'node:crypto';
import type { AccountEvent } from '../projections/accounts/projection.ts';
import type { CandidateQuery } from '../projections/recall/candidate-query.ts';
import type { Candidate, Neighbours, ScopeStatistics } from '../projections/recall/document.ts';
import type { Origin, RecallWrite } from '../projections/recall/projection.ts';
import type { UsageRow } from '../projections/usage/projection.ts';
import type { Difference } from '../projections/verify/compare.ts';
import type { Row, VerifiedProjection } from '../projections/verify/row.ts';
import type { Sample } from '../projections/verify/sample.ts';
import type { ErasureCounts } from '../schemas/events/erasure.ts';

// ---- event log ------------------------------------------------------------------------------------

/** `keys` is a topic of the shared log alone: the embedded service has a file of them. */
export type Topic = 'turns' | 'observations' | 'usage' | 'accounts' | 'dead-letters' | 'keys';

export interface NewRecord {
  topic: Topic;
  /** Records of one key share a partition and keep their order. */
  key: string;
  /** Where it goes whatever its key, for what has to be in a certain partition. */
  partition?: number;
  /** A serialised envelope (schemas/events/envelope.ts). */
  value: Uint8Array;
  headers?: Record<string, string>;
  /** In a compacted topic: what a later record of the same name replaces. An empty value then removes it. */
  name?: string;
}

export interface LogRecord {
  topic: Topic;
  partition: number;
  offset: number;
  name?: string;
  value: Uint8Array;
  headers: Record<string, string>;
}

/** Next offset to read, by `topic/partition`. */
export type Positions = Record<string, number>;

/** Where the log holds a record. */
export interface Place {
  topic: Topic;
  partition: number;
  offset: number;
}

export interface EventLog {
  /**
   * Durable (synced) when it resolves, with each record's place, in order. When it rejects, nothing says how much was
   * stored: the embedded log stores all or none, Kafka may hold some, or some twice.
   */
  append(records: readonly NewRecord[]): Promise<Place[]>;
  /** Records from `offset` on, in order, at most `limit`; empty at the end. */
  read(topic: Topic, partition: number, offset: number, limit: number): Promise<LogRecord[]>;
  /** The offset that the next record of each topic and partition will get. */
  ends(): Promise<Positions>;
  close(): Promise<void>;
}

/** A log that one process has to itself: whoever consumes it asks for records, and keeps its position in it. */
export interface PolledLog extends EventLog {
  /** Stores all or none; `commit` moves a group's positions in the same step. */
  append(records: readonly NewRecord[], commit?: { group: string; positions: Positions }): Promise<Place[]>;
  committed(group: string): Promise<Positions>;
  /** Calls back after records were appended, by anyone; returns how to stop. A hint: it may come late or twice. */
  onAppend(listener: () => void): () => void;
}

/** A log that many processes share: each partition is given to one member of a group at a time. */
export interface SharedLog extends EventLog {
  /**
   * Joins a group. `handle` gets records of one partition in their order, one call a partition at a time; when it
   * resolves, the group's next offset is committed; when it rejects, the same records come again, after a pause.
   * A record may be delivered again after a crash or when partitions change hands. `signal` is aborted when the
   * partition is to be given up or the consumer closes: who would take long may then reject.
   */
  consume(options: {
    group: string;
    topics: readonly Topic[];
    handle: (records: LogRecord[], signal: AbortSignal) => Promise<void>;
    /** Most records a call, where fewer are wanted than the log would give. */
    atOnce?: number | undefined;
    /** A fault that is tried again. */
    onTrouble: (error: unknown) => void;
  }): Promise<Consumer>;
  /** Next offsets of a group; 0 where it has none. */
  committed(group: string): Promise<Positions>;
}

export interface Consumer {
  /** Finishes and commits what is under way, then leaves the group. */
  close(): Promise<void>;
}

// ---- language model -------------------------------------------------------------------------------

/** Asks a language model. */
export interface Chat {
  /** Rejects when `signal` is aborted, and for nothing else: a fault is an outcome. */
  complete(request: object, signal: AbortSignal): Promise<ChatOutcome>;
}

export type ChatOutcome = { kind: 'answered'; completion: unknown } | ChatFault;

export interface ChatFault {
  /** `limited`: too many requests; `away`: no answer, or a fault of the server's own; `refused`: asking again brings the same. */
  kind: 'limited' | 'away' | 'refused';
  /** For people: the kind of fault alone, never what was sent or answered. */
  reason: string;
  /** How long the server asks to be left alone. */
  retryAfterMs?: number | undefined;
}

// ---- sealing keys ---------------------------------------------------------------------------------

export interface SessionKey {
  /** Names the key in the envelope; tells nothing of its scope. */
  keyId: string;
  /** AES-256-GCM key that seals the session's events. */
  sealing: KeyObject;
  /** HMAC-SHA-256 key of the session, under which ids are derived: what is sent again after an erasure has other ids. */
  identity: KeyObject;
}

export interface KeyStore {
  /** The scope's keys, made on first use; durable when it resolves. */
  forSession(org: string, user: string, session: string): Promise<SessionKey>;
  /** The sealing key of an envelope; undefined once it was destroyed. */
  byId(keyId: string): Promise<KeyObject | undefined>;
  /** Ids of the keys of a session, or of a whole user partition: its own and all sessions'. */
  idsOf(org: string, user: string, session?: string): Promise<string[]>;
  /**
   * Destroys the keys of a session, or of a whole user partition. Resolves with their ids when no process gives one of
   * them for new events any more.
   */
  destroy(org: string, user: string, session?: string): Promise<string[]>;
  /** Destroys keys by their ids; those that are gone already are passed over. */
  destroyKeys(keyIds: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

// ---- projections ----------------------------------------------------------------------------------

/** What one step of the projector writes: applied whole, with the positions after it, or not at all. */
export interface ProjectedBatch {
  recall: RecallWrite[];
  usage: UsageRow[];
  accounts: AccountEvent[];
  /** What admission learns from the log, for an admission that is a projection of its own. */
  logged: Logged[];
  positions: Positions;
}

export interface ProjectionStore {
  positions(): Promise<Positions>;
  apply(batch: ProjectedBatch): Promise<void>;
  close(): Promise<void>;
}

/** Numbers of the generations that a data folder holds, by what they are for. */
export interface GenerationNames {
  /** The highest that was ever given: none is given twice. */
  last: number;
  serving: number;
  standby: number | null;
  building: number | null;
}

/** The generations of the projections on a data folder. Each is a file that can be thrown away. */
export interface GenerationFiles {
  names(): GenerationNames;
  /** Durable when it returns: what a restart finds. A crash leaves all of it or nothing. */
  write(changes: Partial<GenerationNames>): void;
  path(number: number): string;
  /** Undefined when there is none of the current format. */
  about(number: number): { version: string; positions: Positions } | undefined;
  bytes(number: number): number;
  remove(number: number): void;
  /** That this release writes. */
  version: string;
}

// ---- admission: claims, quotas, the active tail -----------------------------------------------------

/** An acknowledged turn, as recall needs it before the index shows it. */
export interface TailTurn {
  id: string;
  org: string;
  user: string;
  session: string;
  role: string;
  text: string;
  /** Unix milliseconds. */
  timestamp: number;
  /** Stored as a fragment: false keeps the identity alone. */
  active: boolean;
  /** To be enriched. */
  passive: boolean;
  observations: string[];
  /** Its sealing key. */
  keyId: string;
  /** Where the log holds it. */
  partition: number;
  offset: number;
}

export interface Tokens {
  tokensIn: number;
  tokensOut: number;
}

/** Caps of an organization for a UTC day; 0: none. */
export type Caps = Tokens;

export interface AdmitRequest {
  org: string;
  /** Whose turns are claimed. */
  user?: string;
  /** Unix milliseconds. Its UTC day is the one that the call is billed to. */
  recordedAt: number;
  caps: Caps;
  /** Distinct turns that the call wants to write, with their tokens; empty for a recall. */
  claims: readonly { id: string; tokens: number; timestamp: number }[];
  /** Tokens of the call beside its claims: those of a query. */
  tokensIn: number;
  /** The scope of a recall. Recalls are refused at the tokens_out cap, writes are not. */
  recall?: Scope;
}

export type Admitted =
  | {
      kind: 'admitted';
      /** Fences `remember` and `release`. The records carry it in the header `attempt`. */
      attempt: string;
      /**
       * Claimed by this attempt: neither in the log nor on their way there, as far as anybody knows. With the instant
       * (Unix milliseconds) to record them at: that of the first attempt, when this one takes over from another.
       */
      fresh: ReadonlyMap<string, number>;
      /** Known turns that were written without a fragment. */
      inactive: ReadonlySet<string>;
      /**
       * Of a recall of now: acknowledged turns of its scope that an index may not show yet. To be had before the index is
       * asked. What was recorded by an earlier instant every index shows.
       */
      tail: TailTurn[];
    }
  | { kind: 'refused'; cap: 'tokens_in_daily' | 'tokens_out_daily'; used: number; limit: number };

/** A write: which turns it named, and whether they are enriched. */
export interface Job {
  id: string;
  org: string;
  user: string;
  turnIds: string[];
  passive: boolean;
}

/** What an acknowledged append put into the log. */
export interface Remembered {
  turns: readonly TailTurn[];
  /** The write's row, until the projection has it. */
  job?: Job & { keyId: string; partition: number; offset: number };
  /** A metered recall, by its event's id. */
  recall?: Tokens & { id: string; partition: number; offset: number };
}

/** An event of the log as admission needs it: what it bills, and what it makes known. */
export interface Logged {
  /** The event's. */
  id: string;
  topic: Topic;
  partition: number;
  offset: number;
  /** Which attempt appended it. */
  attempt?: string | undefined;
  org: string;
  /** UTC day that it is billed to. */
  day: string;
  tokens: Tokens;
  turn?: TailTurn;
  job?: NonNullable<Remembered['job']>;
  /** A turn whose key is gone: it bills, and that is all. */
  erasedTurn?: true;
}

export interface Admission {
  /**
   * One atomic step: tells fresh turns from known ones, checks the caps with the fresh ones' tokens, and either
   * refuses (nothing changes) or claims them and reserves the tokens. Waits up to 5 s for another attempt that holds
   * one of the claims; then `unavailable`.
   */
  admit(request: AdmitRequest): Promise<Admitted>;
  /**
   * After the append: the claims are kept, the tokens billed, the turns in the tail. Resolves with the turns that are
   * billed to this attempt: another one may have taken over.
   */
  remember(attempt: string, remembered: Remembered): Promise<ReadonlySet<string>>;
  /** The append certainly did not happen. */
  release(attempt: string): Promise<void>;
  /** Acknowledged turns of the scope that an index may not show yet. */
  tail(scope: Scope): Promise<TailTurn[]>;
  /**
   * The tail and the jobs let go of what was sealed under these keys of a user, also of what is remembered later. Claims
   * and what is billed stay: no turn will have these ids again.
   */
  erase(org: string, user: string, keyIds: readonly string[]): Promise<void>;
  /** A job that the projection may not have yet. */
  job(org: string, id: string): Promise<Remembered['job']>;
}

// ---- recall index and usage store (read side) ------------------------------------------------------

export interface Scope {
  org: string;
  /** One end-user partition; undefined: all of the organization. */
  user?: string | undefined;
  session?: string | undefined;
  /** Unix milliseconds, inclusive. */
  since?: number | undefined;
  until?: number | undefined;
  /** Only what was recorded by then: Unix milliseconds, inclusive. */
  asOf?: number | undefined;
}

export interface StoredFragment {
  key: number;
  id: string;
  kind: 'turn' | 'observation';
  user: string;
  session: string;
  role: string;
  text: string;
  /** Unix milliseconds. */
  timestamp: number;
  /** Observations: the turn they come from, and who made them. */
  sourceTurnId?: string;
  source?: 'client' | 'rules' | 'llm';
}

export interface StoredEntity {
  id: string;
  label: string;
  /** The turns of the searched scope that name it and were asked for. */
  turnIds: string[];
}

export interface Retrieved<Query extends CandidateQuery = CandidateQuery> {
  /** As analysed for those who speak in the scope. */
  query: Query;
  /** Everything in the scope is a candidate: asking for more brings nothing. */
  complete: boolean;
  /** Without their neighbours. */
  candidates: Candidate[];
  statistics: ScopeStatistics;
  /** The neighbours of these candidates: each costs up to four documents. A candidate that is no turn has none. */
  neighbours(keys: readonly number[]): Promise<ReadonlyMap<number, Neighbours>>;
  /** The candidate's fragment; read when a hit is chosen. */
  fragment(key: number): StoredFragment;
}

export interface RecallIndex {
  /**
   * Candidates of the scope and exact counts: the index's and the tail's, each turn once. `analyse` is given the
   * distinct roles of the scope, at most 64: who speaks there is known to the index alone.
   */
  retrieve<Query extends CandidateQuery>(
    scope: Scope,
    analyse: (speakers: readonly string[]) => Query,
    tail: readonly TailTurn[],
  ): Promise<Retrieved<Query>>;
  /** Observations that extractors made of these turns, oldest first. */
  observationsOf(scope: Scope, turnIds: readonly string[]): Promise<StoredFragment[]>;
  /** Entities that these turns name. */
  entitiesOf(scope: Scope, turnIds: readonly string[]): Promise<StoredEntity[]>;
  /** Enrichment of these turns. */
  enrichment(org: string, turnIds: readonly string[]): Promise<Enrichment>;
  job(org: string, id: string): Promise<Job | undefined>;
  /** What the index holds of a user's session, or of all of them, for an erasure. */
  holdings(org: string, user: string, session?: string): Promise<Holdings>;
}

export interface Holdings {
  counts: ErasureCounts;
  /** Turns whose envelopes don't tell what they bill (version 1), with their place in `turns`. */
  sealedTokens: { id: string; partition: number; day: string; tokens: number }[];
}

/** Turns to be enriched by their state, and what came of them. */
export interface Enrichment {
  queued: number;
  done: number;
  failed: number;
  reason: string | null;
  observations: number;
  entities: number;
}

// ---- feed -----------------------------------------------------------------------------------------

/** A part of one partition of `turns` or `observations`. */
export interface FeedRange {
  topic: 'turns' | 'observations';
  partition: number;
  /** Offsets, the second exclusive. */
  from: number;
  to: number;
  /** Of the event at `from` only what comes behind this id. */
  after?: string | undefined;
}

/** A turn or an observation, and the event that it comes from. */
export interface FeedEntry {
  fragment: Omit<StoredFragment, 'key'>;
  topic: 'turns' | 'observations';
  partition: number;
  offset: number;
  /** Unix milliseconds. */
  recordedAt: number;
  /** An extractor found what the client had said: the client's entry tells it. */
  superseded: boolean;
}

/** The turns and observations that the recall index holds, by their place in the log. */
export interface FeedIndex {
  /** What is shown: next offsets of `turns` and `observations`. What lies below will not grow. */
  projected(): Promise<Positions>;
  /**
   * Entries of these ranges, which are of one topic: in the ranges' order, in a range by offset, of one event the turn
   * first and then its observations by id. With the next offsets up to which the ranges were to be had: a replaced
   * index may be a little behind the one that `projected` was asked of.
   */
  read(
    scope: Pick<Scope, 'org' | 'user'>,
    ranges: readonly FeedRange[],
    limit: number,
  ): Promise<{ entries: FeedEntry[]; projected: Positions }>;
}

/**
 * Where a fragment stands among all of an organization: by user, session, and when it was said; then by where its topic
 * holds it. It never changes, so a list that goes on behind one misses nothing and repeats nothing, whatever arrives.
 */
export interface ListPlace {
  user: string;
  session: string;
  /** Unix milliseconds. */
  timestamp: number;
  offset: number;
  id: string;
}

export interface ListedFragment {
  place: ListPlace;
  fragment: StoredFragment;
}

/** A turn and where it comes from. */
export interface KeptTurn {
  fragment: StoredFragment;
  /** Where the log holds it, and when the service recorded it. */
  origin: Origin;
}

export interface ListedUser {
  user: string;
  sessions: number;
  turns: number;
  /** Unix milliseconds of the last turn, by what it tells of itself; null where only identities are kept. */
  lastAt: number | null;
}

export interface ListedSession {
  user: string;
  session: string;
  turns: number;
  /** Unix milliseconds of the first and the last turn. */
  firstAt: number | null;
  lastAt: number | null;
}

export interface NamedEntity {
  id: string;
  user: string;
  label: string;
  kind: string;
}

export interface ListedEntity extends NamedEntity {
  normalised: string;
  /** Turns of the scope that name it. */
  turns: number;
}

/** Which fragments of a scope are listed. */
export interface ListFilter {
  kind: 'turn' | 'observation';
  role?: string | undefined;
  /** Of observations. */
  turnId?: string | undefined;
  source?: 'client' | 'rules' | 'llm' | undefined;
}

/**
 * What the read models hold, in a fixed order and a page at a time: names and ids sort by their UTF-8 bytes. Every read
 * takes the tenant first; what it goes on behind is in the scope.
 */
export interface Listing {
  /** By name, behind one. */
  users(scope: Pick<Scope, 'org' | 'user'>, after: string | undefined, limit: number): Promise<ListedUser[]>;
  /** By user and name, behind one. */
  sessions(
    scope: Pick<Scope, 'org' | 'user' | 'session'>,
    after: { user: string; session: string } | undefined,
    limit: number,
  ): Promise<ListedSession[]>;
  /** In the order of their places or the other way round, behind one. */
  fragments(
    scope: Scope,
    filter: ListFilter,
    order: 'asc' | 'desc',
    after: ListPlace | undefined,
    limit: number,
  ): Promise<ListedFragment[]>;
  /** By user and normalised label, behind one: those that turns of the scope name, and by how many of them. */
  entities(
    scope: Pick<Scope, 'org' | 'user' | 'session'>,
    filter: { kind?: string | undefined; turnId?: string | undefined },
    after: { user: string; normalised: string } | undefined,
    limit: number,
  ): Promise<ListedEntity[]>;
  /** What a turn names, by normalised label; uncounted, so that it costs no more where all of a user's turns name it. */
  named(scope: Pick<Scope, 'org' | 'user'>, turnId: string): Promise<NamedEntity[]>;
  /** A turn of the scope, by its id. */
  turn(scope: Pick<Scope, 'org' | 'user'>, id: string): Promise<KeptTurn | undefined>;
}

export interface UsageReader {
  /** Billed from `from` to `to` (UTC days, YYYY-MM-DD, inclusive), with everything answered before the call. */
  billed(org: string, from: string, to: string): Promise<Tokens>;
  /** The same, each day by itself; a day without usage may be missing. */
  daily(org: string, from: string, to: string): Promise<ReadonlyMap<string, Tokens>>;
}

// ---- verification ---------------------------------------------------------------------------------

/** What a generation of projections holds, to be compared with the log. */
export interface VerifiableRows {
  /** Which projections are in it. */
  projections: readonly VerifiedProjection[];
  /** What its store keeps of usage, beside days: every billed event, or that recalls were billed. */
  usage: 'billed' | 'metered';
  /** The first UTC day of usage that is kept, YYYY-MM-DD; undefined: all are. */
  firstDay?: string | undefined;
  /** Next offsets: the rows of every event below them can be read. */
  positions(): Promise<Positions>;
  /** One picture of all rows, as consistent as the engines can give it. */
  open(): Promise<RowsPicture>;
}

export interface RowsPicture {
  /** Next offsets that were in force before it was taken. What comes from events beyond them may be in it in part. */
  positions: Positions;
  rows(sample: Sample): AsyncIterable<Row>;
  /** What the store made of its rows and doesn't agree with them. After `rows`, of the same sample. */
  derived(sample: Sample): AsyncIterable<Difference>;
  close(): Promise<void>;
}
