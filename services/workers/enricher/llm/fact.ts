import type { FactByModel } from '../../../../schemas/extraction.ts';
import { FACT_LIMITS, type SaidFact, STANCES } from '../../../../schemas/facts.ts';
import { parseInstant } from '../../../../schemas/http/queries/instant.ts';

const DATE = /^(\d{4})(?:-(\d\d)(?:-(\d\d))?)?$/;

/**
 * The beginning of the period that a model gives: a year, a month, a day or an instant. Undefined for
 * anything else.
 */
const instantOf = (text: string): string | undefined => {
  const [, year, month = '01', day = '01'] = DATE.exec(text) ?? [];
  const at = parseInstant(year === undefined ? text : `${year}-${month}-${day}T00:00:00Z`);
  return at === undefined ? undefined : new Date(at).toISOString();
};

const snakeCase = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^[_0-9]+|_+$/g, '');

/**
 * Returns a model's fact as an event keeps it; undefined where it is incomplete. The sentence is kept even
 * then.
 */
export const factOf = (found: FactByModel, oneLine: (text: string) => string): SaidFact | undefined => {
  const [subject, value, about] = [found.subject, found.value, found.about].map(text => oneLine(text ?? ''));
  const attribute = snakeCase(found.attribute ?? '');
  const ended = found.ended === true;
  if (!subject || !attribute || (!value && !ended)) return undefined;
  if (subject.length > FACT_LIMITS.subject || value!.length > FACT_LIMITS.value) return undefined;
  if (attribute.length > FACT_LIMITS.attribute) return undefined;
  const isKept = about !== '' && about!.length <= FACT_LIMITS.about;
  const stance = STANCES.find(one => one === found.stance);
  const from = found.valid_from ? instantOf(found.valid_from.trim()) : undefined;
  return {
    subject,
    attribute,
    ...(isKept && { about: about! }),
    value: value!,
    ...(from !== undefined && { valid_from: from }),
    ...(ended && { ended }),
    ...(stance && { stance }),
  };
};
