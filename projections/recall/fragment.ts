import type { Corrected, StoredFact } from '../facts/stored-fact.ts';
import { isStatement } from './identity.ts';

/** What turns and observations have in common: where, by whom and when something was said. */
export interface Said {
  user: string;
  session: string;
  role: string;
  /** Unix milliseconds. */
  timestamp: number;
}

/** A turn or an observation as an index stores it. */
export interface StoredFragment extends Said {
  key: number;
  id: string;
  kind: 'turn' | 'observation';
  text: string;
  /** For observations: the turn they come from, and who made them. */
  sourceTurnId?: string;
  source?: 'client' | 'rules' | 'llm';
  /** What an observation says of a subject, where it says one thing. */
  fact?: StoredFact | undefined;
  /** What an observation corrects. */
  corrects?: Corrected | undefined;
  /** It comes from the active tail: the index didn't show it when it was read. */
  isWaiting?: true;
}

/** The turns that an observation comes from: none where it was said without one. */
export const sourceTurnsOf = ({ id, sourceTurnId }: Pick<NewFragment, 'id' | 'sourceTurnId'>): string[] =>
  sourceTurnId === undefined || isStatement(id, sourceTurnId) ? [] : [sourceTurnId];

/** A fragment that no index has numbered yet. */
export type NewFragment = Omit<StoredFragment, 'key' | 'isWaiting'>;

type About = Pick<NewFragment, 'id' | 'text'>;

export const turnFragment = ({ user, session, role, timestamp }: Said, { id, text }: About): NewFragment => ({
  id,
  kind: 'turn',
  user,
  session,
  role,
  text,
  timestamp,
});

export const observationFragment = (
  { user, session, role, timestamp }: Said,
  {
    id,
    text,
    sourceTurnId,
    source,
    fact,
    corrects,
  }: About & Required<Pick<NewFragment, 'sourceTurnId' | 'source'>> & Pick<NewFragment, 'fact' | 'corrects'>,
): NewFragment => ({
  id,
  kind: 'observation',
  user,
  session,
  role,
  text,
  timestamp,
  sourceTurnId,
  source,
  ...(fact && { fact }),
  ...(corrects && { corrects }),
});
