import type { StoredFact } from '../../../../domain/facts/stored-fact.ts';

/** An observation's fact, with the member names of the HTTP contract. */
export const factFields = (fact: StoredFact | undefined) =>
  fact && {
    subject: { id: fact.subjectId, label: fact.subject },
    attribute: fact.attribute,
    value: fact.value,
    valid_from: new Date(fact.validFrom).toISOString(),
    ended: fact.ended,
  };
