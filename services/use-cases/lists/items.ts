/** The items of list responses, with the field names of the HTTP contract. */

import type { ListedFragment, ListedSession, ListedUser, NamedEntity } from '../../../core/ports.ts';
import { type NewFragment, sourceTurnsOf } from '../../../domain/search/fragment.ts';
import type {
  ObservationItem,
  SessionItem,
  TurnEntity,
  TurnItem,
  UserItem,
} from '../../../schemas/http/items.ts';
import { factFields } from './facts/fact-fields.ts';

const instant = (at: number): string => new Date(at).toISOString();
const instantOrNull = (at: number | null): string | null => (at === null ? null : instant(at));

export const userItem = ({ user, sessions, turns, lastAt }: ListedUser): UserItem => ({
  user_id: user,
  sessions,
  turns,
  last_at: instantOrNull(lastAt),
});

export const sessionItem = ({ user, session, said, turns, firstAt, lastAt }: ListedSession): SessionItem => ({
  user_id: user,
  session_id: session,
  title: said.title?.value ?? null,
  turns,
  first_at: instantOrNull(firstAt),
  last_at: instantOrNull(lastAt),
});

export const turnOf = ({ id, user, session, role, text, timestamp, utcOffset }: NewFragment): TurnItem => ({
  id,
  user_id: user,
  session_id: session,
  role,
  text,
  timestamp: instant(timestamp),
  ...(utcOffset !== undefined && { utc_offset: utcOffset }),
});
export const turnItem = ({ fragment }: ListedFragment): TurnItem => turnOf(fragment);

export const observationOf = (fragment: NewFragment): ObservationItem => {
  const { id, user, session, source, text, timestamp, utcOffset, corrects } = fragment;
  const [turnId = null] = sourceTurnsOf(fragment);
  return {
    id,
    user_id: user,
    session_id: session,
    turn_id: turnId,
    source: source!,
    text,
    timestamp: instant(timestamp),
    ...(utcOffset !== undefined && { utc_offset: utcOffset }),
    ...factFields(fragment.fact),
    ...(corrects && { corrects: corrects.id }),
  };
};

export const turnEntity = ({ id, user, label, kind }: NamedEntity): TurnEntity => ({
  id,
  user_id: user,
  label,
  kind,
});
