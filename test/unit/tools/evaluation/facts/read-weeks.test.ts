import { describe, expect, it } from 'vitest';
import { weekIn } from '../../../../../tools/evaluation/facts/read-weeks.ts';
import { holdsWords, isHeld, isKnown } from '../../../../../tools/evaluation/facts/weigh-facts.ts';

const WEEK = `# A week

User: Nora (the user)

## said

| when | session | who | says |
| ---- | ------- | --- | ---- |
| 2025-03-03 08:12 | a | user | I live in Ghent |
| 2025-03-03 08:12 | a | assistant | Nice! |

## known

| of | what | value | kind | line | holds |
| -- | ---- | ----- | ---- | ---- | ----- |
| user | home | Ghent | ordinary | 1 | now |

## false

| of | what | value | why |
| -- | ---- | ----- | --- |
| user | home | Madrid | a holiday |

## questions

| question | answer | lines | kind |
| -------- | ------ | ----- | ---- |
| Where do I live? | Ghent; in Ghent | 1, 2 | now |
| What is my blood type? | - | - | absent |
`;

describe('a week', () => {
  it('is read with its lines in order, and questions without an answer', () => {
    const { user, said, known, notSo, questions } = weekIn(WEEK, 'nora');
    expect(user).toBe('Nora');
    expect(said.map(({ who }) => who)).toEqual(['user', 'assistant']);
    expect(said[1]!.when - said[0]!.when).toBe(1);
    expect(known).toEqual([{ of: 'user', what: 'home', value: 'Ghent', kind: 'ordinary' }]);
    expect(notSo).toEqual([{ of: 'user', what: 'home', value: 'Madrid' }]);
    expect(questions.map(({ answers, lines }) => [answers, lines])).toEqual([
      [
        ['Ghent', 'in Ghent'],
        [1, 2],
      ],
      [[], []],
    ]);
  });

  it('is compared with facts by words of the value, and by the attribute where a row names one', () => {
    const fact = { subject: { label: 'The user' }, attribute: 'home', value: 'a flat in Ghent' };
    expect(holdsWords('in Ghentbrugge', 'Ghent')).toBe(false);
    expect(isKnown({ of: 'user', what: 'home', value: 'Ghent', kind: 'ordinary' }, [fact], 'Nora')).toBe(
      true,
    );
    expect(isKnown({ of: 'Piet', what: 'home', value: 'Ghent', kind: 'ordinary' }, [fact], 'Nora')).toBe(
      false,
    );
    expect(isHeld({ of: 'user', what: 'home', value: 'Ghent' }, [fact], 'Nora')).toBe(true);
    expect(isHeld({ of: 'user', what: 'employer', value: 'Ghent' }, [fact], 'Nora')).toBe(false);
  });
});
