/** What the contract's schemas are built of. Literal types are kept: `FromSchema` infers the bodies' types from them. */
import type { Reference } from '../from-schema.ts';

export const string = { type: 'string' } as const;
export const count = { type: 'integer', minimum: 0 } as const;
/** RFC 3339; `parseInstant` reads it. */
export const instant = { type: 'string', format: 'date-time' } as const;
export const nullableString = { type: ['string', 'null'] } as const;

/** A string of valid Unicode; lengths are in code points. */
export const text = (minLength: number, maxLength: number) =>
  ({ type: 'string', minLength, maxLength, 'x-unicode': true }) as const;

/** The name of an organization, a user or a session. */
export const id = text(1, 256);

interface ObjectSchema<Required, Optional> {
  type: 'object';
  required: (keyof Required)[];
  properties: Required & Optional;
}

/** All of `properties` are required; those of `optional` are not. */
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

/** A schema that the OpenAPI document names, so that others can refer to it. */
export interface Component<S extends object = object> {
  name: string;
  schema: S;
}

export const component = <const S extends object>(name: string, schema: S): Component<S> => ({
  name,
  schema,
});

export const reference = <S extends object>({ name }: Component<S>): Reference<S> => ({
  $ref: `#/components/schemas/${name}`,
});

/** What a call is billed. */
export const usage = component('Usage', object({ tokens_in: count, tokens_out: count }));
