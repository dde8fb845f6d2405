import { describe, expect, it } from 'vitest';
import type { Conversation, Question } from '../../../../../tools/evaluation/datasets/dataset.ts';
import {
  copiesWithoutEvidence,
  withoutEvidence,
} from '../../../../../tools/evaluation/datasets/without-evidence.ts';

const question = (id: string, ...evidence: string[]): Question => ({
  id,
  question: `${id}?`,
  category: 'c',
  evidence,
  answerable: true,
});

/** `sessions` of `length` turns each, named by session and place: `b3`. */
const conversationOf = (sessions: string, length: number, questions: Question[] = []): Conversation => ({
  id: 'c1',
  sessions: [...sessions].map(id => ({
    id,
    turns: Array.from({ length }, (_, i) => ({
      id: `${id}${i}`,
      role: 'Ada',
      text: `${id}${i}`,
      timestamp: '2026-01-05T09:00:00Z',
    })),
  })),
  questions,
});

const turnsOf = ({ sessions }: Conversation): string[] =>
  sessions.flatMap(({ turns }) => turns.map(({ id }) => id));

describe('a conversation without the evidence of a question', () => {
  it('lacks these turns and those beside them in their session, and asks that question alone', () => {
    const asked = question('q', 'a0', 'b2');
    const whole = conversationOf('ab', 5, [asked, question('other', 'a4')]);
    const before = structuredClone(whole);
    const copy = withoutEvidence(whole, asked);
    // The turn before a0's session and the one after b4's are not beside anything.
    expect(turnsOf(copy)).toEqual(['a2', 'a3', 'a4', 'b0', 'b4']);
    expect(copy.questions).toEqual([{ ...asked, evidence: [], answerable: false }]);
    expect(copy.id).toBe('c1');
    expect(whole).toEqual(before);
  });

  it('lacks whole sessions where evidence names them, and no session is left empty', () => {
    expect(
      withoutEvidence(conversationOf('abc', 3), question('q', 'b')).sessions.map(({ id }) => id),
    ).toEqual(['a', 'c']);
  });
});

describe('copies of a conversation', () => {
  const many = Array.from({ length: 30 }, (_, i) => question(`q${i}`, `a${3 * i + 1}`));

  it('are as many as asked for, each without at most a tenth of the turns, and ask a question once', () => {
    const whole = conversationOf('a', 100, many);
    const copies = copiesWithoutEvidence(whole, 4);
    expect(copies).toHaveLength(4);
    for (const copy of copies) {
      const kept = new Set(turnsOf(copy));
      expect(kept.size).toBeGreaterThanOrEqual(90);
      for (const { id } of copy.questions)
        expect(kept).not.toContain(many.find(one => one.id === id)!.evidence[0]);
    }
    const asked = copies.flatMap(({ questions }) => questions.map(({ id }) => id));
    // Three turns each, so three questions a copy.
    expect(asked).toHaveLength(12);
    expect(new Set(asked).size).toBe(12);
    expect(copiesWithoutEvidence(whole, 4)).toEqual(copies);
  });

  it('keep evidence that overlaps apart', () => {
    const overlapping = [question('q1', 'a4'), question('q2', 'a6')];
    const copies = copiesWithoutEvidence(conversationOf('a', 100, overlapping), 3);
    expect(copies.map(({ questions }) => questions.length)).toEqual([1, 1]);
  });

  it('of a short conversation lack at most half, and unanswerable questions are not asked again', () => {
    const short = conversationOf('a', 6, [
      question('q', 'a1'),
      question('wide', 'a0', 'a2', 'a4'),
      { ...question('no', 'a5'), answerable: false },
    ]);
    expect(copiesWithoutEvidence(short, 9).map(({ questions }) => questions.map(({ id }) => id))).toEqual([
      ['q'],
    ]);
  });
});
