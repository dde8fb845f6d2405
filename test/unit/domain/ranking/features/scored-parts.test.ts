import { describe, expect, it } from 'vitest';
import { passagesOf } from '../../../../../domain/language/passages.ts';
import { rankDeep } from '../../../../../domain/ranking/deep.ts';
import { prepare } from '../../../../../domain/ranking/features/features.ts';
import { bestParts } from '../../../../../domain/ranking/features/scored-parts.ts';
import { rank } from '../../../../../domain/ranking/rank.ts';
import { wholeOf } from '../../../../../domain/search/document.ts';
import { scopeOf, smallTalk } from '../scope.ts';

const paragraph = (subject: string): string =>
  `${`Nothing much to say of ${subject}, it is as it always was and as everybody in the street knows. `.repeat(4)}\n\n`;
const long = `${paragraph('the weather')}${paragraph('the harbour')}The ferry to Kalmar leaves at noon from pier seven.\n\n${paragraph('the market')}${paragraph('the school')}`;
const scope = scopeOf([
  [...smallTalk(6), { role: 'Ann', text: long }, ...smallTalk(6)],
  [...smallTalk(4), { role: 'Bob', text: 'The ferry was late again.' }, ...smallTalk(4)],
]);
const MODES = { active: rank, deep: rankDeep };

describe.each(['active', 'deep'] as const)('a long turn, %s', mode => {
  const { query, statistics } = scope.ask('When does the ferry to Kalmar leave?');
  const ranked = MODES[mode](prepare(query, statistics, scope.candidates), scope.candidates);

  it('is ranked once, by its best passage', () => {
    expect(ranked).toHaveLength(scope.candidates.length);
    const [first] = ranked;
    const { part } = first!.candidate;
    const span = passagesOf(long)[part!.index]!;
    expect(long.slice(span.from, span.to)).toContain('pier seven');
    expect(wholeOf(first!.candidate).passages).toHaveLength(passagesOf(long).length);
  });

  it('stands before a short one that says less of what was asked', () => {
    expect(ranked.findIndex(({ candidate }) => wholeOf(candidate).passages)).toBe(0);
  });

  it('leaves short ones whole', () => {
    for (const { candidate } of ranked.slice(1)) expect(candidate.part).toBeUndefined();
  });
});

it('of parts that are equal the first stands for the turn', () => {
  const whole = scope.candidates[6]!.document;
  const part = (index: number) => ({ part: { index, whole } });
  expect(
    bestParts([{}, part(0), part(1), part(2), {}, part(0), part(1)], Float64Array.of(1, 2, 3, 3, 0, 5, 4)),
  ).toEqual([0, 2, 4, 5]);
});
