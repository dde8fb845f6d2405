import type { StoredFact } from '../../../../domain/facts/stored-fact.ts';

/** What an observation says of a subject, with the names of the contract. */
export const factFields = (fact: StoredFact | undefined) =>
  fact && {
    subject: { id: fact.subjectId, label: fact.subject },
    attribute: fact.attribute,
    value: fact.value,
    valid_from: new Date(fact.validFrom).toISOString(),
    ended: fact.ended,
  };
