import type { Stated } from '../../schemas/events/turns.ts';
import type { SaidFact } from '../../schemas/facts.ts';
import { normaliseLabel } from '../extraction/label.ts';
import { entityId } from '../recall/identity.ts';
import { attributeName } from './attributes.ts';

/** What an observation says of a subject, as an index keeps it. */
export interface StoredFact {
  /** The entity with the subject's label in the user's partition. */
  subjectId: string;
  subject: string;
  attribute: string;
  value: string;
  /** Unix milliseconds. */
  validFrom: number;
  /** It no longer holds. */
  ended: boolean;
}

/** What was corrected: an observation and, where it said one attribute of one subject, the key of that (`factKey`). */
export interface Corrected {
  id: string;
  key?: string | undefined;
}

/** @param said when the turn was said, Unix milliseconds: what says nothing of time holds since then */
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

/** What a statement corrects, as an index keeps it. */
export const correctedBy = (
  { org, user }: { org: string; user: string },
  { observation_id: id, subject, attribute }: NonNullable<Stated['corrects']>,
): Corrected => {
  if (subject === undefined || attribute === undefined) return { id };
  const subjectId = entityId(org, user, normaliseLabel(subject));
  return { id, key: factKey({ attribute, subjectId }) };
};

/** By which an index finds the facts among which is decided what holds: those of one attribute of one subject. */
export const factKey = ({ attribute, subjectId }: Pick<StoredFact, 'attribute' | 'subjectId'>): string =>
  `${attribute}/${subjectId}`;
