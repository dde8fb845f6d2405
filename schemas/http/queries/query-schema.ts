import { type Checked, makeCheck } from '../../ajv.ts';
import type { FromQuery } from '../../from-schema.ts';
import type { Fault } from '../parts/faults.ts';

/** The query of an operation. */
export interface Query<Asked> {
  /** Schemas by name. */
  properties: Record<string, object>;
  /** Names that must be given. */
  required: readonly string[];
  /** Checks each member by its schema. A member may occur at most once. */
  check: (query: URLSearchParams) => Checked<Asked>;
}

interface Options {
  /** Rejects names that the schema doesn't know. */
  strict?: boolean;
  required?: readonly string[];
  /** Cross-member rules. */
  between?: (value: unknown) => Fault[];
}

/** Parses an integer member from its digits; any other text stays text, so that the schema rejects it. */
const memberOf = (text: string, schema: { type?: string } | undefined): unknown =>
  schema?.type === 'integer' && /^-?\d{1,300}$/.test(text) ? Number(text) : text;

/** A query with these members. Members without a schema are ignored, unless `strict`. */
export const query = <const Properties extends Record<string, object>>(
  properties: Properties,
  { strict = false, required = [], between }: Options = {},
): Query<FromQuery<Properties>> => {
  const schema = { type: 'object', properties, required, ...(strict && { additionalProperties: false }) };
  const check = makeCheck<FromQuery<Properties>>(schema, { root: 'query', ...(between && { between }) });
  return {
    properties,
    required,
    check: sent => {
      const known = [...sent].filter(([name]) => strict || Object.hasOwn(properties, name));
      const result = check(
        Object.fromEntries(known.map(([name, text]) => [name, memberOf(text, properties[name])])),
      );
      const repeated = Object.keys(properties)
        .filter(name => sent.getAll(name).length > 1)
        .map(name => ({ loc: ['query', name], type: 'repeated', message: 'must be given only once' }));
      if (repeated.length === 0) return result;
      if (result.ok) return { ok: false, status: 422, errors: repeated, omitted: 0 };
      return { ...result, errors: [...repeated, ...result.errors] };
    },
  };
};
