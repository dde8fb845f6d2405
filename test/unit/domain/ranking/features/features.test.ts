import { expect, it } from 'vitest';
import { FEATURES, type Feature } from '../../../../../domain/ranking/features/feature-names.ts';
import { featureTable, prepare } from '../../../../../domain/ranking/features/features.ts';
import { type Candidate, NO_NEIGHBOURS } from '../../../../../domain/search/document.ts';
import { type Said, scopeOf, smallTalk } from '../scope.ts';

/** The feature's value for each turn of these sessions, in their order. */
const valuesOf = (
  feature: Feature,
  sessions: Said[][],
  q: string,
  changed: (candidates: Candidate[]) => Candidate[] = candidates => candidates,
): number[] => {
  const scope = scopeOf(sessions);
  const { query, statistics } = scope.ask(q);
  const candidates = changed(scope.candidates);
  const { rows } = featureTable(prepare(query, statistics, candidates), candidates);
  return candidates.map((_, c) => rows[c * FEATURES.length + FEATURES.indexOf(feature)]!);
};

const RECOMMENDED: Said[] = [
  { role: 'Ann', text: 'Try "Dune", it is a great novel.' },
  { role: 'Bob', text: 'Thanks for the recommendation!' },
];

it('tells the speaker whom the question names first from one whom it names later', () => {
  expect(valuesOf('namedLater', [RECOMMENDED], 'Which novels did Ann recommend to Bob?')).toEqual([0, 1]);
  expect(valuesOf('namedLater', [RECOMMENDED], 'Which novels did Bob get from Ann?')).toEqual([1, 0]);
  expect(valuesOf('namedLater', [RECOMMENDED], 'Which novels does Ann like?')).toEqual([0, 0]);
  const chinese = RECOMMENDED.map(said => ({ ...said, role: said.role === 'Ann' ? '山田太郎' : '王小明' }));
  expect(valuesOf('namedLater', [chinese], '王小明は山田太郎に何を')).toEqual([1, 0]);
  expect(valuesOf('namedLater', [chinese], '山田太郎は王小明に何を')).toEqual([0, 1]);
});

it('names nobody later in a chat with an assistant, where "I" and "you" come in any order', () => {
  const chat = RECOMMENDED.map(said => ({ ...said, role: said.role === 'Ann' ? 'assistant' : 'user' }));
  expect(valuesOf('namedLater', [chat], 'What did you recommend to me?')).toEqual([0, 0]);
});

it('finds the answer to a question of similar meaning', () => {
  const [, answer, own] = valuesOf(
    'answersSimilarQuestion',
    [
      [
        { role: 'Ann', text: 'Where did you purchase that automobile?' },
        { role: 'Bob', text: 'From my uncle.' },
        { role: 'Bob', text: 'He had two of them.' },
      ],
      smallTalk(6),
    ],
    'From whom did Bob buy his car?',
  );
  expect(answer).toBeGreaterThan(0.3);
  expect(own).toBe(0);
});

it('knows the turn that opens a session, but no turn alone, and none whose neighbours were not fetched', () => {
  const sessions = [smallTalk(3), smallTalk(1)];
  expect(valuesOf('opening', sessions, 'weather')).toEqual([1, 0, 0, 0]);
  const bare = (candidates: Candidate[]) => candidates.map(one => ({ ...one, neighbours: NO_NEIGHBOURS }));
  expect(valuesOf('opening', sessions, 'weather', bare)).toEqual([0, 0, 0, 0]);
});
