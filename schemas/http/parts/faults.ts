import type { ErrorObject } from 'ajv';
import { METADATA_BYTES, METADATA_DEPTH, type MetadataFault } from '../queries/metadata.ts';

/** One fault of a request. `loc` is the path of the member; `message` never echoes its value. */
export interface FieldError {
  /** `["body", "turns", 0, "text"]`, `["query", "month"]`. */
  loc: (string | number)[];
  type: string;
  message: string;
}

export type Root = 'body' | 'query';

/** A fault of form gives a 400, a fault of value a 422. */
export interface Fault extends FieldError {
  form: boolean;
}

interface Rule {
  form: boolean;
  type: string;
  /** Message for the failed keyword; describes a valid value. */
  message: (error: ErrorObject) => string;
}

const plural = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

const article = (type: string): string => (/^[aeio]/.test(type) ? `an ${type}` : `a ${type}`);

/** The schema's own message for a `pattern` or `not`. */
const stated = (error: ErrorObject): string => String(error.parentSchema?.['x-rule']);

const METADATA_MESSAGES: Record<MetadataFault, string> = {
  too_deep: `must not nest deeper than ${METADATA_DEPTH} levels`,
  too_long: `must have at most ${METADATA_BYTES} bytes as JSON`,
  not_unicode: 'must be Unicode text without lone surrogates',
  out_of_range: 'must not hold a number that is out of range',
};

const RULES: Record<string, Rule> = {
  required: { form: true, type: 'missing', message: () => 'is required' },
  type: {
    form: true,
    type: 'wrong_type',
    message: ({ params }) => `must be ${[params.type].flat().map(article).join(' or ')}`,
  },
  enum: {
    form: true,
    type: 'not_allowed',
    message: ({ params }) => `must be one of ${params.allowedValues.join(', ')}`,
  },
  additionalProperties: {
    form: true,
    type: 'unknown',
    message: ({ parentSchema }) =>
      `must have no members but ${Object.keys(parentSchema?.properties).join(', ')}`,
  },
  minLength: {
    form: false,
    type: 'too_short',
    message: ({ params }) => `must have at least ${plural(params.limit, 'character')}`,
  },
  maxLength: {
    form: false,
    type: 'too_long',
    message: ({ params }) => `must have at most ${plural(params.limit, 'character')}`,
  },
  minItems: {
    form: false,
    type: 'too_few',
    message: ({ params }) => `must have at least ${plural(params.limit, 'element')}`,
  },
  maxItems: {
    form: false,
    type: 'too_many',
    message: ({ params }) => `must have at most ${plural(params.limit, 'element')}`,
  },
  minimum: { form: false, type: 'out_of_range', message: ({ params }) => `must be at least ${params.limit}` },
  maximum: { form: false, type: 'out_of_range', message: ({ params }) => `must be at most ${params.limit}` },
  pattern: { form: false, type: 'pattern', message: stated },
  not: { form: false, type: 'contradiction', message: stated },
  format: {
    form: false,
    type: 'timestamp',
    message: () => 'must be an RFC 3339 timestamp, such as 2026-01-31T23:59:58Z',
  },
  'x-range': {
    form: false,
    type: 'not_a_range',
    message: () => 'must be an IP address or a range of them, such as 192.0.2.0/24',
  },
  'x-unicode': {
    form: false,
    type: 'not_unicode',
    message: () => 'must be Unicode text without lone surrogates',
  },
};

/**
 * The steps of a JSON pointer. They need no unescaping: a path contains only names that the contract knows.
 */
const stepsOf = (pointer: string): (string | number)[] =>
  pointer
    .split('/')
    .slice(1)
    .map(step => (/^\d+$/.test(step) ? Number(step) : step));

export const faultOf = (error: ErrorObject, root: Root): Fault => {
  const loc = [root, ...stepsOf(error.instancePath)];
  if (error.keyword === 'required') loc.push(error.params.missingProperty);
  if (error.keyword === 'x-metadata') {
    const type: MetadataFault = error.params.fault;
    return { form: false, loc, type, message: METADATA_MESSAGES[type] };
  }
  const rule = RULES[error.keyword];
  // A keyword missing from RULES is our own bug; the caller still learns where the fault is.
  if (!rule) return { form: false, loc, type: 'invalid', message: 'is not valid' };
  return { form: rule.form, loc, type: rule.type, message: rule.message(error) };
};
