import { localDay } from '../../extraction/dates/calendar.ts';
import { standsAlone } from '../../extraction/stands-alone.ts';
import { wordsOf } from '../../language/words/words.ts';
import { cutToFit, withoutOmission } from './cut-to-fit.ts';
import { isEmptyFact, isFiller, withoutFiller } from './filler.ts';
import { namedDay } from './named-day.ts';

/** A hit, or a fact of a turn that is a hit, with the data that the timeline needs. */
export interface TimelineHit {
  kind: 'turn' | 'observation';
  /** Origin of an observation. */
  source?: 'client' | 'rules' | 'llm';
  id?: string | undefined;
  /** The turn's id; for an observation, the id of the turn it comes from. */
  turnId: string;
  role: string;
  /** When it was said, Unix milliseconds. */
  timestamp: number;
  /** The speaker's offset from UTC then, minutes. */
  utcOffset?: number | undefined;
  text: string;
}

interface Event extends TimelineHit {
  /** `YYYY-MM-DD`: the day that an observation names, otherwise the speaker's, on which it was said. */
  day: string;
}

export interface Timeline {
  text: string;
  /** The hits and facts that it tells, and the words of each that it has, as `cleanLine` writes them. */
  told: readonly { id: string | undefined; words: string }[];
}

const BUDGET = 400;
/** Maximum tokens of a line: a single long turn must not use up the budget. */
const LINE = 60;
const SHORTEST = 12;
/** Maximum facts of a turn: one that says a lot must not use up the budget either. */
const FACTS_A_TURN = 3;

/**
 * Summarises hits in chronological order, oldest first, within 400 tokens. Each event has one line:
 * `YYYY-MM-DD: text` for an observation, under the day that it names, otherwise the speaker's day on which it
 * was said; `YYYY-MM-DD: Ann: text` for a turn without observations. The hits are passed best first: the best
 * that fit are kept, and a text that doesn't fit is cut after a sentence or a word. Every line contains the
 * text of one hit or fact, or a part of it.
 *
 * @param facts any number of facts extracted from the turns among the hits
 * @returns null without hits
 */
export const timeline = (
  hits: readonly TimelineHit[],
  countTokens: (text: string) => number,
  facts: readonly TimelineHit[] = [],
): Timeline | null => {
  const lines: { day: string; timestamp: number; line: string; order: number }[] = [];
  const told: { id: string | undefined; words: string }[] = [];
  const seen = new Set<string>();
  let left = BUDGET;
  for (const { id, day, timestamp, role, kind, text } of eventsOf(hits, facts)) {
    const opening = kind === 'turn' ? `${day}: ${cleanLine(role)}: ` : `${day}: `;
    const line = cutToFit({ opening, text }, Math.min(left, LINE), countTokens);
    if (line === undefined || seen.has(line)) continue;
    seen.add(line);
    told.push({ id, words: line === opening + text ? text : withoutOmission(line.slice(opening.length)) });
    lines.push({ day, timestamp, line, order: lines.length });
    // Two lines joined by a newline may be one token longer than the sum.
    left -= countTokens(line) + 1;
    if (left < SHORTEST) break;
  }
  if (lines.length === 0) return null;
  lines.sort((a, b) => compare(a.day, b.day) || a.timestamp - b.timestamp || a.order - b.order);
  return { text: lines.map(({ line }) => line).join('\n'), told };
};

/**
 * Returns the events to list, best first, with one wording for a turn and its observations. An extracted
 * observation, in the third person and with absolute dates, is preferred to its turn; a client's observation
 * may contain less than the turn, so the turn is preferred. Turns that only ask, greet, praise or thank are
 * left out if there are others.
 */
const eventsOf = (hits: readonly TimelineHit[], facts: readonly TimelineHit[]): Event[] => {
  const byTurn = new Map<string, TimelineHit[]>();
  for (const hit of hits) push(byTurn, hit);
  for (const fact of facts) if (byTurn.has(fact.turnId)) push(byTurn, fact);
  const events = [...byTurn.values()].flatMap(worded);
  const telling = events.filter(({ kind, text }) => (kind === 'turn' ? !isFiller(text) : !isEmptyFact(text)));
  if (telling.length === 0) return events;
  return different(telling).map(event =>
    event.kind === 'turn' ? { ...event, text: withoutFiller(event.text) } : event,
  );
};

const push = (byTurn: Map<string, TimelineHit[]>, hit: TimelineHit): void => {
  const clean = { ...hit, text: cleanLine(hit.text) };
  if (clean.text === '') return;
  const same = byTurn.get(hit.turnId);
  if (same) same.push(clean);
  else byTurn.set(hit.turnId, [clean]);
};

/** Returns the events that one turn and its observations add. */
const worded = (same: readonly TimelineHit[]): Event[] => {
  const turn = same.find(hit => hit.kind === 'turn');
  const observations = same.filter(hit => hit.kind === 'observation');
  // A role such as "Ben: I owe Ada. Bob" would make a fact look as if Ben said it; before a turn's words,
  // readers quote it.
  const isPlain = !same[0]!.role.includes(':');
  const extracted = clearFirst(
    observations.filter(({ source, text }) => source !== 'client' && !isEmptyFact(text)),
  );
  const prefersTurn =
    turn && (extracted.length === 0 || !isPlain) && !(observations.length > 0 && isFiller(turn.text));
  const chosen = prefersTurn ? [turn] : turn && extracted.length > 0 ? extracted : observations;
  return different(chosen.map(dated)).slice(0, FACTS_A_TURN);
};

/** Puts observations that stand alone first: "Ann chose them." says little, but more than nothing. */
const clearFirst = (facts: readonly TimelineHit[]): readonly TimelineHit[] => {
  const { clear = [], others = [] } = Object.groupBy(facts, ({ text }) =>
    standsAlone(text) ? 'clear' : 'others',
  );
  return [...clear, ...others];
};

const dated = (hit: TimelineHit): Event => ({
  ...hit,
  day:
    (hit.kind === 'observation' ? namedDay(hit.text) : undefined) ?? localDay(hit.timestamp, hit.utcOffset),
});

/**
 * Drops observations whose words are all in an earlier one of the same turn, or that repeat the same words: a
 * client and an extractor may have noted the same fact, and people repeat themselves.
 */
const different = (events: readonly Event[]): Event[] => {
  const kept: { turnId: string; words: Set<string> }[] = [];
  return events.filter(event => {
    if (event.kind === 'turn') return true;
    const words = new Set(wordsOf(event.text));
    const isSaid = kept.some(
      other =>
        words.isSubsetOf(other.words) && (other.turnId === event.turnId || other.words.size === words.size),
    );
    if (!isSaid) kept.push({ turnId: event.turnId, words });
    return !isSaid;
  });
};

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/**
 * Invisible characters: lone surrogates, direction marks and overrides. Joiners are kept: they are part of
 * words in some scripts.
 */
const UNSEEN = /[\p{Cs}\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]+/gu;
const SPACES = /[\s\p{Cc}]+/gu;

/** Returns the visible text on one line. */
export const cleanLine = (text: string): string => text.replace(UNSEEN, '').replace(SPACES, ' ').trim();
