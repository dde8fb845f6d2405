import type { TailTurn } from './tail-turn.ts';

interface TurnScope {
  org: string;
  user?: string | undefined;
  session?: string | undefined;
  /** Unix milliseconds, inclusive. */
  since?: number | undefined;
  until?: number | undefined;
}

/** Whether a turn belongs to the scope; an undefined bound excludes nothing. */
export const matchesScope = (
  { org, user, session, since, until }: TurnScope,
  turn: Pick<TailTurn, 'org' | 'user' | 'session' | 'timestamp'>,
): boolean =>
  turn.org === org &&
  (user === undefined || turn.user === user) &&
  (session === undefined || turn.session === session) &&
  (since === undefined || turn.timestamp >= since) &&
  (until === undefined || turn.timestamp <= until);
