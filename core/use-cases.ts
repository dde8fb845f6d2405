/** The operations that a request may call: routes use these functions and know no port. */
import type { AuditPage, AuditQuery } from '../schemas/http/audit.ts';
import type { CorrectBody, SayBody, StatedObservation } from '../schemas/http/curation.ts';
import type { ErasureAnswer, NamedScope } from '../schemas/http/erasure.ts';
import type { IngestAnswer, IngestBody, JobAnswer } from '../schemas/http/ingestion.ts';
import type { EntityItem, SessionItem, TurnDetails, UserDetails } from '../schemas/http/items.ts';
import type { ListName, Page, Query } from '../schemas/http/lists.ts';
import type { CorrectEntity, NameUser, TitleSession } from '../schemas/http/names.ts';
import type { FeedData } from '../schemas/http/parts/hits.ts';
import type { OnlyId } from '../schemas/http/parts/parts.ts';
import type { RecallAnswer, RecallBody } from '../schemas/http/recall.ts';
import type { FeedbackAnswer, FeedbackBody, ReceiptAnswer } from '../schemas/http/receipts.ts';
import type { Readiness } from '../schemas/http/service.ts';
import type { MemoryStats, StatsQuery } from '../schemas/http/stats.ts';
import type {
  UsageDaily,
  UsageMonth,
  UsageMonthQuery,
  UsageSplitQuery,
  UsageStatement,
  UsageToday,
} from '../schemas/http/usage.ts';
import type {
  CreateWebhookBody,
  DeliveryAnswer,
  NewWebhookAnswer,
  WebhookAnswer,
} from '../schemas/http/webhooks.ts';
import type { Screen } from '../schemas/screening.ts';
import type { Budgets } from './payers/budgets.ts';
import type { Caps } from './ports.ts';
import type { Deadline } from './timing/deadline.ts';

/** The caller, as the access token names it. */
export interface Principal {
  orgId: string;
  userId: string;
  /** The key's session: the default of calls that name none. */
  sessionId?: string;
  /** Whether the key is strict: user and session are then bounds, whatever its roles. */
  strict?: boolean;
  roles: string[];
  /** The API key that the token was exchanged for. */
  keyId: string;
}

/**
 * A caller that was authenticated, with the daily caps of its organization, what it appends unbilled, and
 * what is screened of what it sends.
 */
export interface Caller extends Principal {
  caps: Caps;
  budgets: Budgets;
  screen: Screen;
  /** Its organization is an open sign-up that has written nothing so far. */
  isUnused?: true;
}

/** Names an item of one user by its id. The user defaults to the principal's. */
export interface NamedOfUser {
  id: string;
  user_id?: string | undefined;
}

export interface CallContext {
  correlationId: string;
  /** Cancels the call's work; without it the work always completes. */
  deadline?: Deadline;
}

/** The context of a call that is admitted against its caller's caps. */
export interface CappedContext extends CallContext {
  caps: Caps;
}

/** The context of a call that appends what nobody is billed for. */
export interface BudgetedContext extends CallContext {
  budgets: Budgets;
}

/** `beat`: no event, only the position up to which the stream has read. */
export type FeedMessage =
  | { kind: 'item'; position: string; data: FeedData }
  | { kind: 'beat'; position: string };

/**
 * Lists what is stored and visible to the principal: all, or what has words. Throws `invalid` for a cursor of
 * another list, and `unavailable` where more searches wait for words than can be answered in time.
 */
export type MemoryLists = {
  [Name in ListName]: (
    principal: Principal,
    query: Query<Name>,
    context?: CallContext,
  ) => Promise<Page<Name>>;
} & {
  /** Throws `forbidden`, `not_found`. */
  user(principal: Principal, id: string): Promise<UserDetails>;
  /** Throws `not_found`. */
  turn(principal: Principal, id: string): Promise<TurnDetails>;
};

