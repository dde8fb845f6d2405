import type { SaidFact } from '../../../schemas/facts.ts';

type Said = Pick<SaidFact, 'attribute' | 'value' | 'ended'>;

/** An attribute that a predicate gives its subject. */
export interface Found extends Said {
  /** It was so at a time that is over; a date in the clause isn't the date of its end. */
  isPast?: boolean;
  ofSpeaker?: boolean;
}

/** The time of a clause: over, or dated. */
export interface When {
  /** A function, since most clauses give no fact and don't need it. */
  backThen: () => boolean;
  dated: boolean;
}
