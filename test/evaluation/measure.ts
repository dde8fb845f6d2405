import { setTimeout as wait } from 'node:timers/promises';
import type { Turn as BodyTurn } from '../../schemas/http/ingestion.ts';
import type { RecallBody } from '../../schemas/http/recall.ts';
import type { Kind } from '../../services/core/ports.ts';
import { countTokens } from '../../services/core/tokens/count.ts';
import { makeBatches } from '../../services/surfaces/cli/ingest/batches.ts';
import { EXIT, failure } from '../../services/surfaces/client/exit.ts';
import { inParallel } from '../support/client.ts';
import { BUDGETS, type BudgetRecall, budgetRecall } from './budgets.ts';
import type { Client, Recalled } from './client.ts';
import type { Conversation, Dataset, Question } from './dataset.ts';
import { type QuestionMetrics, questionMetrics } from './metrics.ts';

/** Every question is asked once: recall@k is measured on the first k hits, because `top_k` only cuts the one ranking. */
const TOP_K = 30;
/** Confidence speaks of the hits of a default `active` recall. */
const CONFIDENCE_TOP = 15;
const ENRICHED_WITHIN_MS = 600_000;
const ASK_AGAIN_MS = 50;

export const MODES = ['active', 'deep'] as const;
export type Mode = (typeof MODES)[number];

/** One question, asked; without a word of it. */
export interface QuestionRow {
  conversation: string;
  id: string;
  category: string | null;
  answerable: boolean;
  /** null where there is no evidence to be found. */
  metrics: QuestionMetrics | null;
  confidence: number;
  /** 1 when what it asks for was there: it is answerable, and some of its evidence is among the first 15 hits. */
  label: 0 | 1;
  milliseconds: number;
  contents: Contents[];
  /** Empty where there is no evidence to be found. */
  budgets: BudgetRecall[];
}

/** The default numbers of hits, and ten. */
const CONTENT_DEPTHS = [10, 15, 25] as const;

/** What the first places of an answer hold. */
export interface Contents {
  depth: (typeof CONTENT_DEPTHS)[number];
  facts: number;
  entities: number;
  /** Of their texts. */
  tokens: number;
}

export interface MeasureOptions {
  mode: Mode;
  /** Before the names of the user partitions, so that runs on one service don't see each other. */
  userPrefix: string;
  /** Questions asked at a time. */
  inFlight: number;
  onConversation: (id: string, turns: number, questions: number) => void;
}

/** Turn ids by the id of the fragment that each is stored as: the same words of the same moment are one fragment. */
type TurnIds = Map<string, string[]>;

/**
 * Until what the service makes of turns in the background is there: where a conversation has fewer turns than hits are
 * asked for it fills the list, and the same data would be measured differently from run to run.
 */
const enriched = async (client: Client, jobs: readonly string[]): Promise<void> => {
  const deadline = performance.now() + ENRICHED_WITHIN_MS;
  for (const job of jobs) {
    while (await client.isQueued(job)) {
      if (performance.now() > deadline)
        throw failure(EXIT.failure, `${job} was not enriched within ten minutes`);
      await wait(ASK_AGAIN_MS);
    }
  }
};

const load = async (client: Client, user: string, conversation: Conversation): Promise<TurnIds> => {
  const turnIds: TurnIds = new Map();
  const batches = makeBatches();
  const jobs: string[] = [];
  const send = async (full: ReturnType<typeof batches.add>): Promise<void> => {
    for (const { session, turns, places } of full) {
      const scope = { org_id: client.orgId, user_id: user, session_id: session };
      // Batches know less of a turn than this dataset, which made them.
      const { job_id, active_fragment_ids } = await client.ingest({ scope, turns: turns as BodyTurn[] });
      for (const [i, fragment] of active_fragment_ids.entries())
        turnIds.set(fragment, [...(turnIds.get(fragment) ?? []), String(places[i])]);
      jobs.push(job_id);
    }
  };
  for (const session of conversation.sessions)
    for (const { id, ...turn } of session.turns)
      await send(batches.add({ place: id, size: 0, session: session.id, turn }));
  await send(batches.rest());
  await enriched(client, jobs);
  return turnIds;
};

/** A hit in the one ranked list that the answer was split from. */
interface Place {
  kind: Kind;
  score: number;
  /** The turns that the hit is, or names. */
  ids: string[];
  tokens: number;
  content: string | undefined;
}

const places = ({ hits }: Recalled, turnIds: TurnIds): Place[] => {
  const place = (
    kind: Kind,
    score: number,
    text: string,
    fragments: readonly string[],
    content?: string,
  ): Place => ({
    kind,
    score,
    ids: fragments.flatMap(id => turnIds.get(id) ?? []),
    tokens: countTokens(text),
    content,
  });
  return [
    ...hits.turns.map(({ score, text, id, content }) => place('turn', score, text, [id], content)),
    ...hits.observations.map(({ score, text, content, source_turn_ids = [] }) =>
      place('observation', score, text, source_turn_ids, content),
    ),
    ...hits.entities.map(({ score, label }) => place('entity', score, label, [])),
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
  { id, category, answerable, evidence }: Question,
  list: readonly Place[],
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
    confidence,
    label: answerable && first.some(turn => evidence.includes(turn)) ? 1 : 0,
    milliseconds: Math.round(milliseconds * 10) / 10,
    contents: contentsOf(list),
    budgets,
  };
};

/** Asks once more for each budget: a smaller context is not a part of a greater one. */
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
    recalls.push(budgetRecall(list, evidence, context, budget, countTokens));
  }
  return recalls;
};

/** Loads each conversation into a user partition of its own and asks its questions. */
export const measure = async (
  client: Client,
  { conversations }: Dataset,
  { mode, userPrefix, inFlight, onConversation }: MeasureOptions,
): Promise<QuestionRow[]> => {
  const rows: QuestionRow[] = [];
  for (const conversation of conversations) {
    const { id, sessions, questions } = conversation;
    const user = userPrefix + id;
    const turnIds = await load(client, user, conversation);
    const asked = new Array<QuestionRow>(questions.length);
    await inParallel(questions.length, inFlight, async i => {
      const question = questions[i]!;
      const start = performance.now();
      const scope = { org_id: client.orgId, user_id: user };
      const body = { scope, q: question.question, mode, top_k: TOP_K };
      const answer = await client.recall(body);
      const milliseconds = performance.now() - start;
      const list = places(answer, turnIds);
      const budgets = await inContexts(client, body, list, question.evidence);
      asked[i] = rowOf(id, question, list, answer.confidence, milliseconds, budgets);
    });
    rows.push(...asked);
    onConversation(id, sessions.flatMap(({ turns }) => turns).length, rows.length);
  }
  return rows;
};
