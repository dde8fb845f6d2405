import type { Kind } from '../../../core/ports.ts';
import { countTokens } from '../../../core/tokens/count.ts';
import type { RecallBody } from '../../../schemas/http/recall.ts';
import { inParallel } from '../../../test/support/http/client.ts';
import type { Client, Hit, Recalled } from '../client.ts';
import type { Conversation, Dataset, Question } from '../datasets/dataset.ts';
import { type EvidenceIds, evidenceNames, load } from '../load.ts';
import { BUDGETS, type BudgetRecall, budgetRecall } from './budgets.ts';
import { isForPresent, recallAtFirst } from './for-present.ts';
import { type QuestionMetrics, questionMetrics } from './metrics.ts';

/**
 * Hits requested: every question is asked once, and recall@k is measured on the first k hits, because `top_k`
 * only cuts the one ranking.
 */
export const TOP_K = 30;
/** Confidence is about the hits of a default `active` recall. */
const CONFIDENCE_TOP = 15;

export const MODES = ['active', 'deep'] as const;
export type Mode = (typeof MODES)[number];

/** One question that was asked, without any of its words. */
export interface QuestionRow {
  conversation: string;
  id: string;
  category: string | null;
  answerable: boolean;
  /** null if there is no evidence to be found. */
  metrics: QuestionMetrics | null;
  /** Recall at the first places; null unless it is a question about the present that has evidence. */
  present: { recallAt1: number; recallAt3: number } | null;
  /** Metrics of the baseline; null as `metrics` is. */
  bm25: QuestionMetrics | null;
  confidence: number;
  /** 1 if the answer was there: the question is answerable, with evidence among the first 15 hits. */
  label: 0 | 1;
  milliseconds: number;
  contents: Contents[];
  /** Empty if there is no evidence to be found. */
  budgets: BudgetRecall[];
}

/** The default numbers of hits, and ten. */
const CONTENT_DEPTHS = [10, 15, 25] as const;

/** Contents of the first places of an answer. */
export interface Contents {
  depth: (typeof CONTENT_DEPTHS)[number];
  facts: number;
  entities: number;
  /** Tokens of their texts. */
  tokens: number;
}

/** Another ranking of a conversation's turns: returns their ids for a question, best first. */
export type Baseline = (conversation: Conversation) => (question: Question) => string[];

export interface AskOptions {
  mode: Mode;
  /** Prefix of the names of the user partitions, so that runs on one service don't see each other. */
  userPrefix: string;
  /** Number of questions asked at a time. */
  inFlight: number;
}

export interface MeasureOptions extends AskOptions {
  /** Whether long hits are returned as their parts. */
  passages?: boolean;
  /** The embedding model to ask by; default: the serving one. */
  model?: string | undefined;
  baseline: Baseline;
  onConversation: (id: string, turns: number, questions: number) => void;
}

/** A hit in the one ranked list that the answer was split from. */
interface Place {
  kind: Kind;
  score: number;
  /** The turns that the hit is, or names, or their sessions. */
  ids: string[];
  tokens: number;
  /** The hit's part as contexts and budgets count it. */
  part: { tokens: number; content: string | undefined };
}

/** Returns the hit with the words of its part. */
const asPart = ({ text, content, part }: Hit, passages: boolean): Pick<Hit, 'text' | 'content'> => {
  if (!part || passages) return { text, content };
  const words = Array.from(content).slice(part.from, part.to).join('');
  return { text: text.slice(0, -content.length) + words, content: words };
};

const places = ({ hits }: Recalled, evidenceIds: EvidenceIds, passages: boolean): Place[] => {
  const place = (kind: Kind, hit: Hit, fragments: readonly string[]): Place => {
    const part = asPart(hit, passages);
    return {
      kind,
      score: hit.score,
      ids: fragments.flatMap(id => evidenceIds.get(id) ?? []),
      tokens: countTokens(hit.text),
      part: { tokens: countTokens(part.text), content: part.content },
    };
  };
  return [
    ...hits.turns.map(hit => place('turn', hit, [hit.id])),
    ...hits.observations.map(hit => place('observation', hit, hit.source_turn_ids ?? [])),
    ...hits.entities.map(({ score, label }): Place => {
      const tokens = countTokens(label);
      return { kind: 'entity', score, ids: [], tokens, part: { tokens, content: undefined } };
    }),
  ].sort((a, b) => b.score - a.score);
};

