/** clients/behaviours.json, read: calls in the words of the TypeScript client, answers by their names. */
import { readFileSync } from 'node:fs';
import type { ScriptedAnswer } from './misbehaving-server.ts';

export interface BehaviourCall {
  do: string;
  with?: Record<string, unknown>;
  /** The number of items to take from an iterator. */
  take?: number;
  abort_after_ms?: number;
}

export interface ExpectedRequest {
  method: string;
  path: string;
  headers?: Record<string, string | null>;
  body?: unknown;
  call?: number;
  turns?: number;
  first?: string;
}

export interface ExpectedError {
  status?: number | null;
  code?: string;
  request_id?: string;
  retry_after?: number;
  details?: unknown;
  says?: string;
  hides?: string;
}

export interface ExpectedResult {
  answer?: unknown;
  text?: string;
  items?: unknown[];
  events?: unknown[];
  nothing?: true;
  stored?: number;
  failed?: { index: number; code: string }[];
  added_first?: number;
  error?: ExpectedError;
}

export interface Behaviour {
  name: string;
  client?: Record<string, unknown>;
  at_once?: true;
  clock_rate?: number;
  calls: BehaviourCall[];
  answers: Record<string, (string | ScriptedAnswer)[]>;
  requests: ExpectedRequest[];
  waits?: number[];
  results: ExpectedResult[];
}

interface Table {
  named: Record<string, ScriptedAnswer>;
  cases: Behaviour[];
}

const { named, cases } = JSON.parse(
  readFileSync(new URL('../../clients/behaviours.json', import.meta.url), 'utf8'),
) as Table;

export const behaviours = cases;

const answerOf = (answer: string | ScriptedAnswer): ScriptedAnswer => {
  if (typeof answer !== 'string') return answer;
  const found = named[answer];
  if (!found) throw new Error(`the table names no answer ${answer}`);
  return found;
};

export const scriptOf = ({ answers }: Behaviour): { answers: Record<string, ScriptedAnswer[]> } => ({
  answers: Object.fromEntries(Object.entries(answers).map(([route, list]) => [route, list.map(answerOf)])),
});

/** A result's `answer` by its name or as it is. */
export const bodyOf = (answer: unknown): unknown =>
  typeof answer === 'string' ? answerOf(answer).body : answer;

/** `top_k` is `topK` here. */
export const camelCase = (members: Record<string, unknown> = {}): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(members).map(([name, value]) => [
      name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
      value,
    ]),
  );

type TableTurn = { role: string; text: string; timestamp: string; session?: string };

/** The turns of a batch: listed, or one that is repeated. */
export const turnsOf = (turns: unknown): TableTurn[] => {
  if (Array.isArray(turns)) return turns as TableTurn[];
  const { repeat, text, filler = 0, ...turn } = turns as TableTurn & { repeat: number; filler?: number };
  return Array.from({ length: repeat }, (_, i) => ({
    ...turn,
    text: text.replace('{i}', String(i)).replace('{filler}', 'x'.repeat(filler)),
  }));
};
