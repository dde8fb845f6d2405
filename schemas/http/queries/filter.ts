/** Filters on the metadata of writes. They nest, so they are checked here and not by a schema. */
import type { Fault } from '../parts/faults.ts';
import { component, reference, text } from '../parts/parts.ts';

export type FilterValue = string | number | boolean;

export type FilterLeaf = { key: string } & (
  | { eq: FilterValue }
  | { in: FilterValue[] }
  | { gt: string | number }
  | { gte: string | number }
  | { lt: string | number }
  | { lte: string | number }
  | { exists: boolean }
);

export type Filter = FilterLeaf | { all: Filter[] } | { any: Filter[] } | { not: Filter };

const LIMITS = { leaves: 32, levels: 8, values: 64, characters: 256 } as const;

/**
 * A filter with more parts than any valid one is not looked at further, so that a body of 4 MiB costs little.
 */
const MOST_LOOKED_AT = 1_000;

const value = { type: ['string', 'number', 'boolean'] } as const;
const compared = { type: ['string', 'number'] } as const;
const OPERATORS = {
  eq: { ...value, description: 'Equal, and of the same type.' },
  in: {
    type: 'array',
    minItems: 1,
    maxItems: LIMITS.values,
    items: value,
    description: 'Equal to one of these.',
  },
  gt: compared,
  gte: compared,
  lt: compared,
  lte: compared,
  exists: { type: 'boolean', description: 'Whether the key is there, whatever its value.' },
} as const;

const key = {
  ...text(1, LIMITS.characters),
  description: 'A key of the metadata; dots lead into nested objects.',
} as const;

const several = { type: 'array', minItems: 1, items: { $ref: '#/components/schemas/Filter' } } as const;

const filter = component('Filter', {
  examples: [
    { key: 'channel', eq: 'support' },
    { all: [{ key: 'agent_id', in: ['planner', 'critic'] }, { not: { key: 'run.step', lt: 3 } }] },
  ],
  description: `What the metadata of a write has to say. A leaf names a key and one operator; all, any and not combine. gt, gte, lt and lte compare numbers with numbers, RFC 3339 timestamps as instants, and other strings by their code points, up to ${LIMITS.characters} characters. Of an array, any element may match. A turn without the key matches no leaf but exists: false. A value of another type can't be compared, and of metadata only the first 4 KiB are kept: what is unknown doesn't pass, with not before it either. At most ${LIMITS.leaves} leaves and ${LIMITS.levels} levels.`,
  oneOf: [
    ...Object.entries(OPERATORS).map(([name, schema]) => ({
      type: 'object',
      required: ['key', name],
      properties: { key, [name]: schema },
      additionalProperties: false,
    })),
    ...(['all', 'any'] as const).map(name => ({
      type: 'object',
      required: [name],
      properties: { [name]: several },
      additionalProperties: false,
    })),
    {
      type: 'object',
      required: ['not'],
      properties: { not: { $ref: '#/components/schemas/Filter' } },
      additionalProperties: false,
    },
  ],
});

/** The member of a body: what the OpenAPI document says of it. */
export const filterReference = {
  ...reference(filter),
  description: 'Only turns whose metadata passes, and what was found in them.',
};

/** The parameter of a query. */
export const filterQuery = {
  type: 'string',
  description:
    'Only turns whose metadata passes, and what was found in them: a Filter as JSON, URL-encoded, such as {"key":"channel","eq":"support"}.',
} as const;

type Loc = readonly (string | number)[];

const fault = (form: boolean, loc: Loc, type: string, message: string): Fault => ({
  form,
  loc: [...loc],
  type,
  message,
});
const wrongType = (loc: Loc, what: string): Fault => fault(true, loc, 'wrong_type', `must be ${what}`);
const ofValue = (loc: Loc, type: string, message: string): Fault => fault(false, loc, type, message);

const MEMBERS = `must be all, any or not alone, or key and one of ${Object.keys(OPERATORS).join(', ')}`;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Counts over the part of a filter that was read so far. */
interface Seen {
  parts: number;
  leaves: number;
  isDeep: boolean;
}

/** Faults of a filter of any type; none where there is no filter. */
export const filterFaults = (loc: Loc, value: unknown): Fault[] => {
  if (value === undefined) return [];
  const seen: Seen = { parts: 0, leaves: 0, isDeep: false };
  const faults = [...partFaults(loc, value, seen)];
  if (seen.leaves > LIMITS.leaves)
    faults.push(ofValue(loc, 'too_many', `must have at most ${LIMITS.leaves} leaves`));
  if (seen.isDeep) faults.push(ofValue(loc, 'too_deep', `must not nest deeper than ${LIMITS.levels} levels`));
  return faults;
};

