import type { StoredFact } from '../../../../domain/facts/stored-fact.ts';

export const instantOrNull = (at: number | undefined): string | null =>
  at === undefined ? null : new Date(at).toISOString();

/** An observation's fact, with the member names of the HTTP contract. */
export const factFields = (fact: StoredFact | undefined) =>
  fact && {
    subject: { id: fact.subjectId, label: fact.subject },
    attribute: fact.attribute,
    ...(fact.about !== undefined && { about: fact.about }),
    value: fact.value,
    valid_from: instantOrNull(fact.validFrom),
    ...(fact.validUntil !== undefined && { valid_until: new Date(fact.validUntil).toISOString() }),
    ended: fact.ended,
    stance: fact.stance,
    certainty: fact.certainty ?? 1,
  };
