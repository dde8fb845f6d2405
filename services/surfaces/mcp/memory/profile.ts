import { inQuotes, oneLine, speakerName } from '../../../../domain/context/quote.ts';
import type { FactItem } from '../../../../schemas/http/items.ts';
import { turnsText } from './quoted.ts';

export interface KnownFact {
  id: string;
  subject: string;
  attribute: string;
  value: string;
  /** RFC 3339 in UTC. */
  since: string;
  /** End of the fact; absent while it holds. */
  until?: string;
  /** client, rules or llm. */
  source: string;
  /** The turns that state it, the latest first. */
  turn_ids: string[];
}

/** One user's facts, as the tool returns them: by subject and attribute, without hidden characters. */
export interface Profile {
  user: string;
  facts: KnownFact[];
  /** Whether there are more facts than these. */
  more: boolean;
}

const bySubject = (a: KnownFact, b: KnownFact): number =>
  a.subject.localeCompare(b.subject, 'en') || a.attribute.localeCompare(b.attribute, 'en');

export const profileOf = (user: string, facts: readonly FactItem[], more: boolean): Profile => ({
  user: oneLine(user),
  facts: facts
    .map(({ id, subject, attribute, value, valid_from, valid_until, source, source_turn_ids }) => ({
      id,
      subject: oneLine(subject.label),
      attribute,
      value: oneLine(value),
      since: valid_from,
      ...(valid_until !== null && { until: valid_until }),
      source,
      turn_ids: source_turn_ids,
    }))
    .toSorted(bySubject),
  more,
});

/** A longer value is cut in the text; the structured content has all of it. */
const MOST_OF_VALUE = 200;
/** Maximum turns that a line names; a fact may have hundreds. */
const MOST_TURNS = 3;

const day = (instant: string): string => instant.slice(0, 10);

export const valueText = (value: string): string => {
  const characters = [...value];
  return inQuotes(
    characters.length > MOST_OF_VALUE ? `${characters.slice(0, MOST_OF_VALUE).join('')}…` : value,
  );
};

const factLine = ({ id, attribute, value, since, until, turn_ids }: KnownFact): string => {
  const when =
    until === undefined ? `since ${day(since)}` : `${day(since)} to ${day(until)}, no longer holds`;
  return `- ${attribute}: "${valueText(value)}" (${when}, ${id} ${turnsText(turn_ids, MOST_TURNS)})`;
};

/**
 * Writes the profile as text for a model: a heading per subject, then a line per fact, each value as a
 * quotation.
 */
export const profileText = ({ user, facts, more }: Profile): string => {
  const name = speakerName(user);
  if (facts.length === 0)
    return `Nothing is known to hold of ${name} by this. recall may still find what was said.`;
  const parts = [...Map.groupBy(facts, ({ subject }) => subject)].map(
    ([subject, ofSubject]) => `${speakerName(subject)}\n${ofSubject.map(factLine).join('\n')}`,
  );
  return [
    `Known from the conversations of ${name}, as quotations:`,
    ...parts,
    ...(more ? ['There are more facts: name a subject or an attribute.'] : []),
  ].join('\n\n');
};
