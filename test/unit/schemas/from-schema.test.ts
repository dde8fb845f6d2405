import { expectTypeOf, test } from 'vitest';
import type { FromQuery, FromSchema } from '../../../schemas/from-schema.ts';
import {
  component,
  count,
  list,
  nullableString,
  object,
  reference,
  string,
} from '../../../schemas/http/parts/parts.ts';

// The assertions are tsc's; at run time they do nothing.
test('a schema gives the type of its values', () => {
  const named = component('Named', object({ name: string }, { age: count }));
  type Named = { name: string; age?: number };
  expectTypeOf<FromSchema<typeof named.schema>>().toEqualTypeOf<Named>();

  const body = object({
    people: list(reference(named)),
    order: { type: 'string', enum: ['asc', 'desc'] },
    comment: nullableString,
    origin: { oneOf: [object({ offset: count }), { type: 'null' }] },
    engines: { type: 'object', additionalProperties: object({ ok: { type: 'boolean' } }) },
    metadata: { type: 'object' },
  });
  expectTypeOf<FromSchema<typeof body>>().toEqualTypeOf<{
    people: Named[];
    order: 'asc' | 'desc';
    comment: string | null;
    origin: { offset: number } | null;
    engines: Record<string, { ok: boolean }>;
    metadata: Record<string, unknown>;
  }>();
});

test('a type that may be a string or an object is either', () => {
  const either = { type: ['string', 'object'], required: ['text'], properties: { text: string } } as const;
  expectTypeOf<FromSchema<typeof either>>().toEqualTypeOf<string | { text: string }>();
});

test('no member of a query is required', () => {
  const query = { limit: count, order: { type: 'string', enum: ['asc', 'desc'] } } as const;
  expectTypeOf<FromQuery<typeof query>>().toEqualTypeOf<{ limit?: number; order?: 'asc' | 'desc' }>();
});

test('a schema that is not understood has no values', () => {
  const schema = { allOf: [string] } as const;
  expectTypeOf<FromSchema<typeof schema>>().toEqualTypeOf<never>();
});
