import { randomUUID } from 'node:crypto';
import { freshnessOf } from '../../../core/freshness.ts';
import { appendOrRelease, releasing } from '../../../core/log/append-or-release.ts';
import { encodeEvent } from '../../../core/log/encode.ts';
import { usageKey } from '../../../core/log/usage-key.ts';
import type { PaidLog } from '../../../core/payers/paid-log.ts';
import type { ReadModels } from '../../../core/ports/engines.ts';
import type {
  Admission,
  HoldingFact,
  KeyStore,
  Kind,
  NewRecord,
  Scope,
  Search,
  SearchRequest,
} from '../../../core/ports.ts';
import { quotaExceeded } from '../../../core/quota-exceeded.ts';
import { readScope } from '../../../core/scope.ts';
import { assertSettled } from '../../../core/settled.ts';
import type { CountTokens } from '../../../core/tokens/counter.ts';
import { traced } from '../../../core/tracing/spans.ts';
import type { CappedContext, Principal } from '../../../core/use-cases.ts';
import type { HeldFact } from '../../../domain/context/pieces.ts';
import { conditionIn } from '../../../domain/filter/condition.ts';
import { scopeDigest } from '../../../domain/identity/identity.ts';
import { MOST_RECEIPT_HITS } from '../../../schemas/events/receipt.ts';
import type { RecallMetered } from '../../../schemas/events/usage.ts';
import { parseInstant, utcOffsetOf } from '../../../schemas/http/queries/instant.ts';
import {
  type ModelName,
  type RecallAnswer,
  type RecallBody,
  recallSchema,
} from '../../../schemas/http/recall.ts';
import { assertConfigured } from './models/configured-model.ts';
import type { EmbedQuery } from './models/embed-query.ts';
import { receiptId, receiptOf, receiptTokens } from './receipt/receipt.ts';
import { makeRender, type Returned } from './receipt/render.ts';

export interface RecallPorts {
  log: Pick<PaidLog, 'append'>;
  keys: Pick<KeyStore, 'forSession'>;
  admission: Admission;
  search: Search;
  /** Where an embedding model is configured. */
  embedQuery?: EmbedQuery | undefined;
  /** The embedding models that are configured. */
  models?: readonly string[] | undefined;
  settledUntil: ReadModels['settledUntil'];
  countTokens: CountTokens;
  /** Unix milliseconds. */
  clock: () => number;
}

const ALL_KINDS: Kind[] = ['turn', 'observation', 'entity'];
const DEFAULT_TOP_K = { active: 15, deep: 25 };
/** The limit applied at run time; validation accepts up to 50. */
const MOST_HITS = 30;

/**
 * (check that `as_of` is settled →) admit (and read the tail) → (ask a model for the question's vector →)
 * search (retrieve, rank, choose) → render → meter → respond. Billing is in the log before the response is
 * sent: an answered recall is billed exactly once, and one that was cancelled at its deadline, or whose
 * client disconnected before that, isn't billed.
 */
