import { describe, expect, test } from 'vitest';
import type { EntityItem, FactItem } from '../../../console/src/api/types.ts';
import { around, placesAround, startOf } from '../../../console/src/pages/users/people/relations.ts';

const fact = (subject: string, attribute: string, value: string, more: Partial<FactItem> = {}): FactItem =>
  ({
    id: `${subject} ${attribute} ${value}`,
    user_id: 'ada',
    subject: { id: `ent ${subject}`, label: subject },
    attribute,
    about: null,
    value,
    value_id: `ent ${value}`,
    valid_until: null,
    stance: 'holds',
    ...more,
  }) as FactItem;
const entity = (label: string, more: Partial<EntityItem> = {}): EntityItem => ({
  id: `ent ${label}`,
  user_id: 'ada',
  label,
  kind: 'person',
  turns: 1,
  aliases: [],
  ...more,
});

const MEL = { id: 'ent Mel', label: 'Mel', turns: 1, rule: 'short_form', matched: 'Melanie' } as const;
const FACTS = [
  fact('Ada', 'sibling', 'Grace'),
  fact('Ada', 'colleague', 'Grace'),
  fact('Ada', 'home', 'Porto'),
  fact('Ada', 'favourite_colour', 'green'),
  fact('Grace', 'partner', 'Mel'),
  fact('Ben', 'employer', 'Ada', { valid_until: '2026-01-01T00:00:00Z' }),
];
const ENTITIES = [entity('Grace'), entity('Porto', { kind: 'place' }), entity('Melanie', { aliases: [MEL] })];

describe('the people around somebody', () => {
  test('are those whom their facts name, and those whose facts name them', () => {
    const { kind, neighbours } = around(FACTS, ENTITIES, 'grace');
    expect(kind).toBe('person');
    expect(neighbours).toEqual([
      { label: 'Ada', as: [], of: ['sibling', 'colleague'] },
      { label: 'Melanie', as: ['partner'], of: [] },
    ]);
  });

  test('are no values that name nobody, and none of what has ended', () => {
    const { neighbours } = around(FACTS, ENTITIES, 'Ada');
    expect(neighbours.map(({ label }) => label)).toEqual(['Grace', 'Porto']);
  });

  test('can be walked back by another name', () => {
    expect(around(FACTS, ENTITIES, 'Mel')).toMatchObject({
      label: 'Melanie',
      neighbours: [{ label: 'Grace', of: ['partner'] }],
    });
  });

  test('begin with the one of whom most is known', () => {
    expect(startOf(FACTS, ENTITIES)).toBe('Ada');
    expect(startOf([], [entity('Ben', { turns: 2 }), entity('Ida', { turns: 9 })])).toBe('Ida');
    expect(startOf([], [])).toBeUndefined();
  });
});

test('places lie within their box, and apart from each other', () => {
  for (let count = 1; count <= 12; count++) {
    const places = placesAround(count);
    expect(places).toHaveLength(count);
    for (const { x, y } of places) {
      expect(Math.min(x, y)).toBeGreaterThan(5);
      expect(Math.max(x, y)).toBeLessThan(95);
    }
    const keys = new Set(places.map(({ x, y }) => `${Math.round(x / 4)} ${Math.round(y / 4)}`));
    expect(keys.size).toBe(count);
  }
});
