import type { SaidFact } from '../../../schemas/facts.ts';

type Said = Pick<SaidFact, 'attribute' | 'value' | 'ended'>;

/** What a predicate gives its subject. */
export interface Found extends Said {
  /** It was so at a time that is over: a date in the clause isn't when it ended. */
  isPast?: boolean;
  ofSpeaker?: boolean;
}

/** When it was: at a time that is over, or with a date. */
export interface When {
  /** Computed where it matters: most clauses give no fact. */
  backThen: () => boolean;
  dated: boolean;
}
