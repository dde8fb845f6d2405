/**
 * The format for data of one's own, JSON Lines (docs/reference/evaluation.md):
 *   {"type":"turn","conversation","session","id","role","text","timestamp","observations"?}
 *   {"type":"question","conversation","id"?,"question","category"?,"evidence","answerable"?}
 * Turns stand in the order of their lines, the questions of a conversation after its turns.
 */
import { makeCheck } from '../../../schemas/ajv.ts';
import { ingestSchema, type Turn } from '../../../schemas/http/ingestion.ts';
import { id, text } from '../../../schemas/http/parts/parts.ts';
import { recallSchema } from '../../../schemas/http/recall.ts';
import type { Conversation, Dataset } from './dataset.ts';

interface TurnLine extends Turn {
  conversation: string;
  session: string;
  id: string;
}

interface QuestionLine {
  conversation: string;
  id?: string;
  question: string;
  category?: string;
  evidence: string[];
  answerable?: boolean;
}

const line = (required: Record<string, object>, optional: Record<string, object>) => ({
  type: 'object',
  additionalProperties: false,
  required: Object.keys(required),
  properties: { type: { type: 'string' }, ...required, ...optional },
});

/** The limits of turns and questions are those of the service's contract. */
const { observations, ...turn } = ingestSchema.properties.turns.items.properties;

const CHECKS = {
  turn: makeCheck<TurnLine>(line({ conversation: id, session: id, id, ...turn }, { observations })),
  question: makeCheck<QuestionLine>(
    line(
      { conversation: id, question: recallSchema.properties.q, evidence: { type: 'array', items: id } },
      {
        id,
        category: {
          ...text(1, 64),
          pattern: '^\\P{Cc}*$',
          'x-rule': 'must not have control characters',
        },
        answerable: { type: 'boolean' },
      },
    ),
  ),
};

/** A line that isn't blank, and its faults. The `value` of a faulty one may lack or hold anything. */
type Line = { number: number; faults: string[] } & (
  | { type: 'turn'; value: TurnLine }
  | { type: 'question'; value: QuestionLine }
  | { type?: undefined }
);
type TurnOf = Extract<Line, { type: 'turn' }>;
type QuestionOf = Extract<Line, { type: 'question' }>;

const parsed = (json: string): unknown => {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
};

const readLine = (json: string, number: number): Line => {
  const value = parsed(json);
  if (value === undefined) return { number, faults: ['is not JSON'] };
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { number, faults: ['is no JSON object'] };
  const { type } = value as { type?: unknown };
  if (type !== 'turn' && type !== 'question') return { number, faults: ['type must be turn or question'] };
  const checked = CHECKS[type](value);
  const told = checked.ok ? [] : checked.errors;
  const faults = told.map(({ loc, message }) => `${loc.slice(1).join('.')} ${message}`.trim());
  // Each unknown member gets the same message.
  return { number, type, value, faults: [...new Set(faults)] } as Line;
};

/** Line numbers by the ids in the lines. */
type Numbers = Map<string, number>;

const claim = (numbers: Numbers, id: unknown, { number, faults }: Line): void => {
  // The schema has already reported it.
  if (typeof id !== 'string') return;
  const first = numbers.get(id);
  if (first === undefined) numbers.set(id, number);
  else faults.push(`id is that of line ${first}`);
};

/** Checks one conversation; faulty turns count too, so that a fault isn't reported twice. */
const checkConversation = (turns: readonly TurnOf[], questions: readonly QuestionOf[]): void => {
  const turnNumbers: Numbers = new Map();
  for (const turn of turns) claim(turnNumbers, turn.value.id, turn);
  const lastTurn = turns.at(-1)?.number;
  const questionNumbers: Numbers = new Map();
  for (const [place, question] of questions.entries()) {
    const { number, value, faults } = question;
    claim(questionNumbers, questionId(value, place), question);
    if (lastTurn === undefined) faults.push('its conversation has no turns');
    else if (lastTurn > number) faults.push(`its conversation has turns after it, to line ${lastTurn}`);
    // Without an array the schema has already reported it.
    const evidence = Array.isArray(value.evidence) ? value.evidence : [];
    for (const [i, named] of evidence.entries())
      if (lastTurn !== undefined && !turnNumbers.has(named))
        faults.push(`evidence.${i} names no turn of its conversation`);
    if (value.answerable === true && evidence.length === 0)
      faults.push('evidence must name a turn where answerable is true');
  }
};

/** Returns a question's id, by default its place in the conversation. */
const questionId = ({ id }: QuestionLine, place: number): string => id ?? `q${place + 1}`;

const conversationOf = (
  id: string,
  turns: readonly TurnOf[],
  questions: readonly QuestionOf[],
): Conversation => {
  const sessions = Map.groupBy(turns, ({ value }) => value.session);
  return {
    id,
    sessions: [...sessions].map(([session, lines]) => ({
      id: session,
      turns: lines.map(({ value: { id, role, text, timestamp, observations } }) => ({
        id,
        role,
        text,
        timestamp,
        ...(observations ? { observations } : {}),
      })),
    })),
    questions: questions.map(({ value }, place) => {
      const answerable = value.answerable ?? value.evidence.length > 0;
      return {
        id: questionId(value, place),
        question: value.question,
        category: value.category,
        // The distractors of a question that can't be answered are for people to read.
        evidence: answerable ? [...new Set(value.evidence)] : [],
        answerable,
      };
    }),
  };
};

export type ParsedJsonLines =
  | { ok: true; dataset: Dataset }
  /** Lines count from 1; the faults never quote the lines. */
  | { ok: false; lines: { number: number; faults: string[] }[] };

/** Returns all of the file, or all of its faults. */
export const parseJsonLines = (text: string): ParsedJsonLines => {
  const lines = text.split('\n').flatMap((json, i) => (json.trim() === '' ? [] : readLine(json, i + 1)));
  // Lines without a conversation can't be checked against others; the schema has already reported them.
  const placed = lines.filter(line => line.type && typeof line.value.conversation === 'string');
  const turns = Map.groupBy(
    placed.filter(line => line.type === 'turn'),
    ({ value }) => value.conversation,
  );
  const questions = Map.groupBy(
    placed.filter(line => line.type === 'question'),
    ({ value }) => value.conversation,
  );
  const ids = [...new Set([...turns.keys(), ...questions.keys()])];
  for (const id of ids) checkConversation(turns.get(id) ?? [], questions.get(id) ?? []);
  const faulty = lines.filter(({ faults }) => faults.length > 0);
  if (faulty.length > 0)
    return { ok: false, lines: faulty.map(({ number, faults }) => ({ number, faults })) };
  const conversations = ids.map(id => conversationOf(id, turns.get(id)!, questions.get(id) ?? []));
  return { ok: true, dataset: { headline: 'answerable', conversations } };
};
