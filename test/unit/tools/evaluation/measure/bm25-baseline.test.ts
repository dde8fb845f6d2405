import { expect, it } from 'vitest';
import type { Conversation, Question } from '../../../../../tools/evaluation/datasets/dataset.ts';
import { bm25Baseline } from '../../../../../tools/evaluation/measure/bm25-baseline.ts';
import { language } from '../../../../contracts/openers/embedded.ts';

const TEXTS = ['The quince tree stands by the well.', 'Pears, pears.', 'Ada planted a tree.', 'Trees!'];
const conversation: Conversation = {
  id: 'c',
  sessions: [
    {
      id: 's',
      turns: TEXTS.map((text, i) => ({
        id: `t${i}`,
        role: i === 1 ? 'Rowan' : 'Ben',
        text,
        timestamp: `2026-01-05T09:00:0${i}Z`,
      })),
    },
  ],
  questions: [],
};
const asked = (question: string, members: Partial<Question> = {}): Question => ({
  id: 'q',
  question,
  evidence: [],
  answerable: true,
  ...members,
});

it('ranks turns by the stems that they share with the question, and leaves out those that share none', () => {
  const rank = bm25Baseline(language(), conversation, 10);
  // The rarer word first, then the shorter turn; function words are none.
  expect(rank(asked('Where does the quince tree stand?'))).toEqual(['t0', 't3', 't2']);
  expect(rank(asked('Who is it?'))).toEqual([]);
  expect(bm25Baseline(language(), conversation, 1)(asked('trees'))).toEqual(['t3']);
});

it('finds a turn by who speaks, and only what was said by then', () => {
  const rank = bm25Baseline(language(), conversation, 10);
  expect(rank(asked('Rowan'))).toEqual(['t1']);
  expect(rank(asked('trees', { until: '2026-01-05T09:00:02Z' }))).toEqual(['t2', 't0']);
});
