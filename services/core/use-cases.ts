/** What a request may ask of the service: routes know these functions and no port. */
import type {
  EntitiesQuery,
  IngestBody,
  NamedScope,
  ObservationsQuery,
  PageQuery,
  RecallBody,
  TurnsQuery,
} from '../../schemas/http/requests.ts';

/** Who calls: from the access token alone. */
export interface Principal {
  orgId: string;
  userId: string;
  /** The token's session, when its key is bound to one. */
  sessionId?: string;
  roles: string[];
  /** The API key that the token was exchanged for. */
  keyId: string;
}

export interface CallContext {
  correlationId: string;
}

export interface IngestAnswer {
  job_id: string;
  active_fragment_ids: string[];
  passive_job_id: string | null;
  usage: { tokens_in: number; tokens_out: number };
}

export interface JobAnswer {
  job_id: string;
  status: 'queued' | 'done' | 'failed';
  turns: number;
  observations: number;
  entities: number;
  reason: string | null;
}

/** score = factor / (1 + exp(-(base + the sum of the parts' log_odds))) */
export interface HitExplanation {
  base: number;
  parts: { feature: string; aspect: string; log_odds: number }[];
  factor: number;
}

export interface FragmentHit {
  id: string;
  text: string;
  score: number;
  kind: 'turn' | 'observation';
  /** Unix seconds as a string. */
  timestamp: string;
  user_id: string;
  session_id: string;
  /** Turns only. */
  role?: string;
  /** Observations only. */
  source_turn_ids?: string[];
  source?: 'client' | 'rules' | 'llm';
  /** Where it was asked for. */
  explanation?: HitExplanation;
}

export interface EntityHit {
  id: string;
  label: string;
  score: number;
  kind: 'entity';
}

export interface RecallAnswer {
  hits: { turns: FragmentHit[]; observations: FragmentHit[]; entities: EntityHit[] };
  confidence: number;
  timeline: string | null;
  mode: 'active' | 'deep';
  usage: { tokens_in: number; tokens_out: number };
}

/** A turn or an observation as the feed tells it. */
export interface FeedData extends Omit<FragmentHit, 'score'> {
  /** RFC 3339. */
  recorded_at: string;
}

/** `beat`: nothing but how far the stream has come. */
export type FeedMessage =
  | { kind: 'item'; position: string; data: FeedData }
  | { kind: 'beat'; position: string };

export interface ErasureAnswer {
  /** What the read models showed of the scope when the erasure began. */
  erased: { turns: number; observations: number; entities: number; sessions: number };
  erased_at: string;
  /** JWS (RFC 7515). */
  receipt: string;
}

/** A page of a list; `next_cursor` is null on the last one. */
export type Page<Name extends string, Item> = { [name in Name]: Item[] } & { next_cursor: string | null };

/** Instants are RFC 3339, in UTC with milliseconds. */
export interface UserItem {
  user_id: string;
  sessions: number;
  turns: number;
  last_at: string | null;
}

export interface SessionItem {
  user_id: string;
  session_id: string;
  turns: number;
  first_at: string | null;
  last_at: string | null;
}

export interface TurnItem {
  id: string;
  user_id: string;
  session_id: string;
  role: string;
  text: string;
  timestamp: string;
}

export interface ObservationItem {
  id: string;
  user_id: string;
  session_id: string;
  turn_id: string;
  source: 'client' | 'rules' | 'llm';
  text: string;
  timestamp: string;
}

export interface TurnEntity {
  id: string;
  user_id: string;
  label: string;
  kind: string;
}

export interface EntityItem extends TurnEntity {
  turns: number;
}

/** One turn with what was made of it. */
export interface TurnDetails extends TurnItem {
  observations: ObservationItem[];
  entities: TurnEntity[];
  /** Where it comes from: its place in the log, and when the service recorded it. Null until it is projected. */
  provenance: { topic: string; partition: number; offset: number; recorded_at: string } | null;
}

/** What is stored, as the principal may see it. A cursor of another list is `invalid`. */
export interface MemoryLists {
  users(principal: Principal, query: PageQuery): Promise<Page<'users', UserItem>>;
  sessions(
    principal: Principal,
    query: PageQuery & { user_id?: string },
  ): Promise<Page<'sessions', SessionItem>>;
  turns(principal: Principal, query: TurnsQuery): Promise<Page<'turns', TurnItem>>;
  observations(
    principal: Principal,
    query: ObservationsQuery,
  ): Promise<Page<'observations', ObservationItem>>;
  entities(principal: Principal, query: EntitiesQuery): Promise<Page<'entities', EntityItem>>;
  /** Throws `not_found`. */
  turn(principal: Principal, id: string): Promise<TurnDetails>;
}

export interface UsageTotals {
  tokens_in: number;
  tokens_out: number;
}

export interface UseCases {
  lists: MemoryLists;
  /** Throws `forbidden` when the principal names a partition that isn't its own, `quota_exceeded`, `unavailable`. */
  ingest(principal: Principal, body: IngestBody, context: CallContext): Promise<IngestAnswer>;
  job(principal: Principal, id: string): Promise<JobAnswer>;
  recall(principal: Principal, body: RecallBody, context: CallContext): Promise<RecallAnswer>;
  /**
   * Turns and observations that the principal may see, behind a position, and then what comes. Throws `invalid` for a
   * position that is none of this log's.
   */
  feed(
    principal: Principal,
    from: { after: string | undefined; loc: [string, string] },
    signal: AbortSignal,
    isAllowed: () => Promise<boolean>,
  ): Promise<AsyncIterable<FeedMessage>>;
  /** The events of the principal's organization, line by line. */
  exported(principal: Principal, signal: AbortSignal): Promise<AsyncIterable<object>>;
  /**
   * Destroys the keys of a user, or of one session, and takes it out of every read model. Throws `forbidden` for another's
   * user, `invalid` when no user is named by who may name any, `unavailable` when the read models are late: to be repeated.
   */
  erase(principal: Principal, scope: NamedScope, context: CallContext): Promise<ErasureAnswer>;
  usageToday(
    principal: Principal,
  ): Promise<UsageTotals & { period: 'day_utc'; start: string; end: string; limits: UsageTotals }>;
  /** `month`: YYYY-MM, already validated; undefined: the current one. */
  usageMonth(
    principal: Principal,
    month?: string,
  ): Promise<UsageTotals & { period: 'month'; start: string; end: string }>;
  /** Each day of a month by its UTC date, those without usage too; of the current month up to today. */
  usageDaily(
    principal: Principal,
    month?: string,
  ): Promise<{ period: 'month'; start: string; end: string; days: (UsageTotals & { day: string })[] }>;
  /** Each engine by name, with `ok` and a word on its state. */
  ready(): Promise<{ ready: boolean; engines: Record<string, { ok: boolean; detail: string }> }>;
}
