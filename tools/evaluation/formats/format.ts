import type { Check } from '../../../schemas/ajv.ts';
import { recallSchema } from '../../../schemas/http/recall.ts';
import { fittedRole } from '../../../services/surfaces/importers/turns/fit.ts';
import type { Conversation, Question, Turn, Unit } from '../datasets/dataset.ts';

/** A published data set's own format: one JSON value per file. */
export interface Format<T> {
  name: string;
  unit?: Unit;
  /** Whether a value is meant to be of this format, by members that no other has. */
  is(value: object): boolean;
  /** Checks the part of the format that is read. */
  check: Check<T>;
  /**
   * @param value checked
   * @param name of the file, for sets whose conversations have no names: unique among the files that are read
   * together
   */
  conversationsOf(value: T, name: string): Conversation[];
}

export const has = (value: object, ...members: string[]): boolean =>
  members.every(member => Object.hasOwn(value, member));

/** Returns the schema of an object with these members, and any others. */
export const record = (required: Record<string, object>, optional: Record<string, object> = {}) => ({
  type: 'object',
  required: Object.keys(required),
  properties: { ...required, ...optional },
});
export const listOf = (items: object) => ({ type: 'array', items });
/** Allows null too, for published data that marks absence in two ways. */
export const orNull = (schema: { type: string }) => ({ ...schema, type: [schema.type, 'null'] });
export const STRING = { type: 'string' } as const;
export const INTEGER = { type: 'integer' } as const;

export const SECOND = 1_000;
export const DAY = 86_400_000;
/** Times for sets without any: the first day of 2024, ten in the morning, and ten seconds a turn. */
export const FIRST_MORNING = Date.UTC(2024, 0, 1, 10);
export const TURN_TAKES = 10 * SECOND;

const LONGEST_TEXT = 65_536;

const cut = (text: string, longest: number): string =>
  text.length <= longest ? text : [...text].slice(0, longest).join('');

/** Returns a turn as the service takes it: role and text are cut to its limits. Empty without text. */
export const turnOf = (id: string, role: string, text: string, time: number): Turn[] => {
  const fitted = cut(text.toWellFormed().trim(), LONGEST_TEXT);
  return fitted === ''
    ? []
    : [{ id, role: fittedRole(role), text: fitted, timestamp: new Date(time).toISOString() }];
};

/** A question before the turns are known; its ids may repeat and its evidence name anything. */
export interface Asked extends Omit<Question, 'answerable'> {
  answerable?: boolean;
}

/**
 * Drops evidence that names no turn, and then answerable questions without evidence, which can't be measured.
 * Repeated ids get a number to be unique.
 */
export const questionsOf = (asked: readonly Asked[], known: ReadonlySet<string>): Question[] => {
  const times = new Map<string, number>();
  return asked.flatMap(({ id, question, evidence, answerable = true, ...rest }) => {
    const found = [...new Set(evidence)].filter(named => known.has(named));
    const text = cut(question.toWellFormed().trim(), recallSchema.properties.q.maxLength);
    if (text === '' || (answerable && found.length === 0)) return [];
    const time = (times.get(id) ?? 0) + 1;
    times.set(id, time);
    return [{ ...rest, id: time === 1 ? id : `${id} ${time}`, question: text, evidence: found, answerable }];
  });
};
