import { Ajv, type ValidateFunction } from 'ajv';
import { isRange } from './address-range.ts';
import { codePoints } from './code-points.ts';
import { type Fault, type FieldError, faultOf, type Root } from './http/parts/faults.ts';
import { parseInstant } from './http/queries/instant.ts';
import { metadataFault } from './http/queries/metadata.ts';

/** The most faults in one answer; covers a request of 1,000 turns with several faults each. */
const MOST_LISTED = 10_000;

export type Checked<T> =
  | { ok: true; value: T }
  | { ok: false; status: 400 | 422; errors: FieldError[]; omitted: number };

export type Check<T> = (value: unknown) => Checked<T>;

const makeAjv = (allErrors: boolean): Ajv => {
  // The schemas are constants; validating them against the metaschema would take a third of the start-up
  // time.
  const ajv = new Ajv({
    strict: true,
    allErrors,
    validateSchema: false,
    verbose: allErrors,
    allowUnionTypes: true,
  });
  ajv.addFormat('date-time', { type: 'string', validate: text => parseInstant(text) !== undefined });
  // UTF-8 can't encode a lone surrogate, so such a string could not be stored as sent.
  ajv.addKeyword({
    keyword: 'x-unicode',
    type: 'string',
    schemaType: 'boolean',
    validate: (_: boolean, text: string) => text.isWellFormed(),
  });
  ajv.addKeyword({
    keyword: 'x-range',
    type: 'string',
    schemaType: 'boolean',
    validate: (_: boolean, text: string) => isRange(text),
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
  // The message for a failed `pattern` or `not`.
  ajv.addKeyword({ keyword: 'x-rule', schemaType: 'string' });
  return ajv;
};

/** Characters are code points, which are counted only where the number of UTF-16 units leaves it open. */
const hasAtLeast = (least: number, text: string): boolean =>
  text.length >= least && (text.length >= 2 * least || codePoints(text) >= least);
const hasAtMost = (most: number, text: string): boolean =>
  text.length <= most || (text.length <= 2 * most && codePoints(text) <= most);

/**
 * Reads a long text at most once, where ajv counts the characters of each for `minLength` and again for
 * `maxLength`.
 */
const withQuickLengths = (ajv: Ajv): Ajv => {
  for (const [keyword, isFit] of [
    ['minLength', hasAtLeast],
    ['maxLength', hasAtMost],
  ] as const) {
    ajv.removeKeyword(keyword);
    ajv.addKeyword({ keyword, type: 'string', schemaType: 'number', validate: isFit, errors: false });
  }
  return ajv;
};

/** Stops at the first fault. `thorough` runs only when there is one, which is rare. */
const quick = withQuickLengths(makeAjv(false));
const thorough = makeAjv(true);

/** For a value of the wrong type, only that fault is reported: its other faults follow from it. */
const withoutEchoes = (faults: readonly Fault[]): Fault[] => {
  const paths = new Set(
    faults.filter(fault => fault.type === 'wrong_type').map(fault => fault.loc.join('/')),
  );
  return faults.filter(fault => fault.type === 'wrong_type' || !paths.has(fault.loc.join('/')));
};

interface Options {
  /** The part of the request that the schema describes; default: the body. */
  root?: Root;
  /** Cross-member rules; called with a value of any type. */
  between?: (value: unknown) => Fault[];
  /**
   * Cuts oversized arrays to one element above the limit, so that a million faulty elements aren't validated.
   */
  shorten?: (value: unknown) => unknown;
}

/**
 * Compiles a schema to a check. A fault of form gives 400, a fault of value 422; all are listed, and 400
 * takes precedence when there are both.
 */
export const makeCheck = <T>(schema: object, { root = 'body', between, shorten }: Options = {}): Check<T> => {
  // Both checks are compiled lazily, on the first value and on the first fault, so that start-up compiles
  // nothing.
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
    const found = (listing.errors ?? []).map(error => faultOf(error, root));
    const faults = withoutEchoes(found).concat(between?.(short) ?? []);
    listing.errors = null;
    return {
      ok: false,
      status: faults.some(fault => fault.form) ? 400 : 422,
      errors: faults.slice(0, MOST_LISTED).map(({ loc, type, message }) => ({ loc, type, message })),
      omitted: Math.max(0, faults.length - MOST_LISTED),
    };
  };
};
