/** The facts and entities that a language model must extract from one turn. */
import { Ajv, type ValidateFunction } from 'ajv';

/** A model may name a `date`; none becomes an entity. */
export const ENTITY_KINDS = ['person', 'place', 'organization', 'product', 'date', 'other'] as const;
export type EntityKind = (typeof ENTITY_KINDS)[number];

/**
 * A sentence's statement about one attribute of one subject; members are null or missing where it has none.
 */
export interface FactByModel {
  subject?: string | null;
  attribute?: string | null;
  /** The object that the attribute is of, where it has one. */
  about?: string | null;
  value?: string | null;
  /** ISO 8601: a day, a month, a year or an instant. */
  valid_from?: string | null;
  ended?: boolean | null;
  /** One of `STANCES`; anything else says nothing. */
  stance?: string | null;
}

export interface FoundByModel {
  observations: ({ text: string } & FactByModel)[];
  entities: { label: string; kind: EntityKind }[];
}

const list = (properties: Record<string, object>, required = Object.keys(properties)) => ({
  type: 'array',
  items: { type: 'object', properties, required, additionalProperties: false },
});

const nullableString = { type: ['string', 'null'] } as const;
const observation = {
  text: { type: 'string' },
  subject: nullableString,
  attribute: nullableString,
  about: nullableString,
  value: nullableString,
  valid_from: nullableString,
  ended: { type: ['boolean', 'null'] },
  stance: nullableString,
};
const entity = { label: { type: 'string' }, kind: { type: 'string', enum: [...ENTITY_KINDS] } };

const found = (observations: object) => ({
  type: 'object',
  properties: { observations, entities: list(entity) },
  required: ['observations', 'entities'],
  additionalProperties: false,
});

/**
 * Within the JSON Schema subset of strict structured outputs: all members are required, no others are
 * allowed, and there are no length limits. Sent with each request.
 */
export const foundByModelSchema = found(list(observation));

/**
 * Answers are validated too, since not every server enforces the schema: one that leaves out what is null has
 * said as much.
 */
const answerSchema = found(list(observation, ['text']));

/** Compiled on the first answer: most services never receive one. */
let validate: ValidateFunction<FoundByModel> | undefined;

export const isFoundByModel = (value: unknown): value is FoundByModel => {
  validate ??= new Ajv({
    strict: true,
    allowUnionTypes: true,
    validateSchema: false,
  }).compile<FoundByModel>(answerSchema);
  return validate(value);
};
