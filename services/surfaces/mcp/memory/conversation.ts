import { bareName, named } from '../../../../domain/context/quote.ts';
import type { TurnItem } from '../../../../schemas/http/items.ts';
import { speakersClock } from '../../client/speakers-clock.ts';
import type { Memory } from './memory.ts';
import { quoted } from './quoted.ts';

const SCHEME = 'turnstone://users/';
export const SESSION_TEMPLATE = `${SCHEME}{user}/sessions/{session}`;
export const PAGE_TEMPLATE = `${SESSION_TEMPLATE}/after/{cursor}`;

export interface SessionAddress {
  user: string;
  session: string;
  /** The page begins after this turn; by default at the beginning. */
  cursor?: string;
}

export const uriOf = ({ user, session, cursor }: SessionAddress): string => {
  const path = `${SCHEME}${encodeURIComponent(user)}/sessions/${encodeURIComponent(session)}`;
  return cursor === undefined ? path : `${path}/after/${encodeURIComponent(cursor)}`;
};

const URI = /^turnstone:\/\/users\/([^/]+)\/sessions\/([^/]+)(?:\/after\/([^/]+))?$/;

/** Parses the address of a session; undefined for any other URI. */
export const addressOf = (uri: string): SessionAddress | undefined => {
  const [, user, session, cursor] = URI.exec(uri) ?? [];
  if (user === undefined || session === undefined) return undefined;
  try {
    const address = { user: decodeURIComponent(user), session: decodeURIComponent(session) };
    return cursor === undefined ? address : { ...address, cursor: decodeURIComponent(cursor) };
  } catch {
    return undefined;
  }
};

/** Limits of a page, exceeded only by a single longer turn: a page must fit into a model's context. */
const MOST_TURNS = 200;
export const MOST_CHARACTERS = 60_000;
const READ_AT_ONCE = 50;

interface Page {
  turns: TurnItem[];
  /** Undefined after the last turn. */
  next?: string;
}

/** Returns the number of leading turns that fit into `most` characters. */
const fitting = (turns: readonly TurnItem[], most: number): number => {
  let characters = 0;
  const firstBeyond = turns.findIndex(({ text }) => {
    characters += text.length;
    return characters > most;
  });
  return firstBeyond === -1 ? turns.length : firstBeyond;
};

/** Reads a page of a session's turns in chronological order. */
export const readPage = async (
  memory: Memory,
  { user, session, cursor }: SessionAddress,
  signal: AbortSignal,
): Promise<Page> => {
  const turns: TurnItem[] = [];
  let left = MOST_CHARACTERS;
  let next = cursor;
  while (turns.length < MOST_TURNS) {
    const ask = (limit: number) => memory.turns({ user, session, cursor: next, limit }, signal);
    let read = await ask(READ_AT_ONCE);
    const fit = fitting(read.turns, left);
    const ends = fit < read.turns.length;
    const kept = turns.length === 0 ? Math.max(fit, 1) : fit;
    if (ends && kept === 0) break;
    // A cursor that continues after a turn comes only with an answer that ends there.
    if (kept < read.turns.length) read = await ask(kept);
    turns.push(...read.turns);
    if (read.next_cursor === null) return { turns };
    next = read.next_cursor;
    if (ends) break;
    left -= read.turns.reduce((sum, { text }) => sum + text.length, 0);
  }
  return { turns, next };
};

const clockOf = ({ timestamp, utc_offset }: TurnItem): string =>
  speakersClock(Date.parse(timestamp), utc_offset);

const turnLines = (turn: TurnItem): string => {
  const { role, text, id } = turn;
  return `**${bareName(role)}** ${clockOf(turn).slice(11, 16)} (${id})\n> ${quoted(text, '> ')}`;
};

/**
 * Renders the conversation as Markdown: a heading per day of the speakers, then each turn's speaker and time,
 * with its text as a quotation.
 */
export const conversationMarkdown = (address: SessionAddress, { turns, next }: Page): string => {
  const parts = [`# Session ${named(address.session)} of ${named(address.user)}`];
  if (address.cursor !== undefined) parts.push('(continued)');
  let day = '';
  for (const turn of turns) {
    const said = clockOf(turn).slice(0, 10);
    if (said !== day) parts.push(`## ${said}`);
    day = said;
    parts.push(turnLines(turn));
  }
  if (next !== undefined) parts.push(`Continued at ${uriOf({ ...address, cursor: next })}`);
  return `${parts.join('\n\n')}\n`;
};
