import type { Stated } from '../../schemas/events/turns.ts';
import type { SaidFact, Stance } from '../../schemas/facts.ts';
import { normaliseLabel } from '../extraction/names/label.ts';
import { entityId } from '../identity/identity.ts';
import { attributeName } from './attributes.ts';
import { defaultStance } from './holds/standing-time.ts';

/** A fact about a subject, as an index stores it. Times are Unix milliseconds. */
export interface StoredFact {
  /** Id of the entity with the subject's label in the user's partition. */
  subjectId: string;
  subject: string;
  attribute: string;
  about?: string | undefined;
  value: string;
  /** Undefined where nothing is said of it. */
  validFrom?: number | undefined;
  /** A said end. */
  validUntil?: number | undefined;
  /** Whether the fact says that the value no longer holds. */
  ended: boolean;
  stance: Stance;
  /** Undefined: 1. */
  certainty?: number | undefined;
  adds?: true | undefined;
  /** Its place among the observations of its turn; undefined: the first. */
  place?: number | undefined;
}

/** A corrected observation and, if it stated one attribute of one subject, that key (`factKey`). */
export interface Corrected {
  id: string;
  /** Ids of observations and turns: the correction is hidden with any of them. */
  follows: readonly string[];
  key?: string | undefined;
}

/**
 * @param timestamp of the turn, Unix milliseconds
 * @param place of the observation in its turn
 */
export const storedFact = (
  { org, user, timestamp }: { org: string; user: string; timestamp: number },
  said: SaidFact,
  place = 0,
): StoredFact => {
  const { subject, attribute, about, value, valid_from, valid_until, certainty, adds } = said;
  const ended = said.ended ?? false;
  const validFrom = valid_from === undefined ? undefined : Date.parse(valid_from);
  return {
    subjectId: entityId(org, user, normaliseLabel(subject)),
    subject,
    attribute: attributeName(attribute),
    ...(about !== undefined && { about }),
    value,
    ...(validFrom !== undefined && { validFrom }),
    ...(valid_until !== undefined && { validUntil: Date.parse(valid_until) }),
    ended,
    stance: said.stance ?? defaultStance({ ended, validFrom }, timestamp),
    ...(certainty !== undefined && certainty < 1 && { certainty }),
    ...(adds && { adds }),
    ...(place > 0 && { place }),
  };
};

/** The inverse of `storedFact`, but for the certainty: what it corrects is told for certain. */
export const saidFactOf = (fact: StoredFact, timestamp: number): SaidFact => {
  const { subject, attribute, about, value, validFrom, validUntil, ended, stance, adds } = fact;
  return {
    subject,
    attribute,
    ...(about !== undefined && { about }),
    value,
    ...(validFrom !== undefined && { valid_from: new Date(validFrom).toISOString() }),
    ...(validUntil !== undefined && { valid_until: new Date(validUntil).toISOString() }),
    ...(ended && { ended }),
    ...(stance !== defaultStance({ ended, validFrom }, timestamp) && { stance }),
    ...(adds && { adds }),
  };
};

/** Returns what a statement corrects, as an index stores it. */
export const correctedBy = (
  { org, user }: { org: string; user: string },
  { observation_id: id, follows, subject, attribute }: NonNullable<Stated['corrects']>,
): Corrected => {
  if (subject === undefined || attribute === undefined) return { id, follows };
  const subjectId = entityId(org, user, normaliseLabel(subject));
  return { id, follows, key: factKey({ attribute, subjectId }) };
};

/** Returns the key by which an index finds the facts of one attribute of one subject, decided together. */
export const factKey = ({ attribute, subjectId }: Pick<StoredFact, 'attribute' | 'subjectId'>): string =>
  `${attribute}/${subjectId}`;
