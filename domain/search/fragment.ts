import type { TurnRecorded } from '../../schemas/events/turns.ts';
import type { Corrected, StoredFact } from '../facts/stored-fact.ts';
import { isStatement } from '../identity/identity.ts';

/** Members that turns and observations share: where, by whom and when something was said. */
export interface Said {
  user: string;
  session: string;
  role: string;
  /** Unix milliseconds. */
  timestamp: number;
  /** The speaker's offset from UTC then, minutes to the east, where the client named it. */
  utcOffset?: number | undefined;
}

/** The displayed members of a turn. */
export interface SaidTurn extends Said {
  id: string;
  text: string;
}

export const saidTurnOf = (id: string, data: TurnRecorded): SaidTurn => ({
  id,
  user: data.user_id,
  session: data.session_id,
  role: data.role,
  text: data.text,
  timestamp: Date.parse(data.timestamp),
  ...(data.utc_offset !== undefined && { utcOffset: data.utc_offset }),
});

/** The displayed members of an observation. */
export interface SaidObservation extends SaidTurn {
  turnId: string;
  source: 'client' | 'rules' | 'llm';
  fact?: StoredFact | undefined;
  corrects?: Corrected | undefined;
}

/** A turn or an observation as an index stores it: the columns that are shown (columns.ts). */
export interface StoredFragment extends SaidTurn {
  key: number;
  kind: 'turn' | 'observation';
  /** For observations: the turn they come from, and who made them. */
  sourceTurnId?: string;
  source?: 'client' | 'rules' | 'llm';
  /** The fact that an observation states, if it states exactly one. */
  fact?: StoredFact | undefined;
  /** The target of an observation that corrects another. */
  corrects?: Corrected | undefined;
  /** It comes from the active tail: the index didn't show it when it was read. */
  isWaiting?: true;
}

/** The turns that an observation comes from: none where it was said without one. */
export const sourceTurnsOf = ({ id, sourceTurnId }: Pick<NewFragment, 'id' | 'sourceTurnId'>): string[] =>
  sourceTurnId === undefined || isStatement(id, sourceTurnId) ? [] : [sourceTurnId];

/** A fragment that no index has numbered yet. */
export type NewFragment = Omit<StoredFragment, 'key' | 'isWaiting'>;
