import { setTimeout as wait } from 'node:timers/promises';
import type { Turn as BodyTurn } from '../../schemas/http/ingestion.ts';
import { makeBatches } from '../../services/surfaces/cli/ingest/batches.ts';
import { EXIT, failure } from '../../services/surfaces/client/exit.ts';
import { inParallel } from '../support/client.ts';
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

/** The one ranked list that the answer was split from: for each place the turns that the hit is, or names. */
const places = ({ hits }: Recalled, turnIds: TurnIds): string[][] => {
  const known = (fragments: readonly string[]) => fragments.flatMap(id => turnIds.get(id) ?? []);
  return [
    ...hits.turns.map(hit => ({ score: hit.score, ids: known([hit.id]) })),
    ...hits.observations.map(hit => ({ score: hit.score, ids: known(hit.source_turn_ids ?? []) })),
    ...hits.entities.map(hit => ({ score: hit.score, ids: [] as string[] })),
  ]
    .sort((a, b) => b.score - a.score)
    .map(({ ids }) => ids);
};

const rowOf = (
  conversation: string,
  { id, category, answerable, evidence }: Question,
  ranked: readonly string[][],
  confidence: number,
  milliseconds: number,
): QuestionRow => {
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
  };
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
      const answer = await client.recall({
        scope: { org_id: client.orgId, user_id: user },
        q: question.question,
        mode,
        top_k: TOP_K,
      });
      const milliseconds = performance.now() - start;
      asked[i] = rowOf(id, question, places(answer, turnIds), answer.confidence, milliseconds);
    });
    rows.push(...asked);
    onConversation(id, sessions.flatMap(({ turns }) => turns).length, rows.length);
  }
  return rows;
};
