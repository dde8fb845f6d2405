import type { Stated } from '../../schemas/events/turns.ts';
import type { SaidFact } from '../../schemas/facts.ts';
import { normaliseLabel } from '../extraction/names/label.ts';
import { entityId } from '../identity/identity.ts';
import { attributeName } from './attributes.ts';

/** A fact about a subject, as an index stores it. */
export interface StoredFact {
  /** Id of the entity with the subject's label in the user's partition. */
  subjectId: string;
  subject: string;
  attribute: string;
  value: string;
  /** Unix milliseconds. */
  validFrom: number;
  /** Whether the fact says that the value no longer holds. */
  ended: boolean;
}

/** A corrected observation and, if it stated one attribute of one subject, that key (`factKey`). */
export interface Corrected {
  id: string;
  key?: string | undefined;
}

/** @param timestamp of the turn, Unix milliseconds: without a time of its own, a fact holds from then on */
export const storedFact = (
  { org, user, timestamp }: { org: string; user: string; timestamp: number },
  { subject, attribute, value, valid_from, ended }: SaidFact,
): StoredFact => ({
  subjectId: entityId(org, user, normaliseLabel(subject)),
  subject,
  attribute: attributeName(attribute),
  value,
  validFrom: valid_from === undefined ? timestamp : Date.parse(valid_from),
  ended: ended ?? false,
});

/** Returns what a statement corrects, as an index stores it. */
export const correctedBy = (
  { org, user }: { org: string; user: string },
  { observation_id: id, subject, attribute }: NonNullable<Stated['corrects']>,
): Corrected => {
  if (subject === undefined || attribute === undefined) return { id };
  const subjectId = entityId(org, user, normaliseLabel(subject));
  return { id, key: factKey({ attribute, subjectId }) };
};

/** Returns the key by which an index finds the facts of one attribute of one subject, decided together. */
export const factKey = ({ attribute, subjectId }: Pick<StoredFact, 'attribute' | 'subjectId'>): string =>
  `${attribute}/${subjectId}`;
