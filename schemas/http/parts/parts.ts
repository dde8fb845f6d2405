/**
 * The components of the contract's schemas. Literal types are preserved: `FromSchema` infers the bodies'
 * types from them.
 */
import { type FromSchema, type Reference, target } from '../../from-schema.ts';

export const string = { type: 'string' } as const;
export const count = { type: 'integer', minimum: 0 } as const;
/** RFC 3339, parsed by `parseInstant`. */
export const instant = { type: 'string', format: 'date-time' } as const;
export const nullableString = { type: ['string', 'null'] } as const;

/** A string of valid Unicode; lengths are in code points. */
export const text = (minLength: number, maxLength: number) =>
  ({ type: 'string', minLength, maxLength, 'x-unicode': true }) as const;

/**
 * Control characters, line ends, and direction overrides and isolates, by their code points: validators in
 * other languages don't know \p{Cc}.
 */
const REWRITING = '\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029\\u202a-\\u202e\\u2066-\\u2069';

/** A text that is shown beside others, and can't rewrite or reorder them: a role, a label, a title. */
export const shown = (minLength: number, maxLength: number) =>
  ({
    ...text(minLength, maxLength),
    pattern: `^[^${REWRITING}]*$`,
    'x-rule': 'must not have control characters or characters that reorder a text',
  }) as const;

/** A speaker. Square brackets are around it in a recall. */
export const speaker = {
  ...text(1, 64),
  pattern: `^[^${REWRITING}\\[\\]]*$`,
  'x-rule': 'must not have control characters, characters that reorder a text, or square brackets',
} as const;

/** The name of an organization, a user or a session. */
export const id = text(1, 256);

interface ObjectSchema<Required, Optional> {
  type: 'object';
  required: (keyof Required)[];
  properties: Required & Optional;
}

/** A schema that requires all of `properties` and none of `optional`. */
export const object = <
  const Required extends Record<string, object>,
  const Optional extends Record<string, object> = Record<never, never>,
>(
  properties: Required,
  optional?: Optional,
): ObjectSchema<Required, Optional> => ({
  type: 'object',
  required: Object.keys(properties),
  properties: { ...properties, ...optional } as Required & Optional,
});

export const list = <const Item extends object>(items: Item) => ({ type: 'array', items }) as const;

/** A schema with a name in the OpenAPI document, so that others can refer to it. */
export interface Component<S extends object = object> {
  name: string;
  schema: S;
}

export const component = <const S extends object>(name: string, schema: S): Component<S> => ({
  name,
  schema,
});

const NAMED = '#/components/schemas/';

export const reference = <S extends object>({ name, schema }: Component<S>): Reference<S> => ({
  $ref: `${NAMED}${name}`,
  [target]: schema,
});

/**
 * The components that these schemas refer to, directly or through others, in the order of the first
 * reference.
 */
export const componentsOf = (schemas: readonly unknown[]): Component[] => {
  const found = new Map<string, Component>();
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    if (target in value && '$ref' in value) {
      const name = String(value.$ref).slice(NAMED.length);
      if (found.has(name)) return;
      found.set(name, { name, schema: value[target] as object });
      visit(value[target]);
    }
    Object.values(value).forEach(visit);
  };
  schemas.forEach(visit);
  return [...found.values()];
};

/** How far the index is with what an answer was looked up in. */
export const freshness = component(
  'Freshness',
  object({
    indexed_until: {
      ...instant,
      description:
        'The index shows every write of the searched scope that was acknowledged by the time of this call and recorded before this moment: the oldest recorded_at that waits in the active tail, or the time of the call if none waits; the as_of of a call that has one. Writes since then come from the active tail. What is extracted from a turn follows when its job is done.',
    },
    from_tail: {
      ...count,
      description:
        'How many of the items or hits of this answer were taken from the active tail, as the index did not show them yet; with include_hits false, of the hits that would be in it.',
    },
  }),
);
export type Freshness = FromSchema<typeof freshness.schema>;
export const freshnessExample: Freshness = { indexed_until: '2026-03-08T21:15:00.000Z', from_tail: 0 };

/** Answers a caller without memory:read where the table of rights says `untold`. */
export const onlyId = component(
  'OnlyId',
  object({
    id: {
      ...string,
      description: 'The id that the path names; of a new observation its own.',
    },
  }),
);
export type OnlyId = FromSchema<typeof onlyId.schema>;

/** How many secrets were replaced in what a call sent. */
export const screened = {
  type: 'object',
  additionalProperties: count,
  description:
    'How many secrets of what was sent were replaced, by rule; absent where nothing is screened (GET /me/screening).',
} as const;

/** The tokens that a call is billed. */
export const usage = component('Usage', object({ tokens_in: count, tokens_out: count }));
