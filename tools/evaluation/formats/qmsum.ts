/**
 * QMSum (Zhong et al. 2021, Yale-LILY/QMSum): one meeting per file, or per line in its .jsonl files. A
 * specific query's evidence is the turns of its `relevant_text_span`s, both ends included. Queries with more
 * than ten such turns are left out, since ten hits can't hold them; general ones have none.
 */
import { makeCheck } from '../../../schemas/ajv.ts';
import type { Conversation } from '../datasets/dataset.ts';
import {
  FIRST_MORNING,
  type Format,
  has,
  listOf,
  questionsOf,
  record,
  STRING,
  TURN_TAKES,
  turnOf,
} from './format.ts';

interface Meeting {
  meeting_transcripts: { speaker: string; content: string }[];
  specific_query_list: { query: string; relevant_text_span: [string, string][] }[];
}

const MOST_EVIDENCE = 10;
const position = { ...STRING, pattern: '^[0-9]{1,6}$', 'x-rule': 'must be digits' };

/**
 * Removes marks of noises and of broken-off words, and the tokenizer's spaces before punctuation: `I 'm in .`
 */
const plain = (content: string): string =>
  content
    .replace(/\{[^}]*\}/g, ' ')
    .replace(/\s+/g, ' ')
    .replace(/ (?=[.,?!;:]|'\p{L})/gu, '')
    .trim();

const spanned = ([from, to]: [string, string]): number[] =>
  Array.from({ length: Math.max(0, Number(to) - Number(from) + 1) }, (_, i) => Number(from) + i);

export const qmsum: Format<Meeting> = {
  name: 'QMSum',
  is: value => has(value, 'meeting_transcripts'),
  check: makeCheck<Meeting>(
    record({
      meeting_transcripts: listOf(record({ speaker: STRING, content: STRING })),
      specific_query_list: listOf(
        record({
          query: STRING,
          relevant_text_span: listOf({ ...listOf(position), minItems: 2, maxItems: 2 }),
        }),
      ),
    }),
  ),
  conversationsOf: ({ meeting_transcripts, specific_query_list }, name): Conversation[] => {
    const turns = meeting_transcripts.flatMap(({ speaker, content }, i) =>
      turnOf(`t${i}`, speaker, plain(content), FIRST_MORNING + i * TURN_TAKES),
    );
    const asked = specific_query_list.map(({ query, relevant_text_span }, i) => ({
      id: `q${i + 1}`,
      question: plain(query),
      category: 'specific',
      evidence: relevant_text_span.flatMap(spanned).map(place => `t${place}`),
    }));
    const questions = questionsOf(asked, new Set(turns.map(({ id }) => id)));
    return [
      {
        id: name,
        sessions: [{ id: 'meeting', turns }],
        questions: questions.filter(({ evidence }) => evidence.length <= MOST_EVIDENCE),
      },
    ];
  },
};
