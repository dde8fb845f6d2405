/** Tells a week to a service over HTTP, and asks its questions. */
import { inQuotes } from '../../../domain/context/quote.ts';
import type { Client, Recalled } from '../client.ts';
import { load } from '../load.ts';
import type { Question, Week } from './read-weeks.ts';
import { holdsWords } from './weigh-facts.ts';

/** Tokens of the contexts that are asked for. */
export const BUDGETS = [150, 300, 800] as const;
type Budget = (typeof BUDGETS)[number];

export interface Asked {
  question: Question;
  confidence: number;
  first: boolean;
  three: boolean;
  /** Whether a fact or an entity among the hits has words of the answer. */
  fact: boolean;
  /** By the budget of a context: whether an answering line is quoted whole, and whether it has the words. */
  quoted: Readonly<Record<Budget, boolean>>;
  words: Readonly<Record<Budget, boolean>>;
  /** For people who work on the open weeks. */
  hits: readonly string[];
  contexts: Readonly<Record<Budget, string>>;
}

type Nested = { text: string; value?: string };

interface Place {
  score: number;
  /** A turn's own words; empty for others. */
  content: string;
  /** The facts at this place and an entity's label. */
  facts: readonly string[];
}

const placesOf = ({ hits }: Recalled): Place[] =>
  [
    ...hits.turns.map(
      ({
        score,
        content,
        observations = [],
      }: Recalled['hits']['turns'][number] & { observations?: Nested[] }) => ({
        score,
        content,
        facts: observations.map(({ text }) => text),
      }),
    ),
    ...hits.observations.map(({ score, text }) => ({ score, content: '', facts: [text] })),
    ...hits.entities.map(({ score, label }) => ({ score, content: '', facts: [label] })),
  ].sort((a, b) => b.score - a.score);

const sayAny = (texts: readonly string[], { answers }: Question): boolean =>
  answers.some(answer => texts.some(text => holdsWords(text, answer)));

/** A list is answered by all of its answers, other questions by any. */
const saysEnough = (text: string, { answers, kind }: Question): boolean =>
  kind === 'list'
    ? answers.every(answer => holdsWords(text, answer))
    : answers.some(answer => holdsWords(text, answer));

const quotesEnough = (context: string, { lines, kind }: Question, week: Week): boolean => {
  const isQuoted = (line: number): boolean => context.includes(inQuotes(week.said[line - 1]!.says));
  return kind === 'list' ? lines.every(isQuoted) : lines.some(isQuoted);
};

const byBudget = <T>(of: (budget: Budget) => T): Record<Budget, T> =>
  Object.fromEntries(BUDGETS.map(budget => [budget, of(budget)])) as Record<Budget, T>;

const ask = async (client: Client, week: Week, user: string, question: Question): Promise<Asked> => {
  const body = { scope: { org_id: client.orgId, user_id: user }, q: question.question };
  const answer = await client.recall(body);
  const contexts = new Map<Budget, string>();
  for (const budget of BUDGETS) {
    const asked = { include_hits: false, include_context: true, context_max_tokens: budget };
    contexts.set(budget, (await client.recall({ ...body, ...asked })).context ?? '');
  }
  const places = placesOf(answer);
  const within = (most: number): boolean =>
    places.slice(0, most).some(({ content, facts }) => sayAny([content, ...facts], question));
  return {
    question,
    confidence: answer.confidence,
    first: within(1),
    three: within(3),
    fact: sayAny(
      places.flatMap(({ facts }) => facts),
      question,
    ),
    quoted: byBudget(budget => quotesEnough(contexts.get(budget)!, question, week)),
    words: byBudget(budget => saysEnough(contexts.get(budget)!, question)),
    hits: places.map(({ score, content, facts }) => `${score.toFixed(3)} ${[content, ...facts].join(' | ')}`),
    contexts: byBudget(budget => contexts.get(budget)!),
  };
};

/** Loads a week into a partition of its own and asks its questions one by one. */
export const askWeek = async (client: Client, week: Week): Promise<Asked[]> => {
  const user = `week-${week.name}`;
  const sessions = [...Map.groupBy(week.said, ({ session }) => session)].map(([id, said]) => ({
    id,
    turns: said.map(({ who, says, when }) => ({
      id: `${id} ${when}`,
      role: who,
      text: says,
      timestamp: new Date(when).toISOString(),
    })),
  }));
  const names = new Map(sessions.flatMap(({ turns }) => turns.map(({ id }) => [id, id] as const)));
  await load(client, user, { id: week.name, sessions, questions: [] }, names);
  const asked: Asked[] = [];
  for (const question of week.questions) asked.push(await ask(client, week, user, question));
  return asked;
};