function* partFaults(loc: Loc, value: unknown, seen: Seen, level = 1): Generator<Fault> {
  seen.parts++;
  if (level > LIMITS.levels) {
    seen.isDeep = true;
    return;
  }
  if (!isObject(value)) {
    yield wrongType(loc, 'an object');
    return;
  }
  const names = Object.keys(value);
  const name = names.length === 1 ? names[0] : undefined;
  if (name === 'not') yield* partFaults([...loc, name], value.not, seen, level + 1);
  else if (name === 'all' || name === 'any') {
    const parts = value[name];
    if (!Array.isArray(parts)) {
      yield wrongType([...loc, name], 'an array');
      return;
    }
    if (parts.length === 0) yield ofValue([...loc, name], 'too_few', 'must have at least 1 element');
    for (const [i, one] of parts.entries()) {
      if (seen.parts >= MOST_LOOKED_AT) break;
      yield* partFaults([...loc, name, i], one, seen, level + 1);
    }
  } else {
    seen.leaves++;
    yield* leafFaults(loc, value);
  }
}

type Operator = keyof typeof OPERATORS;
const isOperator = (name: string | undefined): name is Operator =>
  name !== undefined && Object.hasOwn(OPERATORS, name);

function* leafFaults(loc: Loc, { key, ...others }: Record<string, unknown>): Generator<Fault> {
  const [operator, more] = Object.keys(others);
  if (more === undefined && isOperator(operator))
    yield* operandFaults([...loc, operator], operator, others[operator]);
  else yield fault(true, loc, 'unknown', MEMBERS);
  const at = [...loc, 'key'];
  if (key === undefined) yield fault(true, at, 'missing', 'is required');
  else if (typeof key !== 'string') yield wrongType(at, 'a string');
  else {
    if (key === '') yield ofValue(at, 'too_short', 'must have at least 1 character');
    if (key.includes('\0')) yield ofValue(at, 'pattern', 'must not have the character U+0000');
    yield* textFaults(at, key);
  }
}

function* operandFaults(loc: Loc, operator: Operator, value: unknown): Generator<Fault> {
  if (operator === 'exists') {
    if (typeof value !== 'boolean') yield wrongType(loc, 'a boolean');
  } else if (operator === 'eq') yield* valueFaults(loc, value);
  else if (operator === 'in') {
    if (!Array.isArray(value)) {
      yield wrongType(loc, 'an array');
      return;
    }
    if (value.length === 0) yield ofValue(loc, 'too_few', 'must have at least 1 element');
    if (value.length > LIMITS.values)
      yield ofValue(loc, 'too_many', `must have at most ${LIMITS.values} elements`);
    for (const [i, one] of value.slice(0, LIMITS.values + 1).entries()) yield* valueFaults([...loc, i], one);
  } else if (typeof value === 'string') yield* textFaults(loc, value);
  else if (typeof value === 'number') yield* numberFaults(loc, value);
  else yield wrongType(loc, 'a string or a number');
}

function* valueFaults(loc: Loc, value: unknown): Generator<Fault> {
  if (typeof value === 'number') yield* numberFaults(loc, value);
  else if (typeof value === 'string') yield* unicodeFaults(loc, value);
  else if (typeof value !== 'boolean') yield wrongType(loc, 'a string, a number or a boolean');
}

/** 1e400 is valid JSON, but parses to Infinity. */
function* numberFaults(loc: Loc, value: number): Generator<Fault> {
  if (!Number.isFinite(value)) yield ofValue(loc, 'out_of_range', 'must not be out of range');
}

function* unicodeFaults(loc: Loc, value: string): Generator<Fault> {
  if (!value.isWellFormed())
    yield ofValue(loc, 'not_unicode', 'must be Unicode text without lone surrogates');
}

/** A key, or a text that is compared. */
function* textFaults(loc: Loc, value: string): Generator<Fault> {
  yield* unicodeFaults(loc, value);
  const { characters } = LIMITS;
  if (value.length > characters && Array.from(value.slice(0, 2 * characters + 2)).length > characters)
    yield ofValue(loc, 'too_long', `must have at most ${characters} characters`);
}

/** Faults of a body's `filter`. The body must be an object, since an array has a method of that name. */
export const filterBodyFaults = (body: unknown): Fault[] =>
  isObject(body) ? filterFaults(['body', 'filter'], body.filter) : [];

/** Faults of a query's `filter`, which may have any type: the schema reports a wrong one. */
export const filterQueryFaults = (query: unknown): Fault[] => {
  const { filter } = query as { filter?: unknown };
  if (typeof filter !== 'string') return [];
  const loc = ['query', 'filter'];
  try {
    return filterFaults(loc, JSON.parse(filter));
  } catch {
    return [{ form: true, loc, type: 'json', message: 'must be JSON' }];
  }
};
