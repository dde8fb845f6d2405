import { expect, it } from 'vitest';
import { calibrationCases } from '../../evaluation/calibration-cases.ts';
import type { Conversation } from '../../evaluation/dataset.ts';

const turns = (session: string) =>
  Array.from({ length: 12 }, (_, i) => ({
    id: `${session}-${i}`,
    role: 'Ann',
    text: `turn ${i}`,
    timestamp: '2026-01-05T09:00:00Z',
  }));
const conversation: Conversation = {
  id: 'c',
  sessions: ['a', 'b'].map(id => ({ id, turns: turns(id) })),
  questions: [5, 7, 9, 11, 0].map((at, i) => ({
    id: `q${i}`,
    question: '?',
    category: undefined,
    evidence: [`a-${at}`],
    answerable: true,
  })),
};
const ids = (one: Conversation): string[] =>
  one.sessions.flatMap(session => session.turns.map(({ id }) => id));

it('asks questions of scopes that lack their evidence, and of scopes of a few turns', () => {
  const cases = calibrationCases(conversation);
  const absent = cases.filter(({ of }) => of === 'absent');
  expect(absent.length).toBeGreaterThan(0);
  for (const { conversation: copy } of absent)
    for (const { id, answerable } of copy.questions) {
      expect(answerable).toBe(false);
      const [evidence] = conversation.questions.find(question => question.id === id)!.evidence;
      expect(ids(copy)).not.toContain(evidence);
    }
  const small = cases.filter(({ of }) => of === 'small').map(one => one.conversation);
  expect(small.map(one => [one.questions[0]!.id, one.questions[0]!.answerable, ids(one)])).toEqual([
    ['q0', true, ['a-3', 'a-4', 'a-5', 'a-6']],
    ['q0', false, ['b-0', 'b-1', 'b-2', 'b-3']],
    ['q4', true, ['a-0', 'a-1']],
    ['q4', false, ['b-1', 'b-2', 'b-3', 'b-4']],
  ]);
});
