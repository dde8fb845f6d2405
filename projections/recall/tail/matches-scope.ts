import { type Condition, passes } from '../../../domain/filter/condition.ts';
import { NO_TERMS } from '../../../domain/filter/terms.ts';
import type { TailTurn } from './tail-turn.ts';

interface TurnScope {
  org: string;
  user?: string | undefined;
  session?: string | undefined;
  /** Unix milliseconds, inclusive. */
  since?: number | undefined;
  until?: number | undefined;
  /** On the metadata. */
  filter?: Condition | undefined;
}

/** Whether a turn belongs to the scope; an undefined bound excludes nothing. */
export const matchesScope = (
  { org, user, session, since, until, filter }: TurnScope,
  turn: Pick<TailTurn, 'org' | 'user' | 'session' | 'timestamp' | 'metadata'>,
): boolean =>
  turn.org === org &&
  (user === undefined || turn.user === user) &&
  (session === undefined || turn.session === session) &&
  (since === undefined || turn.timestamp >= since) &&
  (until === undefined || turn.timestamp <= until) &&
  (filter === undefined || passes(filter, turn.metadata ?? NO_TERMS));
