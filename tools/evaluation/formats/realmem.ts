/**
 * RealMem (RealMem team 2026, AvatarMemory/RealMemBench, dataset/*_dialogues_256k.json): one person per file.
 * Its labels are the sessions that the assistant's answer to a query reports as used. As in its own
 * evaluation, a query is asked of the sessions before its own.
 */
import { makeCheck } from '../../../schemas/ajv.ts';
import type { Conversation, Session } from '../datasets/dataset.ts';
import {
  type Asked,
  type Format,
  has,
  listOf,
  orNull,
  questionsOf,
  record,
  SECOND,
  STRING,
  TURN_TAKES,
  turnOf,
} from './format.ts';

interface Turn {
  speaker: string;
  content: string;
  is_query?: boolean;
  query_id?: string | null;
  category_name?: string | null;
  memory_session_uuids?: string[] | null;
  memory_used?: { session_uuid?: string | null }[] | null;
}

interface Person {
  _metadata: { person_name: string };
  dialogues: { session_uuid: string; current_time: string; dialogue_turns: Turn[] }[];
}

const DATE = { ...STRING, pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}', 'x-rule': 'must begin with a date' };

/** Returns the sessions that an answer used. */
const usedBy = ({ memory_session_uuids, memory_used }: Turn): string[] =>
  memory_session_uuids?.length
    ? memory_session_uuids
    : (memory_used ?? []).flatMap(({ session_uuid }) => session_uuid ?? []);

export const realmem: Format<Person> = {
  name: 'RealMem',
  unit: 'session',
  is: value => has(value, 'dialogues'),
  check: makeCheck<Person>(
    record({
      _metadata: record({ person_name: { ...STRING, minLength: 1 } }),
      dialogues: listOf(
        record({
          session_uuid: { ...STRING, minLength: 1 },
          current_time: DATE,
          dialogue_turns: listOf(
            record(
              { speaker: STRING, content: STRING },
              {
                is_query: { type: 'boolean' },
                query_id: orNull(STRING),
                category_name: orNull(STRING),
                memory_session_uuids: orNull(listOf(STRING)),
                memory_used: orNull(listOf(record({}, { session_uuid: orNull(STRING) }))),
              },
            ),
          ),
        }),
      ),
    }),
  ),
  conversationsOf: ({ _metadata, dialogues }): Conversation[] => {
    const sessions: Session[] = [];
    const asked: Asked[] = [];
    /** Time of the previous turn: sessions of one day follow each other. */
    let last = Number.NEGATIVE_INFINITY;
    for (const { session_uuid, current_time, dialogue_turns } of dialogues) {
      const start = Math.max(Date.parse(current_time.slice(0, 10)), last + TURN_TAKES);
      const earlier = new Set(sessions.map(({ id }) => id));
      for (const [i, { is_query, query_id, content, category_name }] of dialogue_turns.entries()) {
        const answer = dialogue_turns[i + 1];
        if (!is_query || !answer) continue;
        asked.push({
          id: query_id ?? `${session_uuid}:${i}`,
          question: content,
          ...(category_name ? { category: category_name } : {}),
          evidence: usedBy(answer).filter(uuid => earlier.has(uuid)),
          until: new Date(start - SECOND).toISOString(),
        });
      }
      const turns = dialogue_turns.flatMap(({ speaker, content }, i) =>
        turnOf(`${session_uuid}:${i}`, speaker.toLowerCase(), content, start + i * TURN_TAKES),
      );
      last = start + (dialogue_turns.length - 1) * TURN_TAKES;
      if (turns.length > 0) sessions.push({ id: session_uuid, turns });
    }
    const known = new Set(sessions.map(({ id }) => id));
    return [{ id: _metadata.person_name, sessions, questions: questionsOf(asked, known) }];
  },
};
