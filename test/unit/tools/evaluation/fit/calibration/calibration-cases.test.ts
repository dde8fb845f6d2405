import { describe, expect, it } from 'vitest';
import type { Conversation } from '../../../../../../tools/evaluation/datasets/dataset.ts';
import {
  type Case,
  calibrationCases,
} from '../../../../../../tools/evaluation/fit/calibration/calibration-cases.ts';

const turns = (session: string, roles: readonly string[], day: number) =>
  Array.from({ length: 12 }, (_, i) => ({
    id: `${session}-${i}`,
    role: roles[i % roles.length]!,
    text: `turn ${i}`,
    timestamp: `2026-01-0${day}T09:00:00Z`,
  }));
const talk = (id: string, roles: readonly string[], days: readonly number[]): Conversation => ({
  id,
  sessions: ['a', 'b'].map((session, i) => ({ id: session, turns: turns(session, roles, days[i]!) })),
  questions: [5, 7, 9, 11, 0].map((at, i) => ({
    id: `${id}-q${i}`,
    question: '?',
    evidence: [`a-${at}`],
    answerable: at !== 9,
  })),
});
const conversation = talk('c', ['Ann', 'Bob'], [1, 4]);
const pair = talk('d', ['Cleo', 'Dan'], [2, 3]);
const others = [talk('e', ['Bob', 'Eve'], [1, 2]), pair, talk('f', ['user', 'assistant'], [1, 2])];
const cases = calibrationCases(conversation, others);
const of = (name: Case): Conversation[] => cases.filter(one => one.of === name).map(one => one.conversation);
const ids = (one: Conversation): string[] =>
  one.sessions.flatMap(session => session.turns.map(({ id }) => id));
const asked = (one: Conversation) => [one.questions[0]!.id, one.questions[0]!.answerable, ids(one)];

describe('cases for the calibration', () => {
  it('ask questions of scopes that lack their evidence', () => {
    for (const name of ['absent', 'groupAbsent'] as const) {
      expect(of(name).length).toBeGreaterThan(0);
      for (const copy of of(name))
        for (const { id, answerable } of copy.questions) {
          expect(answerable).toBe(false);
          const [evidence] = conversation.questions.find(question => question.id === id)!.evidence;
          expect(ids(copy)).not.toContain(evidence);
        }
    }
  });

  it('ask of a few turns: around the evidence, around what it could be taken for, and of elsewhere', () => {
    expect(of('small').map(asked)).toEqual([['c-q0', true, ['a-3', 'a-4', 'a-5', 'a-6']]]);
    expect(of('smallForeign').map(asked)).toEqual([['c-q0', false, ['b-0', 'b-1', 'b-2', 'b-3']]]);
    expect(of('smallOther').map(asked)).toEqual([['c-q2', false, ['a-7', 'a-8', 'a-9', 'a-10']]]);
  });

  it("ask another conversation's questions", () => {
    const [foreign] = of('foreign');
    expect(ids(foreign!)).toEqual(ids(conversation));
    expect(foreign!.questions.map(({ id, answerable, evidence }) => [id, answerable, evidence])).toEqual(
      ['e-q0', 'e-q1', 'e-q3', 'e-q4'].map(id => [id, false, []]),
    );
    expect(calibrationCases(conversation, []).map(one => one.of)).not.toContain('foreign');
  });

  it('put pairs who share nobody into one scope, in the order of time', () => {
    const [group] = of('group');
    expect(group!.sessions.map(({ id }) => id)).toEqual(['a', 'd/a', 'd/b', 'b']);
    expect(new Set(group!.sessions.flatMap(session => session.turns.map(({ role }) => role)))).toEqual(
      new Set(['Ann', 'Bob', 'Cleo', 'Dan']),
    );
    expect(group!.questions.every(({ answerable }) => answerable)).toBe(true);
    expect(new Set(ids(group!)).size).toBe(ids(group!).length);
    expect(ids(group!)).toContain(group!.questions[0]!.evidence[0]);
    for (const alone of [others[0]!, others[2]!])
      expect(calibrationCases(alone, [conversation]).map(one => one.of)).not.toContain('group');
  });
});
