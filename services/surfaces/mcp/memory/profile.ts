import { inQuotes, oneLine, speakerName } from '../../../../domain/context/quote.ts';
import type { FactItem } from '../../../../schemas/http/items.ts';
import { turnsText } from './quoted.ts';

export interface KnownFact {
  id: string;
  subject: string;
  attribute: string;
  /** The object that the attribute is of. */
  about?: string;
  value: string;
  /** RFC 3339 in UTC; absent where nothing is said of it. */
  since?: string;
  /** End of the fact; absent while it holds. */
  until?: string;
  /** It was told as a plan. */
  planned?: true;
  /** Ids of facts that say otherwise, where nobody knows which holds. */
  disputed_by?: string[];
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
    .map(fact => ({
      id: fact.id,
      subject: oneLine(fact.subject.label),
      attribute: fact.attribute,
      ...(fact.about !== null && { about: oneLine(fact.about) }),
      value: oneLine(fact.value),
      ...(fact.valid_from !== null && { since: fact.valid_from }),
      ...(fact.valid_until !== null && { until: fact.valid_until }),
      ...(fact.stance === 'plan' && { planned: true as const }),
      ...(fact.disputed_by.length > 0 && { disputed_by: fact.disputed_by }),
      source: fact.source,
      turn_ids: fact.source_turn_ids,
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

const whenOf = ({ since, until, planned }: KnownFact): string => {
  const from =
    since && `${planned ? 'planned from' : until === undefined ? 'since' : 'from'} ${day(since)}, `;
  return `${from ?? ''}${until === undefined ? '' : `no longer holds since ${day(until)}, `}`;
};

const factLine = (fact: KnownFact): string => {
  const { id, attribute, about, value, disputed_by, turn_ids } = fact;
  const what = about === undefined ? attribute : `${attribute} ("${valueText(about)}")`;
  const doubt = disputed_by ? `in doubt: ${disputed_by.join(' ')} says otherwise, ` : '';
  return `- ${what}: "${valueText(value)}" (${whenOf(fact)}${doubt}${id} ${turnsText(turn_ids, MOST_TURNS)})`;
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