const contentsOf = (ranked: readonly Place[]): Contents[] =>
  CONTENT_DEPTHS.map(depth => {
    const first = ranked.slice(0, depth);
    return {
      depth,
      facts: first.filter(({ kind }) => kind === 'observation').length,
      entities: first.filter(({ kind }) => kind === 'entity').length,
      tokens: first.reduce((sum, { tokens }) => sum + tokens, 0),
    };
  });

const rowOf = (
  conversation: string,
  { id, question, category, answerable, evidence }: Question,
  list: readonly Place[],
  baseline: readonly string[],
  confidence: number,
  milliseconds: number,
  budgets: BudgetRecall[],
): QuestionRow => {
  const ranked = list.map(({ ids }) => ids);
  const first = ranked.slice(0, CONFIDENCE_TOP).flat();
  return {
    conversation,
    id,
    category: category ?? null,
    answerable,
    metrics: evidence.length > 0 ? questionMetrics(ranked, evidence) : null,
    present:
      evidence.length > 0 && isForPresent(question)
        ? { recallAt1: recallAtFirst(ranked, evidence, 1), recallAt3: recallAtFirst(ranked, evidence, 3) }
        : null,
    bm25:
      evidence.length > 0
        ? questionMetrics(
            baseline.map(one => [one]),
            evidence,
          )
        : null,
    confidence,
    label: answerable && first.some(turn => evidence.includes(turn)) ? 1 : 0,
    milliseconds: Math.round(milliseconds * 10) / 10,
    contents: contentsOf(list),
    budgets,
  };
};

/** Asks again for each budget: a smaller context is not a part of a larger one. */
const inContexts = async (
  client: Client,
  body: RecallBody,
  list: readonly Place[],
  evidence: readonly string[],
): Promise<BudgetRecall[]> => {
  const recalls: BudgetRecall[] = [];
  for (const budget of evidence.length > 0 ? BUDGETS : []) {
    const wanted = { include_hits: false, include_context: true, context_max_tokens: budget };
    const { context } = await client.recall({ ...body, ...wanted });
    const said = list.map(({ ids, part }) => ({ ids, ...part }));
    recalls.push(budgetRecall(said, evidence, context, budget, countTokens));
  }
  return recalls;
};

/** Returns the body of a recall, the same for a conversation and a copy of it. */
export const recallBody = (
  orgId: string,
  user: string,
  { question, until }: Question,
  mode: Mode,
): RecallBody => ({
  scope: { org_id: orgId, user_id: user },
  q: question,
  mode,
  top_k: TOP_K,
  ...(until === undefined ? {} : { until }),
});

/** Loads each conversation into its own user partition and asks its questions. */
export const measure = async (
  client: Client,
  { conversations, unit = 'turn' }: Dataset,
  { mode, passages = false, model, userPrefix, inFlight, baseline, onConversation }: MeasureOptions,
): Promise<QuestionRow[]> => {
  const rows: QuestionRow[] = [];
  for (const conversation of conversations) {
    const { id, sessions, questions } = conversation;
    const user = userPrefix + id;
    const names = evidenceNames(sessions, unit);
    const evidenceIds = await load(client, user, conversation, names);
    const rank = baseline(conversation);
    const asked = new Array<QuestionRow>(questions.length);
    await inParallel(questions.length, inFlight, async i => {
      const question = questions[i]!;
      const body = {
        ...recallBody(client.orgId, user, question, mode),
        ...(passages && { passages }),
        ...(model !== undefined && { embeddings_model: model }),
      };
      const start = performance.now();
      const answer = await client.recall(body);
      const milliseconds = performance.now() - start;
      const list = places(answer, evidenceIds, passages);
      const budgets = await inContexts(client, body, list, question.evidence);
      const ranked = rank(question).map(turn => names.get(turn)!);
      asked[i] = rowOf(id, question, list, ranked, answer.confidence, milliseconds, budgets);
    });
    rows.push(...asked);
    onConversation(id, names.size, rows.length);
  }
  return rows;
};
