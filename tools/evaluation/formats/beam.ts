/**
 * BEAM (Tavakoli et al. 2025, mohammadtavakoli78/BEAM): a chat is a folder with chat.json and
 * probing_questions/probing_questions.json; both are read as one value. A question's evidence is the messages
 * of its `source_chat_ids`, in whatever way they are grouped; an abstention question has no answer. The 10M
 * tier, which has chats of several plans, is not read.
 */
import { makeCheck } from '../../../schemas/ajv.ts';
import type { Conversation, Session } from '../datasets/dataset.ts';
import {
  type Asked,
  FIRST_MORNING,
  type Format,
  has,
  INTEGER,
  listOf,
  orNull,
  questionsOf,
  record,
  STRING,
  TURN_TAKES,
  turnOf,
} from './format.ts';

interface Message {
  id: number;
  role: string;
  content: string;
  time_anchor?: string | null;
}

interface Chat {
  chat: { batch_number: number; turns: Message[][] }[];
  questions: Record<string, { question: string; source_chat_ids?: unknown }[]>;
}

const ABSTENTION = 'abstention';
/** The generator's own number at the end of a user's message: `->-> 3,8`. */
const MARK = /\s*->->\s*[\d,\s]*$/;

/** Reads `March-15-2024` as midnight UTC. */
const anchorOf = (anchor: string | null | undefined): number =>
  anchor ? Date.parse(`${anchor.replaceAll('-', ' ')} UTC`) : Number.NaN;

/** Reads plain lists, and lists by statement: `{"first_statement":[58],"second_statement":[24]}`. */
const idsIn = (value: unknown): string[] => {
  if (typeof value === 'number' || typeof value === 'string') return [`t${value}`];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(idsIn) : [];
};

/**
 * Returns sessions with times: a message follows the one before it after ten seconds, or begins the day of
 * its anchor.
 */
const sessionsOf = (batches: Chat['chat']): Session[] => {
  let time = FIRST_MORNING - TURN_TAKES;
  return batches.map(({ batch_number, turns }) => ({
    id: `batch_${batch_number}`,
    turns: turns.flat().flatMap(({ id, role, content, time_anchor }) => {
      const anchor = anchorOf(time_anchor);
      time = Number.isNaN(anchor) ? time + TURN_TAKES : Math.max(time + TURN_TAKES, anchor);
      return turnOf(`t${id}`, role, role === 'user' ? content.replace(MARK, '') : content, time);
    }),
  }));
};

export const beam: Format<Chat> = {
  name: 'BEAM',
  is: value => has(value, 'chat', 'questions'),
  check: makeCheck<Chat>(
    record({
      chat: listOf(
        record({
          batch_number: INTEGER,
          turns: listOf(
            listOf(record({ id: INTEGER, role: STRING, content: STRING }, { time_anchor: orNull(STRING) })),
          ),
        }),
      ),
      questions: { type: 'object', additionalProperties: listOf(record({ question: STRING })) },
    }),
  ),
  conversationsOf: ({ chat, questions }, name): Conversation[] => {
    const sessions = sessionsOf(chat);
    const known = new Set(sessions.flatMap(({ turns }) => turns.map(({ id }) => id)));
    const asked = Object.entries(questions).flatMap(([category, ofOne]) =>
      ofOne.map(({ question, source_chat_ids }, i): Asked => {
        const answerable = category !== ABSTENTION;
        return {
          id: `${category} ${i + 1}`,
          question,
          category,
          evidence: answerable ? idsIn(source_chat_ids) : [],
          answerable,
        };
      }),
    );
    return [{ id: name, sessions, questions: questionsOf(asked, known) }];
  },
};
