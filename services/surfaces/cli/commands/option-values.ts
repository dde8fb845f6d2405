/** Parsers of options and arguments. Commander reports their errors with the flag's name, exit status 2. */
import { InvalidArgumentError, Option } from 'commander';
import { isRange } from '../../../../schemas/address-range.ts';
import { STANCES } from '../../../../schemas/facts.ts';
import { type Filter, filterFaults } from '../../../../schemas/http/queries/filter.ts';
import { parseInstant } from '../../../../schemas/http/queries/instant.ts';

const fail = (message: string): never => {
  throw new InvalidArgumentError(message);
};
const refuse = (expected: string): never => fail(`It must be ${expected}.`);

export const wholeNumber = (text: string): number =>
  /^\d{1,15}$/.test(text) ? Number(text) : refuse('a whole number');

export const positive = (text: string): number => wholeNumber(text) || refuse('1 or more');

export const wholeNumberTo =
  (most: number) =>
  (text: string): number => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : 0;
    return value >= 1 && value <= most ? value : refuse(`a whole number from 1 to ${most}`);
  };

/** Text of 1 to `most` characters. An empty one is usually an unset variable in a script. */
export const textTo =
  (most: number) =>
  (text: string): string =>
    text !== '' && [...text].length <= most ? text : fail(`It must have 1 to ${most} characters.`);

/** The id of a user or a session. */
export const id = textTo(256);

/** Words to look for, as long as a question. */
export const words = textTo(8_192);

/** An attribute's name. Another spelling would list nothing and give no reason. */
export const attribute = (text: string): string =>
  /^[a-z][a-z0-9_]{0,63}$/.test(text) ? text : refuse('snake_case like favourite_colour');

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** A day or an RFC 3339 instant, unchanged. */
export const moment = (text: string): string =>
  parseInstant(DAY.test(text) ? `${text}T00:00:00Z` : text) === undefined
    ? refuse('a day like 2026-04-02 or an RFC 3339 instant like 2026-04-02T09:30:00Z')
    : text;

export const month = (text: string): string =>
  /^(19[7-9]\d|[2-9]\d{3})-(0[1-9]|1[0-2])$/.test(text) ? text : refuse('a month like 2026-04');

/** Parses `a, b`, each of `values`. */
export const listOf =
  (values: readonly string[]) =>
  (text: string): string[] => {
    const items = text.split(',').map(item => item.trim());
    return items.every(item => values.includes(item))
      ? items
      : refuse(`any of ${values.join(', ')}, separated by commas`);
  };

/** Parses addresses and ranges of them. */
export const addressRanges = (text: string): string[] => {
  const items = text.split(',').map(item => item.trim());
  return items.every(isRange)
    ? items
    : refuse('addresses or ranges such as 192.0.2.0/24, separated by commas');
};

/** A filter as JSON. The service would say the same, after an exchange of the key. */
export const filter = (text: string): Filter => {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return refuse('JSON like {"key":"agent_id","eq":"planner"}');
  }
  const [fault] = filterFaults([], value);
  return fault ? fail(`${['It', ...fault.loc].join('.')} ${fault.message}.`) : (value as Filter);
};

/** Collects the values of an option that may be repeated. */
export const repeated = (value: string, before: string[] = []): string[] => [...before, value];

/** How a fact was said. */
export const stance = (description: string): Option =>
  new Option('--stance <stance>', description).choices(STANCES);
