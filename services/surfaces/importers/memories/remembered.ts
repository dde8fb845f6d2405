/** Reads what programs of memory export alike: facts with their times, and any form of a time. */
import { parseInstant } from '../../../../schemas/http/queries/instant.ts';
import { isObject, type Json, textOf } from '../assistants/conversation-files.ts';
import { turnFaults } from '../turns/turn-faults.ts';

/** The speaker of what a program remembers: nobody said it in these words. */
export const MEMORY = 'memory';
/** The speaker of a file's words. */
export const DOCUMENT = 'document';

/** The block in which an agent is told what it is. */
export const isPersona = (label: unknown): boolean => /^persona\b/i.test(textOf(label) ?? '');

export const listOf = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isObject) : []);

/** The first of these members that is a list with anything in it: versions of a program differ. */
export const listAt = (value: Json, ...names: string[]): Json[] =>
  names.map(name => listOf(value[name])).find(list => list.length > 0) ?? [];

/** Years of seconds, above which a number of Unix time has a smaller unit. */
const MOST_SECONDS = 20_000_000_000;

/** Returns Unix milliseconds of the first that is a time: RFC 3339, a day, or Unix time of any unit. */
export const timeIn = (...values: unknown[]): number | undefined => {
  for (const value of values) {
    if (typeof value === 'number' && Number.isFinite(value) && value > 0) {
      let seconds = value;
      while (seconds > MOST_SECONDS) seconds /= 1_000;
      return Math.round(seconds * 1_000);
    }
    if (typeof value !== 'string') continue;
    const day = /^\d{4}-\d{2}-\d{2}$/.test(value) ? `${value}T00:00:00Z` : value;
    const at = parseInstant(day);
    if (at !== undefined) return at;
  }
  return undefined;
};

/** An edge of a graph: what holds between two things. */
export interface Edge {
  /** The sentence that says it. */
  text: string | undefined;
  /** The names of the things; undefined: unknown. */
  subject: string | undefined;
  object: string | undefined;
  /** `LIVES_IN`, `livesIn` or `lives in`. */
  predicate: string;
  /** Unix milliseconds. */
  from: number | undefined;
  until: number | undefined;
}

const attributeOf = (predicate: string): string =>
  predicate
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^[\d_]+|_+$/g, '');

const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

/**
 * Returns the words of an edge, and what they say as an observation, so that what has ended does not hold.
 * Undefined for an edge without a sentence or names to make one.
 */
export const saidByEdge = (edge: Edge): { text: string; observations?: unknown[] } | undefined => {
  const { subject, object, predicate, from, until } = edge;
  const names = subject !== undefined && object !== undefined;
  const sentence =
    textOf(edge.text?.trim()) ??
    (names ? `${subject} ${attributeOf(predicate).replaceAll('_', ' ')} ${object}` : undefined);
  if (sentence === undefined) return undefined;
  const text = until === undefined ? sentence : `${sentence.replace(/\.$/, '')} (until ${dayOf(until)}).`;
  const observation = {
    text,
    subject,
    attribute: attributeOf(predicate),
    value: object,
    ...(until !== undefined
      ? { stance: 'was' }
      : from !== undefined && { valid_from: new Date(from).toISOString() }),
  };
  const turn = { role: MEMORY, text, timestamp: new Date(from ?? 0).toISOString() };
  const isFact = names && turnFaults({ ...turn, observations: [observation] }, {}).length === 0;
  return { text, ...(isFact && { observations: [observation] }) };
};