export interface UseCases {
  /** Returns a page of the organization's audit log, newest first. */
  audit(principal: Principal, query: AuditQuery): Promise<AuditPage>;
  lists: MemoryLists;
  /** Counts by UTC day what was stored, learnt and asked. Throws `forbidden`, `unavailable`. */
  stats(principal: Principal, query: StatsQuery): Promise<MemoryStats>;
  /**
   * Throws `forbidden` when the principal names a user other than its own, `quota_exceeded`, `unavailable`.
   */
  ingest(principal: Principal, body: IngestBody, context: CappedContext): Promise<IngestAnswer>;
  job(principal: Principal, id: string): Promise<JobAnswer>;
  recall(principal: Principal, body: RecallBody, context: CappedContext): Promise<RecallAnswer>;
  /** Returns the answer of a recall with its words read again. Throws `not_found`. */
  recallReceipt(principal: Principal, id: string): Promise<ReceiptAnswer>;
  /**
   * Records whether a hit of a recall was helpful. Throws `not_found`, also for a hit that is gone, and
   * `unavailable` when the read models are late: the call may be repeated.
   */
  giveFeedback(
    principal: Principal,
    id: string,
    asked: FeedbackBody,
    context: BudgetedContext,
  ): Promise<FeedbackAnswer>;
  /**
   * Yields the stored turns and observations after a position that the principal may see, then new ones.
   * Throws `invalid` for a position that isn't from this log.
   */
  feed(
    principal: Principal,
    from: { after: string | undefined; loc: [string, string]; filter?: string | undefined },
    signal: AbortSignal,
    isAllowed: () => Promise<boolean>,
  ): Promise<AsyncIterable<FeedMessage>>;
  /** Yields the events of the principal's organization, one object per line. */
  exported(
    principal: Principal,
    query: { filter?: string },
    signal: AbortSignal,
  ): Promise<AsyncIterable<readonly string[]>>;
  /**
   * Destroys the keys of a user, or of one session, and removes it from every read model. Throws `forbidden`
   * for another user, `invalid` when a principal that may name any user names none, `unavailable` when the
   * read models are late: the call may be repeated.
   */
  erase(principal: Principal, scope: NamedScope, context: BudgetedContext): Promise<ErasureAnswer>;
  /**
   * Stores an observation without a turn. Throws `conflict` for one that was hidden for good; a principal
   * that may not read gets its id.
   */
  say(principal: Principal, body: SayBody, context: CappedContext): Promise<StatedObservation | OnlyId>;
  /** Returns the observation that supersedes it. Throws `not_found`. */
  correct(
    principal: Principal,
    id: string,
    body: CorrectBody,
    context: CappedContext,
  ): Promise<StatedObservation>;
  /**
   * Hides a turn and its observations for good. Throws `not_found`, and `unavailable` when the read models
   * are late.
   */
  retractTurn(principal: Principal, id: string, context: BudgetedContext): Promise<void>;
  /** The same for one observation. */
  retractObservation(principal: Principal, id: string, context: BudgetedContext): Promise<void>;
  /**
   * Renames an entity of a user, merges it, or splits names off. Throws `forbidden`, `not_found`, `invalid`,
   * `unavailable`.
   */
  correctEntity(
    principal: Principal,
    named: NamedOfUser,
    asked: CorrectEntity,
    context: BudgetedContext,
  ): Promise<EntityItem>;
  /** Sets the names that are the user's own. Throws `forbidden`, `not_found`, `unavailable`. */
  nameUser(principal: Principal, id: string, asked: NameUser, context: BudgetedContext): Promise<UserDetails>;
  /** Titles a session of a user. Throws `forbidden`, `not_found`, `unavailable`. */
  titleSession(
    principal: Principal,
    named: NamedOfUser,
    asked: TitleSession,
    context: BudgetedContext,
  ): Promise<SessionItem>;
  usageToday(principal: Principal, asked: UsageSplitQuery, context: CappedContext): Promise<UsageToday>;
  /** `month`: YYYY-MM, already validated; default: the current month. */
  usageMonth(principal: Principal, asked: UsageMonthQuery): Promise<UsageMonth>;
  /** Every day of a month, in UTC, including days without usage; the current month up to today. */
  usageDaily(principal: Principal, asked: UsageMonthQuery): Promise<UsageDaily>;
  /**
   * Returns the signed bill of a month. Throws `invalid` for a month in the future, `conflict` for a month
   * that isn't complete or no longer kept, `unavailable`.
   */
  usageStatement(principal: Principal, month: string, context: CallContext): Promise<UsageStatement>;
  /** Returns the webhooks that the principal handles, oldest first. */
  listWebhooks(principal: Principal): Promise<WebhookAnswer[]>;
  /**
   * Throws `invalid` for an address that may not be called, `forbidden` for events or a user that the
   * principal may not read, `conflict` when the organization has as many webhooks as it may have.
   */
  createWebhook(
    principal: Principal,
    body: CreateWebhookBody,
    context: CallContext,
  ): Promise<NewWebhookAnswer>;
  /** Throws `not_found`. */
  deleteWebhook(principal: Principal, id: string, context: CallContext): Promise<void>;
  /** Returns the last attempts, newest first. Throws `not_found`. */
  webhookDeliveries(principal: Principal, id: string): Promise<DeliveryAnswer[]>;
  /** It goes on from where it stopped, with the principal's rights. Throws `not_found`, `forbidden`. */
  resumeWebhook(principal: Principal, id: string, context: CallContext): Promise<WebhookAnswer>;
  /** Each engine by name, with `ok` and a short description of its state. */
  ready(): Promise<Readiness>;
}
