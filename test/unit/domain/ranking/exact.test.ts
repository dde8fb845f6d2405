import { describe, expect, it } from 'vitest';
import { rankDeep } from '../../../../domain/ranking/deep.ts';
import { prepare } from '../../../../domain/ranking/features/features.ts';
import { rank } from '../../../../domain/ranking/rank.ts';
import { type Said, scopeOf, smallTalk } from './scope.ts';

/** Each in the midst of several hundred turns that are much like one another. */
const rare: Said[] = [
  { role: 'Ann', text: 'Our new neighbour is called Wojciech Szczepański, he repairs clocks.' },
  { role: 'Bob', text: 'The locker at the station has the number 48213, do not forget it.' },
  { role: 'Ann', text: 'Gestern habe ich im Keller eine alte Nähmaschine gefunden.' },
  { role: 'Bob', text: '昨日、図書館で宮沢賢治の本を借りました。' },
  { role: 'Ann', text: 'Я купила самовар на рынке.' },
  { role: 'Bob', text: 'Did you know that a quokka is related to the kangaroo?' },
  { role: 'Ann', text: 'The invoice INV-2093 was paid in full.' },
  {
    role: 'Bob',
    text: 'I left the umbrella with the bassoonist after the concert, since it had stopped raining by then and we were late.',
  },
];
const template = (id: string): Said => ({ role: 'Ann', text: `I put the ${id} under the old bridge` });
const bridge = Array.from({ length: 400 }, (_, i) => template(`zq${Math.floor(i / 20)}x${i % 20}`));
const scope = scopeOf([
  bridge,
  ...rare.map(one => [...smallTalk(15), one, { role: 'Ann', text: 'Wow!' }, ...smallTalk(15)]),
  ...rare.map((_, i) => Array.from({ length: 10 }, (_, k) => template(`crate ${i * 10 + k}`))),
]);
const MODES = { active: rank, deep: rankDeep };
const texts = [...bridge, ...rare].map(one => one.text);

const first = (q: string, mode: keyof typeof MODES) => {
  const { query, statistics } = scope.ask(q);
  return MODES[mode](prepare(query, statistics, scope.candidates), scope.candidates)[0]!.candidate.id;
};
/** Ids of the turns by their place: sessions one after the other. */
const idOf = (index: number) => scope.candidates[index]!.id;
const rareAt = (r: number) => bridge.length + r * 32 + 15;

describe.each(['active', 'deep'] as const)('an exact word, %s', mode => {
  it.each([0, 1, 7, 20, 133, 399])('finds its turn among others made the same way: %i', i => {
    const word = /zq\w+/.exec(bridge[i]!.text)![0];
    expect(first(word, mode)).toBe(idOf(i));
    expect(first(`${word} bridge`, mode)).toBe(idOf(i));
    expect(first(`Where did I put the ${word}?`, mode)).toBe(idOf(i));
  });

  it.each([
    ['Wojciech', 0],
    ['Szczepański', 0],
    ['szczepanski clocks', 0],
    ['Wojciech Szczepański', 0],
    ['48213', 1],
    ['locker 48213', 1],
    ['Nähmaschine', 2],
    ['alte Nähmaschine', 2],
    ['宮沢賢治', 3],
    ['самовар', 4],
    ['купила самовар', 4],
    ['quokka', 5],
    ['kangaroo', 5],
    ['2093', 6],
    ['invoice INV-2093', 6],
    ['bassoonist', 7],
    ['umbrella', 7],
    ['umbrella weather', 7],
  ])('finds the one turn that holds it: %s', (q, r) => {
    expect(first(q, mode)).toBe(idOf(rareAt(r)));
  });

  it('finds the turn whose text is the query', () => {
    for (const i of [0, 55, 399]) expect(first(texts[i]!, mode)).toBe(idOf(i));
    rare.forEach((one, r) => {
      expect(first(one.text, mode)).toBe(idOf(rareAt(r)));
      expect(first(one.text.toUpperCase(), mode)).toBe(idOf(rareAt(r)));
    });
  });
});
