/** What a language model is asked for, and what is taken from it: facts and entities of one turn. */
import { Ajv, type ValidateFunction } from 'ajv';

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
 * JSON Schema in the part of it that strict structured outputs know: every member required, none beside them, no
 * lengths. Sent with each request, and what comes back is held against it, since not every server keeps to it.
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

/** Compiled when the first answer comes: most services never have one. */
let validate: ValidateFunction<FoundByModel> | undefined;

export const isFoundByModel = (value: unknown): value is FoundByModel => {
  validate ??= new Ajv({ strict: true, validateSchema: false }).compile<FoundByModel>(foundByModelSchema);
  return validate(value);
};
