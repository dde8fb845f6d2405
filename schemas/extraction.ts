/** What a language model must extract from one turn: facts and entities. */
import { Ajv, type ValidateFunction } from 'ajv';

/** `date` is of earlier events: extractors make none since `rules-3` and `llm-2`, but stored ones can be listed. */
export const ENTITY_KINDS = ['person', 'place', 'organization', 'product', 'date', 'other'] as const;
export type EntityKind = (typeof ENTITY_KINDS)[number];

export interface FoundByModel {
  observations: { text: string }[];
  entities: { label: string; kind: EntityKind }[];
}

const list = (properties: Record<string, object>) => ({
  type: 'array',
  items: { type: 'object', properties, required: Object.keys(properties), additionalProperties: false },
});

/**
 * Within the JSON Schema subset of strict structured outputs: all members are required, no others are allowed, and there
 * are no length limits. Sent with each request. Answers are validated against it too, since not every server enforces it.
 */
export const foundByModelSchema = {
  type: 'object',
  properties: {
    observations: list({ text: { type: 'string' } }),
    entities: list({ label: { type: 'string' }, kind: { type: 'string', enum: [...ENTITY_KINDS] } }),
  },
  required: ['observations', 'entities'],
  additionalProperties: false,
};

/** Compiled on the first answer: most services never receive one. */
let validate: ValidateFunction<FoundByModel> | undefined;

export const isFoundByModel = (value: unknown): value is FoundByModel => {
  validate ??= new Ajv({ strict: true, validateSchema: false }).compile<FoundByModel>(foundByModelSchema);
  return validate(value);
};