export const makeRecall = ({
  log,
  keys,
  admission,
  search,
  embedQuery,
  models = [],
  settledUntil,
  countTokens,
  clock,
}: RecallPorts) => {
  const render = traced('render', makeRender());
  return async (
    principal: Principal,
    body: RecallBody,
    { correlationId, deadline, caps }: CappedContext,
  ): Promise<RecallAnswer> => {
    const scope: Scope = {
      ...readScope(principal, body.scope),
      since: body.since === undefined ? undefined : parseInstant(body.since),
      until: body.until === undefined ? undefined : parseInstant(body.until),
      asOf: body.as_of === undefined ? undefined : parseInstant(body.as_of),
      filter: conditionIn(body.filter),
    };
    if (scope.asOf !== undefined) assertSettled(scope.asOf, await settledUntil(), ['body', 'as_of']);
    if (body.embeddings_model !== undefined) assertConfigured(body.embeddings_model, models);
    const mode = body.mode ?? 'active';
    const topK = Math.min(body.top_k ?? DEFAULT_TOP_K[mode], MOST_HITS);
    const kinds = body.kinds ?? ALL_KINDS;
    const returned = returnedOf(body);

    const now = clock();
    const [tokensIn = 0] = await countTokens(scope.org, [body.q], deadline?.signal);
    const admitted = await admission.admit({
      org: scope.org,
      recordedAt: now,
      caps,
      claims: [],
      // A receipt costs a token for each hit: until these are known, the most is reserved.
      tokensIn: body.receipt ? tokensIn + MOST_RECEIPT_HITS : tokensIn,
      // No filter here: which facts hold is decided over all of the tail, too.
      recall: { ...scope, filter: undefined },
      signal: deadline?.signal,
    });
    if (admitted.kind === 'refused') throw quotaExceeded(admitted, now);

    const { attempt, tail } = admitted;
    const release = releasing(admission, attempt);
    const answered = async () => {
      const embedded = await embedQuery?.(scope.org, body.q, body.embeddings_model);
      const request = {
        scope,
        q: body.q,
        mode,
        embedded,
        tail,
        kinds,
        ...depthsOf(topK, returned),
        explain: body.explain ?? false,
        timeline: returned.includeTimeline,
        contextTokens: returned.contextTokens,
        moment: scope.asOf ?? now,
        utcOffset: body.utc_offset ?? (body.as_of === undefined ? undefined : utcOffsetOf(body.as_of)),
        holds: body.holds,
      };
      const { holding, without: missing, ...found } = await search(request, deadline);
      const count = (texts: readonly string[]) => countTokens(scope.org, texts, deadline?.signal);
      const holds = holding.map(heldFact);
      const { stated, ...rendered } = await render({ ...found, holds }, returned, count);
      const without: ModelName[] = [
        ...(embedQuery && !embedded ? (['embeddings'] as const) : []),
        ...missing,
      ];
      return { ...rendered, without, held: holding.filter((_, n) => stated.includes(holds[n]!)) };
    };
    const answer = await answered().catch(release);
    const { tokensOut, fromTail, without, used: _, held: __, ...visible } = answer;

    const id = `rcl_${randomUUID()}`;
    const receipt = body.receipt
      ? await receiptOf(
          { keys, scope, principal, id, q: body.q, mode, passages: returned.passages },
          answer,
        ).catch(release)
      : undefined;
    const billedIn = tokensIn + receiptTokens(receipt);
    const metered = async (): Promise<NewRecord> => ({
      topic: 'usage',
      key: usageKey(scope.org, id),
      value: encodeEvent({
        id,
        type: 'recall.metered',
        org_id: scope.org,
        recorded_at: new Date(now).toISOString(),
        correlation_id: correlationId,
        data: {
          ...{ user_id: principal.userId, api_key: principal.keyId },
          ...measuredOf(scope, clock() - now, answer.confidence),
          ...{ tokens_in: billedIn, tokens_out: tokensOut, receipt },
        } satisfies RecallMetered,
      }),
      headers: { correlation_id: correlationId, attempt },
    });
    const record = await metered().catch(release);
    const addresses = await appendOrRelease({ log, admission }, { attempt, deadline }, [record]);
    const { partition, offset } = addresses[0]!;
    await admission.remember(attempt, {
      turns: [],
      recall: { id, tokensIn: billedIn, tokensOut, partition, offset },
    });
    const freshness = freshnessOf(scope.asOf ?? now, tail, fromTail);
    const named = receipt && { receipt_id: receiptId(id, { partition, offset }) };
    const degraded = without.length > 0 && { degraded: without };
    return {
      ...visible,
      ...named,
      ...degraded,
      mode,
      freshness,
      usage: { tokens_in: billedIn, tokens_out: tokensOut },
    };
  };
};

/** Returns whose memory was searched, and what is counted by day. */
const measuredOf = (
  { org, user }: Scope,
  ms: number,
  confidence: number,
): Pick<RecallMetered, 'searched' | 'took_ms' | 'confidence'> => ({
  ...(user !== undefined && { searched: scopeDigest([org, user]) }),
  // A clock may be set back.
  took_ms: Math.max(Math.round(ms), 0),
  confidence: Math.round(confidence * 1_000) / 1_000,
});

const DEFAULT_CONTEXT_TOKENS = recallSchema.properties.context_max_tokens.default;

/** A context has its own budget, which `topK` hits might not fill. */
const depthsOf = (
  topK: number,
  { contextTokens, includeHits, includeTimeline }: Returned,
): Pick<SearchRequest, 'topK' | 'quotedTopK'> => {
  if (contextTokens === undefined || topK === MOST_HITS) return { topK };
  return includeHits || includeTimeline ? { topK, quotedTopK: MOST_HITS } : { topK: MOST_HITS };
};

const returnedOf = (body: RecallBody): Returned => ({
  minScore: body.min_score ?? 0,
  maxTokens: body.max_tokens ?? Number.POSITIVE_INFINITY,
  passages: body.passages ?? body.max_tokens !== undefined,
  includeHits: body.include_hits ?? true,
  includeTimeline: body.include_timeline ?? false,
  contextTokens:
    (body.include_context ?? body.context_max_tokens !== undefined)
      ? (body.context_max_tokens ?? DEFAULT_CONTEXT_TOKENS)
      : undefined,
});

/** A fact as a context states it. */
const heldFact = ({ fact, text, sourceTurnId, bears }: HoldingFact): HeldFact => ({
  subject: fact.subject,
  attribute: fact.attribute,
  value: fact.value,
  text,
  since: fact.validFrom,
  sourceTurnIds: [sourceTurnId!],
  bears,
});
