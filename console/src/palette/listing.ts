/** The choices of the search box, in groups: pages and commands at once, the rest as the service finds it. */
import type { EntityItem, ObservationItem, SessionItem, TurnItem, UserItem } from '../api/types.ts';
import { sessionPath, subjectPath, turnOfPath, turnPath, userPath } from '../paths.ts';
import { counted, date, dateOr } from '../words/numbers.ts';

export interface Choice {
  id: string;
  title: string;
  detail: string;
  /** The path that it leads to; or else what it does. */
  to?: string;
  state?: object;
  act?: () => void;
}

export interface Group {
  name: string;
  choices: Choice[];
}

/** The items that the service found; a list that could not be asked is missing. */
export interface Found {
  users?: UserItem[] | undefined;
  sessions?: SessionItem[] | undefined;
  turns?: TurnItem[] | undefined;
  facts?: ObservationItem[] | undefined;
  names?: EntityItem[] | undefined;
}

const MOST_LETTERS = 160;
const short = (text: string): string =>
  text.length > MOST_LETTERS ? `${text.slice(0, MOST_LETTERS)} …` : text;

const ofUser = ({ user_id, turns, last_at, match }: UserItem): Choice => ({
  id: `user ${user_id}`,
  title: user_id,
  detail: match?.text ? short(match.text) : `${counted(turns, 'turn')}, last ${dateOr(last_at, 'unknown')}`,
  to: userPath(user_id),
});

const ofSession = ({ user_id, session_id, title, last_at, match }: SessionItem): Choice => ({
  id: `session ${user_id} ${session_id}`,
  title: title ?? session_id,
  detail: [user_id, dateOr(last_at, ''), match?.by === 'text' ? short(match.text ?? '') : '']
    .filter(part => part !== '')
    .join(' · '),
  to:
    match?.turn_id === undefined
      ? sessionPath(user_id, session_id)
      : turnPath(user_id, session_id, match.turn_id),
});

const ofTurn = ({ id, user_id, session_id, role, text, timestamp }: TurnItem): Choice => ({
  id: `turn ${id}`,
  title: short(text),
  detail: `${role} · ${date(timestamp)} · ${user_id} / ${session_id}`,
  to: turnPath(user_id, session_id, id),
});

const ofFact = ({ id, user_id, subject, text, turn_id }: ObservationItem): Choice => ({
  id: `fact ${id}`,
  title: short(text),
  detail: user_id,
  to: subject
    ? subjectPath(user_id, subject.label)
    : turn_id === null
      ? userPath(user_id)
      : turnOfPath(user_id, turn_id),
});

const ofName = ({ id, user_id, label, kind, turns }: EntityItem): Choice => ({
  id: `name ${user_id} ${id}`,
  title: label,
  detail: `${kind}, in ${counted(turns, 'turn')} · ${user_id}`,
  to: subjectPath(user_id, label),
});

export const groupsOf = ({ users, sessions, turns, facts, names }: Found): Group[] =>
  [
    { name: 'Users', choices: (users ?? []).map(ofUser) },
    { name: 'Conversations', choices: (sessions ?? []).map(ofSession) },
    { name: 'Turns', choices: (turns ?? []).map(ofTurn) },
    { name: 'Facts', choices: (facts ?? []).map(ofFact) },
    { name: 'Names', choices: (names ?? []).map(ofName) },
  ].filter(({ choices }) => choices.length > 0);

/** Whether a text has all of the typed words, each from the beginning of one of its own. */
export const isLike = (text: string, typed: string): boolean => {
  const own = text.toLowerCase().split(/[\s,/·_-]+/);
  return typed
    .toLowerCase()
    .split(/\s+/)
    .filter(word => word !== '')
    .every(word => own.some(one => one.startsWith(word)) || text.toLowerCase().startsWith(word));
};

/** Whether what was typed is more likely a question than the name of something. */
export const isQuestion = (typed: string): boolean =>
  typed.trimEnd().endsWith('?') || typed.trim().split(/\s+/).length >= 4;
