/**
 * TypeScript types from JSON schemas, so that the contract is written only once. Supports the keywords that
 * this project's schemas use; an unsupported schema becomes `never`, which no value satisfies.
 */

/** The member of a reference that holds its schema; JSON leaves it out. */
export const target: unique symbol = Symbol('target');

/** A `$ref` that contains the schema that it refers to. */
export interface Reference<S> {
  readonly $ref: string;
  readonly [target]: S;
}

/** The type of the values that satisfy `S`, a schema declared `as const`. */
export type FromSchema<S> =
  S extends Reference<infer Target>
    ? FromSchema<Target>
    : S extends { enum: readonly (infer Value)[] }
      ? Value
      : S extends { oneOf: readonly (infer Each)[] }
        ? FromSchema<Each>
        : S extends { type: readonly (infer Type)[] }
          ? OfType<Type, S>
          : S extends { type: infer Type }
            ? OfType<Type, S>
            : never;

/** The members of a query, by their schemas: none of them is required. */
export type FromQuery<Properties> = { -readonly [Name in keyof Properties]?: FromSchema<Properties[Name]> };

interface Scalars {
  string: string;
  integer: number;
  number: number;
  boolean: boolean;
  null: null;
}

type OfType<Type, S> = Type extends keyof Scalars
  ? Scalars[Type]
  : Type extends 'array'
    ? S extends { items: infer Item }
      ? FromSchema<Item>[]
      : unknown[]
    : Type extends 'object'
      ? OfObject<S>
      : never;

type OfObject<S> = S extends { properties: infer Properties }
  ? Members<Properties, S extends { required: readonly (infer Name)[] } ? Name : never>
  : S extends { additionalProperties: infer Value extends object }
    ? Record<string, FromSchema<Value>>
    : Record<string, unknown>;

type Members<Properties, Required> = Flat<
  { -readonly [Name in keyof Properties as Extract<Name, Required>]: FromSchema<Properties[Name]> } & {
    -readonly [Name in keyof Properties as Exclude<Name, Required>]?: FromSchema<Properties[Name]>;
  }
>;

/** Flattens an intersection into one object type, which editors and errors show readably. */
type Flat<T> = T extends infer Each ? { [Name in keyof Each]: Each[Name] } : never;
