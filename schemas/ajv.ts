import { Ajv, type ValidateFunction } from 'ajv';
import { type Fault, type FieldError, faultOf, type Root } from './http/faults.ts';
import { parseInstant } from './http/instant.ts';
import { metadataFault } from './http/metadata.ts';

/** Faults that an answer lists: as many as a request of 1,000 turns with some in every member has. */
const MOST_LISTED = 10_000;

export type Checked<T> =
  | { ok: true; value: T }
  | { ok: false; status: 400 | 422; errors: FieldError[]; omitted: number };

export type Check<T> = (value: unknown) => Checked<T>;

const makeAjv = (allErrors: boolean): Ajv => {
  // The schemas are constants: holding them against the metaschema is a third of the work of a start.
  const ajv = new Ajv({
    strict: true,
    allErrors,
    validateSchema: false,
    verbose: allErrors,
    allowUnionTypes: true,
  });
  ajv.addFormat('date-time', { type: 'string', validate: text => parseInstant(text) !== undefined });
  // A string that UTF-8 can't write: it could not be stored as it was sent.
  ajv.addKeyword({
    keyword: 'x-unicode',
    type: 'string',
    schemaType: 'boolean',
    validate: (_: boolean, text: string) => text.isWellFormed(),
  });
  const validateMetadata = (_: boolean, metadata: object): boolean => {
    const fault = metadataFault(metadata);
    validateMetadata.errors = fault ? [{ keyword: 'x-metadata', params: { fault } }] : [];
    return fault === undefined;
  };
  validateMetadata.errors = [] as object[];
  ajv.addKeyword({
    keyword: 'x-metadata',
    type: 'object',
    schemaType: 'boolean',
    validate: validateMetadata,
  });
  // For people: what `pattern` and `not` ask, in words.
  ajv.addKeyword({ keyword: 'x-rule', schemaType: 'string' });
  return ajv;
};

/** Stops at the first fault: nearly every request has none, and a bad one must not cost more than a good one. */
const quick = makeAjv(false);
const thorough = makeAjv(true);

/** Of a value of the wrong type that is all there is to say. */
const withoutEchoes = (faults: readonly Fault[]): Fault[] => {
  const places = new Set(
    faults.filter(fault => fault.type === 'wrong_type').map(fault => fault.loc.join('/')),
  );
  return faults.filter(fault => fault.type === 'wrong_type' || !places.has(fault.loc.join('/')));
};

interface Options {
  /** What the schema describes; default: the body. */
  root?: Root;
  /** Rules between members, for a value of any shape. */
  between?: (value: unknown) => Fault[];
  /** Cuts arrays that are too long to one element too many, so that a million faulty ones aren't looked at. */
  shorten?: (value: unknown) => unknown;
}

/**
 * Compiles a schema to a check by the one rule for 400 and 422: a fault of form is a 400, one of value a 422,
 * all are listed, and 400 wins.
 */
export const makeCheck = <T>(schema: object, { root = 'body', between, shorten }: Options = {}): Check<T> => {
  // Compiled when the first value, and when the first fault comes up: a start compiles nothing.
  let isValid: ValidateFunction | undefined;
  let listing: ValidateFunction | undefined;
  return value => {
    isValid ??= quick.compile(schema);
    if (isValid(value)) {
      const faults = between?.(value) ?? [];
      if (faults.length === 0) return { ok: true, value: value as T };
    }
    listing ??= thorough.compile(schema);
    const short = shorten ? shorten(value) : value;
    listing(short);
    const told = (listing.errors ?? []).map(error => faultOf(error, root));
    const faults = withoutEchoes(told).concat(between?.(short) ?? []);
    listing.errors = null;
    return {
      ok: false,
      status: faults.some(fault => fault.form) ? 400 : 422,
      errors: faults.slice(0, MOST_LISTED).map(({ loc, type, message }) => ({ loc, type, message })),
      omitted: Math.max(0, faults.length - MOST_LISTED),
    };
  };
};
