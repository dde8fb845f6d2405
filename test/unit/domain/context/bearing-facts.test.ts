import { describe, expect, it } from 'vitest';
import { bearingFacts } from '../../../../domain/context/bearing-facts.ts';
import type { StoredFact } from '../../../../domain/facts/stored-fact.ts';

const held = (
  subject: string,
  attribute: string,
  value: string,
  sourceTurnId = 'elsewhere',
  text?: string,
) => ({
  fact: { subjectId: subject, subject, attribute, value, ended: false, stance: 'holds' } satisfies StoredFact,
  text: text ?? `${subject} has this ${attribute}: ${value}.`,
  role: 'user',
  sourceTurnId,
});
const lines = (
  facts: readonly ReturnType<typeof held>[],
  question: string,
  asked: string[],
  hits: string[] = [],
) =>
  bearingFacts(facts, { question, asked: new Set(asked), hits }).map(
    ({ fact, bears }) => `${bears}: ${fact.subject} ${fact.attribute} ${fact.value}`,
  );

describe('the facts of a context', () => {
  it('begin with the attribute asked for of the person asked about', () => {
    const facts = [
      held('The user', 'home', 'Ghent'),
      held('Lotte', 'vehicle', 'Volvo'),
      held('Piet', 'job', 'baker', 'first'),
      held('Lotte', 'job', 'nurse', 'elsewhere', "The user's sister Lotte is a nurse."),
    ];
    expect(lines(facts, 'What does my sister do?', ['job'], ['first'])).toEqual([
      'question: Lotte job nurse',
      'question: Lotte vehicle Volvo',
      'hit: Piet job baker',
      'always: The user home Ghent',
    ]);
  });

  it('are the asker’s own where nobody is named', () => {
    const facts = [held('Lotte', 'home', 'Bruges'), held('The user', 'home', 'Ghent')];
    expect(lines(facts, 'Where do I live?', ['home'])).toEqual(['question: The user home Ghent']);
    expect(lines(facts, 'Who lives where?', ['home'])).toHaveLength(2);
  });

  it('leave out somebody else of the name, and tastes from the standing set', () => {
    const facts = [
      held('Alex', 'home', 'Rome', 'first', "The user's boss Alex lives in Rome."),
      held('Alex', 'home', 'Oslo', 'second', "The user's brother Alex lives in Oslo."),
      held('The user', 'preference', 'tea'),
      held(
        'The user',
        'preference',
        'answer in French',
        'x',
        'The user wants this of the assistant: answer in French.',
      ),
    ];
    expect(lines(facts, 'Where does my brother Alex live?', ['home'], ['first', 'second'])).toEqual([
      'question: Alex home Oslo',
      'always: The user preference answer in French',
    ]);
  });
});
